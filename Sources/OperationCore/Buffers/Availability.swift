import GuardRules
import Lifecycle
import ShiftDomain

/// When this instance could answer phones, since its last stored heartbeat. A late heartbeat alone
/// says nothing about that: while reports for managers use all threads, phones are answered, and
/// only the heartbeat waits.
///
/// It could not answer while it did not run, and from its last success to the next if a request or
/// a heartbeat failed in between. A success is a stored ping, or a heartbeat: other requests may be
/// answered although no ping can be stored, some of them even by a database that only reads.
/// Times shorter than `gapMax` do not count: a request waits as long for its COMMIT before it is
/// refused.
package final class Availability: Sendable {
  package static let gapMax = TimeSpan.seconds(5)

  private struct Record {
    /// What is known begins here: the first success, and then the last stored heartbeat.
    var since: Instant?
    /// When a ping was last stored, or a heartbeat.
    var succeededAt: Instant?
    var pingStoredAt: Instant?
    /// When a request or a heartbeat last failed after that.
    var failedAt: Instant?
    var ranAt: Instant?
    var downtimes: [Interval] = []

    mutating func succeed(at now: Instant) {
      if failedAt != nil, let succeededAt, now - succeededAt > Availability.gapMax {
        downtimes.append(Interval(from: succeededAt, to: now))
      }
      (succeededAt, failedAt) = (now, nil)
    }
  }

  private let now: @Sendable () -> Instant
  private let record = Lock(Record())

  /// - Parameter now: A clock that is never set; only differences of its times count.
  package init(now: @escaping @Sendable () -> Instant) { self.now = now }

  package convenience init() {
    let start = ContinuousClock.now
    self.init { Instant(milliseconds: Int64((ContinuousClock.now - start) / .milliseconds(1))) }
  }

  /// Notes that this process runs. To be called often, from a thread of its own.
  package func noteRunning() { note { _, _ in } }

  /// Notes that pings of a phone were stored.
  package func noteSuccess() {
    note { record, now in
      record.succeed(at: now)
      record.pingStoredAt = now
    }
  }

  /// Notes that a request was refused, perhaps a phone's, or that a heartbeat failed.
  package func noteFailure() {
    note { record, now in record.failedAt = now }
  }

  /// Whether something failed, and no success since shows that phones can be answered; or whether
  /// no ping was stored for so long that phones may be refused elsewhere without our notice.
  package var isInDoubt: Bool {
    let now = now()
    return record.withLock { record in
      record.failedAt != nil || record.pingStoredAt.map { now - $0 >= Self.gapMax } ?? true
    }
  }

  /// What this instance can say about itself in a heartbeat that is dated `present` by the
  /// database's clock, if that heartbeat can be stored.
  package func account(at present: Instant) -> Account {
    note { record, now in
      guard let since = record.since else { return Account(until: now) }
      var known = record
      known.succeed(at: now)
      let ahead = now - present
      let up = IntervalSet(from: since, to: now).subtracting(IntervalSet(known.downtimes))
      return Account(
        since: since - ahead,
        up: IntervalSet(up.intervals.map { Interval(from: $0.start - ahead, to: $0.end - ahead) }),
        until: now)
    }
  }

  /// Notes that the heartbeat with this account was stored.
  package func noteHeartbeat(with account: Account) {
    note { record, now in
      // What failed meanwhile is still in doubt.
      let failedAt = record.failedAt.flatMap { $0 > account.until ? $0 : nil }
      record.succeed(at: now)
      record.failedAt = failedAt
      record.since = account.until
      record.downtimes.removeAll { $0.end <= account.until }
    }
  }

  private func note<Answer: Sendable>(_ change: (inout Record, Instant) -> Answer) -> Answer {
    record.withLock { record in
      let now = now()
      if let ranAt = record.ranAt, now - ranAt > Self.gapMax {
        record.downtimes.append(Interval(from: ranAt, to: now))
      }
      record.ranAt = now
      return change(&record, now)
    }
  }
}

extension Availability {
  /// When an instance could answer phones, by the database's clock.
  package struct Account: Sendable {
    /// Its last stored heartbeat; `nil` before the first.
    package var since: Instant?
    package var up = IntervalSet()
    /// The end, by the instance's own clock.
    fileprivate var until: Instant

    /// What is left of `spans`, times in which no other instance is known to have been available:
    /// the outages.
    package func outages(in spans: IntervalSet) -> [Interval] {
      spans.subtracting(up).intervals.filter { $0.length > Availability.gapMax }
    }
  }
}
