import OperationCore
import ReadModels
import ServiceSettings
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
  /// How old the last backup may be; zero: backups are not examined.
  var backupAgeMax = defaultBackupAgeMax

  /// An instance beats once a second; without a beat for this long it hangs or has ended.
  static let beatGap = TimeSpan.seconds(5)
  /// For this long an instance that has ended is mentioned.
  static let mentioned = TimeSpan.minutes(10)

  var checks: [HealthCheck] {
    // An older schema does not know the rest.
    guard health.schemaVersion >= schemaVersionWanted else { return [schema, clock, disk] }
    // No instance can store a heartbeat then.
    return [schema] + (health.isReadOnly ? [readOnly] : instances) + [clock, disk, weeks, backups]
      + [privacyNotice, contacts]
  }

  var schema: HealthCheck {
    let (version, wanted) = (health.schemaVersion, schemaVersionWanted)
    if version == wanted { return .ok("schema", "version \(version)") }
    return version < wanted
      ? .fail("schema", "version \(version), \(wanted - version) behind", "run `guardctl migrate`")
      : .warn(
        "schema", "version \(version), this guardctl knows \(wanted)",
        "nothing after a downgrade; else use the guardctl that matches guardd")
  }

  var readOnly: HealthCheck {
    .fail(
      "database", "it only reads, so phones are refused",
      "see the runbook, ShiftGuardDatabaseAway: a standby, or default_transaction_read_only")
  }

  var instances: [HealthCheck] {
    let beats = health.beats.map { (beat: $0, lag: health.now - $0.at) }
    let alive = beats.filter { $0.lag <= Self.beatGap && !$0.beat.isStopped }
    guard let newest = beats.first else {
      return [.fail("guardd", "no instance has ever run here", "start guardd")]
    }
    guard !alive.isEmpty else {
      return [
        .fail(
          "guardd",
          newest.beat.isStopped
            ? "no instance is alive; the last was stopped \(newest.lag.roughly) ago"
            : "no instance is alive; the last heartbeat was \(newest.lag.roughly) ago",
          "start guardd, or look at its log")
      ]
    }
    let lost = beats.filter { one in
      !one.beat.isStopped && one.lag > Self.beatGap && one.lag <= Self.mentioned
    }
    return alive.map { beat, lag in
      let version = beat.version.map { " of \($0)" } ?? ""
      return .ok(
        "guardd", "instance \(beat.instance)\(version) is alive, heartbeat \(lag.exactly) ago")
    }
      + lost.map { beat, lag in
        .warn(
          "guardd", "instance \(beat.instance) hangs or was killed \(lag.roughly) ago",
          "nothing, if it runs again; else look at its log")
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

  var privacyNotice: HealthCheck {
    health.hasPrivacyNotice
      ? .ok("privacy", "employees read a privacy notice when they enrol")
      : .warn(
        "privacy", "there is no privacy notice: employees enrol without reading one",
        "`guardctl privacy-notice set FILE`, or Settings › Privacy notice")
  }

  var contacts: HealthCheck {
    let teams = health.teamsWithoutContact
    guard let first = teams.first?.rawValue else {
      return .ok("contacts", "every team with employees has one")
    }
    let numbers = teams.map { "\($0.rawValue)" }.joined(separator: ", ")
    return .warn(
      "contacts",
      teams.count == 1
        ? "team \(first) has none: no manager is notified"
        : "teams \(numbers) have none: no manager is notified",
      "`guardctl team add-contact \(first) ADDRESS`, or Settings › Contacts")
  }

  var backups: HealthCheck {
    guard backupAgeMax > .zero else {
      return .ok("backups", "not examined, as `backup-hours` is 0")
    }
    guard let backup = health.lastBackup else {
      return .warn(
        "backups", "none is recorded",
        """
        `systemctl enable --now shiftguard-backup.timer`, or see availability.md; if others make \
        them, set `backup-hours = 0`
        """)
    }
    let age = health.now - backup.finishedAt
    let words = "the last, by \(backup.method), was finished \(age.roughly) ago"
    return age > backupAgeMax
      ? .fail("backups", words, "look at the log of `shiftguard-backup`, or of your own backups")
      : archive(words)
  }

  /// The log that the server archives between backups, if it does.
  private func archive(_ backup: String) -> HealthCheck {
    guard let archive = health.archive else { return .ok("backups", backup) }
    let last = archive.lastAt.map { "last archived \($0.text(at: health.now))" } ?? "none archived"
    let failedAt = archive.failedAt ?? Instant(milliseconds: .min)
    let words = "\(backup); log: \(last)"
    return failedAt > archive.lastAt ?? Instant(milliseconds: .min)
      ? .fail("backups", "\(words); archiving fails", "look at the database's log")
      : archive.lastAt == nil
        ? .warn("backups", words, "check that `archive_command` is set") : .ok("backups", words)
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
