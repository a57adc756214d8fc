import Postgres
import ShiftDomain
public import ShiftStore

/// How long each kind of data is kept.
public typealias Retention = ShiftStore.Retention

/// A kind of data with its own retention.
public typealias KeptKind = ShiftStore.KeptKind

/// The outcome of a change of the retention.
public enum RetentionOutcome: Hashable, Sendable {
  /// The new settings hold, now or before.
  case kept(Retention)
  /// It changed since the caller read it; this is the current value.
  case changedMeanwhile(Retention)
}

extension Retention {
  /// Identifies these settings, for `If-Match`.
  public var tag: String { contentTag(KeptKind.allCases.map { String(self[$0]) }) }
}

/// The result of deleting old data.
public struct DeletedData: Hashable, Sendable {
  /// Shifts of which only the times are left.
  public var shifts = 0
  /// Deleted rows without a shift, shift times and audit entries.
  public var rows = 0

  /// Whether anything was deleted.
  public var isSomething: Bool { shifts + rows > 0 }
}

extension Operations {
  /// The retention settings.
  /// - Throws: `.unavailable`, `.broken`.
  public func retention() async throws(OperationError) -> Retention {
    try await read { (session) throws(PostgresError) in
      try ShiftStore.retention(on: &session)
    }
  }

  /// Sets the retention of these kinds of data in days; the others stay. Older data is deleted
  /// within a day.
  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  /// - Throws: `.invalid` for days out of range, or when positions would be kept longer than the
  ///   coverage of their shift, or that longer than the shift; `.unavailable`, `.outcomeUnknown`,
  ///   `.broken`.
  public func setRetention(
    _ days: [KeptKind: Int32], matching tags: Set<String>? = nil, by principal: Principal
  ) async throws(OperationError) -> RetentionOutcome {
    let range = Retention.range
    guard days.values.allSatisfy(range.contains) else {
      throw .invalid("days must be between \(range.lowerBound) and \(range.upperBound)")
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
          .invalid("keep fixes no longer than coverage, and coverage no longer than shifts"))
      }
      for kind in changed {
        try session.execute(ShiftStore.keep(kind, days: retention[kind]))
        try audit(
          .retentionChanged, by: principal, at: at, reason: "\(kind.code): \(retention[kind]) days",
          on: &session)
      }
      return .done(.kept(retention))
    }
  }

  /// Deletes data older than its retention, except pings and notifications. Any number of instances
  /// may do this at once.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.broken`; what was done until then is done.
  public func deleteOldData() async throws(OperationError) -> DeletedData {
    try clock.check()
    let (present, retention) = (now(), try await retention())
    var deleted = DeletedData()
    let coverage = retention.cutoff(of: .coverage, now: present)
    while true {
      let count = try await deleteShifts(before: coverage)
      deleted.shifts += count
      if count < Self.deletionBatchSize { break }
    }
    deleted.rows = try await transact(within: .seconds(300)) { (session) throws(PostgresError) in
      .done(
        try session.pipeline(
          deleteDataOutsideShifts(before: coverage) + [
            deletePastShifts(before: retention.cutoff(of: .shifts, now: present)),
            deletePlannedShifts(before: retention.cutoff(of: .shifts, now: present)),
            deleteAuditEntries(before: retention.cutoff(of: .auditLog, now: present)),
          ]
        ).reduce(0, +))
    }
    return deleted
  }

  private static let deletionBatchSize = 2_000

  private func deleteShifts(before cutoff: Instant) async throws(OperationError) -> Int {
    try await transact(within: .seconds(300)) { (session) throws(PostgresError) in
      let old = try shiftsToDelete(
        before: cutoff, limit: Int32(Self.deletionBatchSize), on: &session)
      if !old.isEmpty { try session.pipeline(deleteCoverage(of: old)) }
      return .done(old.count)
    }
  }
}
