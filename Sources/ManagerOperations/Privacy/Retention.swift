import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The outcome of a change of the retention.
package enum RetentionOutcome: Hashable, Sendable {
  /// The new settings hold, now or before.
  case kept(Retention)
  /// It changed since the caller read it; this is the current value.
  case changedMeanwhile(Retention)
}

extension Retention {
  /// For `If-Match`.
  package var tag: String { contentTag(KeptKind.allCases.map { String(self[$0]) }) }
}

extension ManagerOperations {
  package func retention() async throws(OperationError) -> Retention {
    try await core.retention()
  }

  /// Sets the retention of these kinds of data in days; the others stay. Older data is deleted
  /// within a day.
  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  /// - Throws: `.invalid` for days out of range, or when positions would be kept longer than the
  ///   coverage of their shift, or that longer than the shift.
  package func setRetention(
    _ days: [KeptKind: Int32], matching tags: Set<String>? = nil, by principal: Principal
  ) async throws(OperationError) -> RetentionOutcome {
    let range = Retention.range
    guard days.values.allSatisfy(range.contains) else {
      throw .invalid("days must be between \(range.lowerBound) and \(range.upperBound)")
    }
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
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
}
