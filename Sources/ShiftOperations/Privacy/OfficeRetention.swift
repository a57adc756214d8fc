import Postgres
import ShiftDomain
public import ShiftStore

/// How long each kind of data is kept.
public typealias Retention = ShiftStore.Retention

/// A kind of data that is kept for so long.
public typealias KeptKind = ShiftStore.KeptKind

/// What was forgotten.
public struct Forgetting: Hashable, Sendable {
  /// Shifts of which only the times are left.
  public var shifts = 0
  /// Rows that belonged to no shift, shifts' times and entries of the log.
  public var rows = 0

  /// Whether there was anything to do.
  public var isSomething: Bool { shifts + rows > 0 }
}

extension Operations {
  /// How long things are kept.
  /// - Throws: `.unavailable`, `.broken`.
  public func retention() async throws(OperationError) -> Retention {
    try await read { (session) throws(PostgresError) in
      try ShiftStore.retention(on: &session)
    }
  }

  /// Keeps a kind of data for so many days. What is older goes within a day.
  /// - Throws: `.invalid` for days out of range, or when positions would be kept longer than the
  ///   coverage of their shift, or that longer than the shift; `.unavailable`, `.outcomeUnknown`,
  ///   `.broken`.
  public func setRetention(_ kind: KeptKind, days: Int32, by viewer: Viewer)
    async throws(OperationError) -> Retention
  {
    let range = Retention.range
    guard range.contains(days) else {
      throw .invalid("days must be from \(range.lowerBound) to \(range.upperBound)")
    }
    let at = now()
    return try await transact { (session) throws(PostgresError) in
      var retention = try ShiftStore.retention(on: &session)
      guard retention[kind] != days else { return .done(retention) }
      retention[kind] = days
      guard retention[.fixes] <= retention[.coverage], retention[.coverage] <= retention[.shifts]
      else {
        return .refused(
          .invalid("fixes are kept no longer than coverage, and coverage no longer than shifts"))
      }
      try session.execute(ShiftStore.keep(kind, days: days))
      try audit(
        .retentionChanged, by: viewer, at: at, reason: "\(kind.code): \(days) days", on: &session)
      return .done(retention)
    }
  }

  /// Forgets what has been kept for long enough, besides pings and messages. Any number of
  /// instances may do it at once.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.broken`; what was done until then is done.
  public func forget() async throws(OperationError) -> Forgetting {
    let (present, retention) = (now(), try await retention())
    var forgotten = Forgetting()
    let coverage = retention.cutoff(of: .coverage, now: present)
    while true {
      let count = try await forgetShifts(before: coverage)
      forgotten.shifts += count
      if count < Self.forgottenAtOnce { break }
    }
    forgotten.rows = try await transact(within: .seconds(300)) { (session) throws(PostgresError) in
      .done(
        try session.pipeline(
          forgetAround(before: coverage) + [
            forgetPastShifts(before: retention.cutoff(of: .shifts, now: present)),
            forgetPlans(before: retention.cutoff(of: .shifts, now: present)),
            forgetLog(before: retention.cutoff(of: .log, now: present)),
          ]
        ).reduce(0, +))
    }
    return forgotten
  }

  private static let forgottenAtOnce = 2_000

  private func forgetShifts(before cutoff: Instant) async throws(OperationError) -> Int {
    try await transact(within: .seconds(300)) { (session) throws(PostgresError) in
      let old = try shiftsToForget(
        before: cutoff, limit: Int32(Self.forgottenAtOnce), on: &session)
      if !old.isEmpty { try session.pipeline(forgetCoverage(of: old)) }
      return .done(old.count)
    }
  }
}
