import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package struct DurationStatistics: Hashable, Sendable {
  /// Sorted by length.
  package private(set) var spans: [TimeSpan]

  package init(_ spans: [TimeSpan]) { self.spans = spans.sorted() }

  /// The span that `permille` of a thousand do not exceed, by nearest rank; `nil` without spans.
  package func quantile(permille: Int) -> TimeSpan? {
    guard !spans.isEmpty else { return nil }
    let rank = (spans.count * permille + 999) / 1_000
    return spans[min(max(rank, 1), spans.count) - 1]
  }

  /// How many are within each bound and above the previous one; the last count is above all bounds.
  package func counts(within bounds: [TimeSpan]) -> [Int] {
    var counts = [Int](repeating: 0, count: bounds.count + 1)
    for span in spans { counts[bounds.firstIndex { span <= $0 } ?? bounds.count] += 1 }
    return counts
  }

  /// How many of a thousand are within `bound`, rounded down; `nil` without any.
  /// - Parameter missing: The number without a measurement; each is a miss.
  package func permille(within bound: TimeSpan, missing: Int = 0) -> Int? {
    let count = spans.count + missing
    return count == 0 ? nil : spans.filter { $0 <= bound }.count * 1_000 / count
  }
}

/// How fast downgrades of the last day were detected.
package struct DetectionStatistics: Hashable, Sendable {
  package var since: Instant
  package var asOf: Instant
  /// Detections with a measurement.
  package var measured: DurationStatistics
  /// Detections that took longer than promised, and those without a measurement within a minute.
  package var misses: [DetectionRow]

  /// The upper bounds of the histogram's buckets; above the last one, the promise was missed.
  package static let bounds: [TimeSpan] =
    [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000].map { .milliseconds($0) }

  package var histogram: [(within: TimeSpan?, count: Int)] {
    zip(Self.bounds.map(Optional.some) + [nil], measured.counts(within: Self.bounds))
      .map { (within: $0, count: $1) }
  }
}

/// The guard's own statistics, from real events.
package struct GuardStatistics: Hashable, Sendable {
  package var since: Instant
  package var asOf: Instant
  /// Detections, and how many have no measurement.
  package var detection: DurationStatistics, unmeasured: Int
  /// From the moment a phone could not be located to the report after which it could be again.
  package var restoration: DurationStatistics
  /// From the receipt of that report to the next fix, and how many were not followed by a fix in
  /// time.
  package var resumption: DurationStatistics, notResumed: Int
  /// What follows from what apps tell of themselves.
  package var apps: AppMeasures
}

/// The promised maximum for the detection of a downgrade.
package let detectionMax = TimeSpan.seconds(5)
/// The promised maximum from a restoration to the next fix.
package let resumptionMax = TimeSpan.seconds(10)
/// The goal for employees who see the indicator in time, of a thousand.
package let indicatorGoal = 950
/// The goal for employees who grant the permission at the first guided attempt, of a thousand.
package let grantGoal = 800
/// The target for employees to restore a permission that they revoked.
package let restorationMax = TimeSpan.seconds(60)

extension ManagerOperations {
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
