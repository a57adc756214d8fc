import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The outcome of a change of the retention.
package enum RetentionOutcome: Hashable, RefusableAnswer {
  /// The new settings hold, now or before.
  case kept(Retention)
  /// This is the current value.
  case changedMeanwhile(Retention)

  package func get() throws(Refusal) -> Retention {
    switch self {
    case .kept(let retention): retention
    case .changedMeanwhile(let retention): throw .changed("retention", .retention(retention))
    }
  }
}

extension Retention {
  /// For `If-Match`.
  package var tag: String { contentTag(KeptKind.allCases.map { String(self[$0]) }) }

  /// These settings with other days for some kinds.
  package func changed(to days: [KeptKind: Int32]) throws(OperationError) -> Retention {
    let range = Self.range
    guard days.values.allSatisfy(range.contains) else {
      throw .invalid("days must be whole numbers from \(range.lowerBound) to \(range.upperBound)")
    }
    var changed = self
    for (kind, count) in days where changed[kind] != count { changed[kind] = count }
    guard changed == self || changed.isInOrder else { throw .invalid(Self.order) }
    return changed
  }
}

extension InstallationOperations {
  package func retention() async throws(OperationError) -> Retention {
    try await core.retention()
  }

  /// How many shifts, or audit entries, lose `kind` of data if it is kept for `days` from now on.
  package func outlived(_ kind: KeptKind, days: Int32) async throws(OperationError) -> Int {
    let now = core.now()
    return try await core.readSnapshot { (session) throws(PostgresError) in
      let old = try ShiftStore.retention(on: &session)
      var new = old
      new[kind] = days
      return Int(
        try countOutlived(
          kind, from: old.cutoff(of: kind, now: now), to: new.cutoff(of: kind, now: now),
          on: &session))
    }
  }

  /// Sets the retention of these kinds of data in days; the others stay. Older data is deleted
  /// within a day.
  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  /// - Throws: `.invalid` for days out of range, or when positions would be kept longer than the
  ///   coverage of their shift, or that longer than the shift.
  package func setRetention(
    _ days: [KeptKind: Int32], matching tags: Set<String>? = nil, by principal: Principal
  ) async throws(OperationError) -> RetentionOutcome {
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      try session.execute(holdRetention)
      var retention = try ShiftStore.retention(on: &session)
      if let tags, !tags.contains(retention.tag) { return .done(.changedMeanwhile(retention)) }
      let old = retention
      do throws(OperationError) { retention = try old.changed(to: days) } catch {
        return .refused(error)
      }
      let changed = KeptKind.allCases.filter { retention[$0] != old[$0] }
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
