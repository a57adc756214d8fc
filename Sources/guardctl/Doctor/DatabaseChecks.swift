import OperationCore
import ReadModels
import ShiftDomain
import ShiftStore
import SystemCalls

/// What a reachable database says about the service.
struct DatabaseChecks {
  var health: InstallationHealth
  /// How far this machine's clock is ahead of the database's.
  var ahead: TimeSpan
  /// The file system of the database's files; `nil` if it is not known here.
  var space: FileSpace?

  /// An instance beats once a second; without a beat for this long it hangs or has ended.
  static let beatGap = TimeSpan.seconds(5)
  /// For this long an instance that has ended is mentioned.
  static let mentioned = TimeSpan.minutes(10)

  var checks: [HealthCheck] { [schema] + instances + [clock, disk, weeks, backups] }

  var schema: HealthCheck {
    let (version, wanted) = (health.schemaVersion, schemaVersionWanted)
    if version == wanted { return .ok("schema", "version \(version)") }
    return version < wanted
      ? .fail("schema", "version \(version), \(wanted - version) behind", "run `guardctl migrate`")
      : .fail(
        "schema", "version \(version), this guardctl knows \(wanted)",
        "use the guardctl that matches guardd")
  }

  var instances: [HealthCheck] {
    let lags = health.beats.map { (instance: $0.instance, lag: health.now - $0.at) }
    let alive = lags.filter { $0.lag <= Self.beatGap }
    guard let newest = lags.first else {
      return [.fail("guardd", "no instance has ever run here", "start guardd")]
    }
    guard !alive.isEmpty else {
      return [
        .fail(
          "guardd", "no instance is alive; the last heartbeat was \(newest.lag.roughly) ago",
          "start guardd, or look at its log")
      ]
    }
    return alive.map { beat in
      .ok("guardd", "instance \(beat.instance) is alive, heartbeat \(beat.lag.exactly) ago")
    }
      + lags.filter { $0.lag > Self.beatGap && $0.lag <= Self.mentioned }.map { beat in
        .warn(
          "guardd", "instance \(beat.instance) ended or hangs since \(beat.lag.roughly)",
          "nothing, if it was restarted; else look at its log")
      }
  }

  var clock: HealthCheck {
    let size = ahead < .zero ? .zero - ahead : ahead
    let words = "\(size.exactly) \(ahead < .zero ? "behind" : "ahead of") the database"
    let remedy = "synchronise the clocks of this machine and the database (`chronyc tracking`)"
    if size > ClockWatch.bearable { return .fail("clock", words, remedy) }
    return size > ClockWatch.noticeable ? .warn("clock", words, remedy) : .ok("clock", words)
  }

  var disk: HealthCheck {
    let database = "the database has \(health.databaseBytes.bytes)"
    guard let space, space.total > 0 else {
      return .ok("disk", "\(database); free space is not known here")
    }
    let percent = space.free * 100 / space.total
    let words = "\(database); \(Int64(space.free).bytes) free, \(percent) %"
    let remedy = "shorten the retention (`guardctl retention`), or enlarge the disk"
    if percent < 5 { return .fail("disk", words, remedy) }
    return percent < 20 ? .warn("disk", words, remedy) : .ok("disk", words)
  }

  /// Instances make eight weeks ahead, twice a day; a missing week only makes deletion slower.
  var weeks: HealthCheck {
    guard let end = health.weeksUntil else {
      return .warn("partitions", "no weekly partition exists", "start guardd, which makes them")
    }
    let words = "positions have weekly partitions until \(end.text.prefix(10))"
    return end - health.now < .hours(2 * 7 * 24)
      ? .warn("partitions", words, "start guardd, or look for `retention` in its log")
      : .ok("partitions", words)
  }

  var backups: HealthCheck {
    guard let archive = health.archive else {
      return .ok("backups", "the database does not archive its log: see availability.md")
    }
    let last = archive.lastAt.map { "last archived \($0.text(at: health.now))" } ?? "none archived"
    let failedAt = archive.failedAt ?? Instant(milliseconds: .min)
    return failedAt > archive.lastAt ?? Instant(milliseconds: .min)
      ? .fail("backups", "\(last); archiving fails", "look at the database's log")
      : archive.lastAt == nil
        ? .warn("backups", last, "check that `archive_command` is set") : .ok("backups", last)
  }
}

extension Int64 {
  /// `1.5 GiB`, or smaller units.
  fileprivate var bytes: String {
    for (unit, name) in [(Int64(1) << 30, "GiB"), (1 << 20, "MiB")] where self >= unit {
      let tenths = self / (unit / 10)
      return "\(tenths / 10).\(tenths % 10) \(name)"
    }
    return "\(self / 1_024) KiB"
  }
}
