import Postgres
import ShiftDomain
public import ShiftStore

/// How long each kind of data is kept.
public typealias Retention = ShiftStore.Retention

/// A kind of data that is kept for so long.
public typealias KeptKind = ShiftStore.KeptKind

/// What became of the wish to keep things for so long.
public enum RetentionOutcome: Hashable, Sendable {
  /// It holds, or held already.
  case kept(Retention)
  /// It is no longer as the caller read it, but so.
  case changedMeanwhile(Retention)
}

extension Retention {
  /// Tells this from any other: what `If-Match` compares.
  public var tag: String { contentTag(KeptKind.allCases.map { String(self[$0]) }) }
}

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

  /// Keeps these kinds of data for so many days, the others as before. What is older goes within a
  /// day.
  /// - Parameter tags: What the caller read, one of them; `nil`: whatever it is now.
  /// - Throws: `.invalid` for days out of range, or when positions would be kept longer than the
  ///   coverage of their shift, or that longer than the shift; `.unavailable`, `.outcomeUnknown`,
  ///   `.broken`.
  public func setRetention(
    _ days: [KeptKind: Int32], matching tags: Set<String>? = nil, by viewer: Viewer
  ) async throws(OperationError) -> RetentionOutcome {
    let range = Retention.range
    guard days.values.allSatisfy(range.contains) else {
      throw .invalid("days must be from \(range.lowerBound) to \(range.upperBound)")
    }
    let at = now()
    return try await transact { (session) throws(PostgresError) in
      try session.execute(holdRetention)
      var retention = try ShiftStore.retention(on: &session)
      if let tags, !tags.contains(retention.tag) { return .done(.changedMeanwhile(retention)) }
      let changed = KeptKind.allCases.filter { days[$0] != nil && days[$0] != retention[$0] }
      for kind in changed { retention[kind] = days[kind] ?? retention[kind] }
      guard changed.isEmpty || retention.isInOrder else {
        return .refused(
          .invalid("fixes are kept no longer than coverage, and coverage no longer than shifts"))
      }
      for kind in changed {
        try session.execute(ShiftStore.keep(kind, days: retention[kind]))
        try audit(
          .retentionChanged, by: viewer, at: at, reason: "\(kind.code): \(retention[kind]) days",
          on: &session)
      }
      return .done(.kept(retention))
    }
  }

  /// Forgets what has been kept for long enough, besides pings and messages. Any number of
  /// instances may do it at once.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.broken`; what was done until then is done.
  public func forget() async throws(OperationError) -> Forgetting {
    try clock.check()
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
