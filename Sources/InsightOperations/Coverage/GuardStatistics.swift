import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension InsightOperations {
  /// More than a company of ten thousand has in a month.
  private static let rowsMax: Int32 = 100_000

  /// For employees whose coverage `principal` may see, of the last day.
  package func detectionStatistics(for principal: Principal) async throws(OperationError)
    -> DetectionStatistics
  {
    let asOf = core.now()
    let since = asOf - .hours(24)
    let scope = principal.scope(.coverage)
    let rows = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.detections(in: scope, since: since, limit: Self.rowsMax, on: &session)
    }
    // A detection of the last minute may not be stored yet.
    let due = asOf - .minutes(1)
    return DetectionStatistics(
      since: since, asOf: asOf, measured: DurationStatistics(rows.compactMap(\.elapsed)),
      misses: rows.filter { row in
        row.elapsed.map { $0 > detectionMax } ?? (row.receivedAt < due)
      })
  }

  /// For employees whose coverage `principal` may see, of the last 30 days.
  package func guardStatistics(for principal: Principal) async throws(OperationError)
    -> GuardStatistics
  {
    let asOf = core.now()
    let since = asOf - .hours(30 * 24)
    let scope = principal.scope(.coverage)
    let (detected, restored, apps) = try await core.readSnapshot {
      (session) throws(PostgresError) in
      (
        try ShiftStore.detections(in: scope, since: since, limit: Self.rowsMax, on: &session),
        try restorations(in: scope, since: since, limit: Self.rowsMax, on: &session),
        try appMeasures(in: scope, from: since, to: asOf, on: &session)
      )
    }
    let due = asOf - .minutes(1)
    let owed = restored.filter { !$0.isLeftOut }
    return GuardStatistics(
      since: since, asOf: asOf, detection: DurationStatistics(detected.compactMap(\.elapsed)),
      unmeasured: detected.filter { $0.elapsed == nil && $0.receivedAt < due }.count,
      restoration: DurationStatistics(restored.map(\.lasted)),
      resumption: DurationStatistics(owed.compactMap(\.fixAfter)),
      notResumed: owed.filter {
        $0.fixAfter == nil && $0.receivedAt + resumptionMax < asOf
      }.count, apps: apps)
  }
}
