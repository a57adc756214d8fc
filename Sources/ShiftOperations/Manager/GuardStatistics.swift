import Lifecycle
import Postgres
public import ShiftDomain
public import ShiftStore

/// An incident that a report opened or worsened.
public typealias DetectionRow = ShiftStore.DetectionRow

/// Detection samples of this instance that are not stored yet. Lost with the process: then they
/// have no measurement and count as missed.
final class DetectionSamples: Sendable {
  typealias Sample = (report: ReportID, employee: EmployeeID, elapsed: TimeSpan)

  private static let sizeMax = 10_000
  private let samples = Lock<[Sample]>([])

  func note(_ report: ReportID, of employee: EmployeeID, took span: Duration) {
    let elapsed = TimeSpan.milliseconds(Int64(span / .milliseconds(1)))
    samples.withLock { if $0.count < Self.sizeMax { $0.append((report, employee, elapsed)) } }
  }

  func take() -> [Sample] {
    samples.withLock { samples in
      defer { samples = [] }
      return samples
    }
  }

  func putBack(_ taken: [Sample]) {
    samples.withLock { $0 = Array((taken + $0).prefix(Self.sizeMax)) }
  }
}

/// Measured spans of time.
public struct DurationStatistics: Hashable, Sendable {
  /// Sorted by length.
  public private(set) var spans: [TimeSpan]

  /// These spans, in any order.
  public init(_ spans: [TimeSpan]) { self.spans = spans.sorted() }

  /// The span that `permille` of a thousand do not exceed, by nearest rank; `nil` without spans.
  public func quantile(permille: Int) -> TimeSpan? {
    guard !spans.isEmpty else { return nil }
    let rank = (spans.count * permille + 999) / 1_000
    return spans[min(max(rank, 1), spans.count) - 1]
  }

  /// How many are within each bound and above the previous one; the last count is above all bounds.
  public func counts(within bounds: [TimeSpan]) -> [Int] {
    var counts = [Int](repeating: 0, count: bounds.count + 1)
    for span in spans { counts[bounds.firstIndex { span <= $0 } ?? bounds.count] += 1 }
    return counts
  }

  /// How many of a thousand are within `bound`, rounded down; `nil` without any.
  /// - Parameter missing: The number without a measurement; each is a miss.
  public func permille(within bound: TimeSpan, missing: Int = 0) -> Int? {
    let count = spans.count + missing
    return count == 0 ? nil : spans.filter { $0 <= bound }.count * 1_000 / count
  }
}

/// How fast downgrades of the last day were detected.
public struct DetectionStatistics: Hashable, Sendable {
  /// The start of the period.
  public var since: Instant
  /// When this was computed.
  public var asOf: Instant
  /// Detections with a measurement.
  public var measured: DurationStatistics
  /// Detections that took longer than promised, and those without a measurement within a minute.
  public var misses: [DetectionRow]

  /// The upper bounds of the histogram's buckets; above the last one, the promise was missed.
  public static let bounds: [TimeSpan] =
    [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000].map { .milliseconds($0) }

  /// The count of each bucket.
  public var histogram: [(within: TimeSpan?, count: Int)] {
    zip(Self.bounds.map(Optional.some) + [nil], measured.counts(within: Self.bounds))
      .map { (within: $0, count: $1) }
  }
}

/// The guard's own statistics, from real events.
public struct GuardStatistics: Hashable, Sendable {
  /// The start of the period.
  public var since: Instant
  /// When this was computed.
  public var asOf: Instant
  /// Detections, and how many have no measurement.
  public var detection: DurationStatistics, unmeasured: Int
  /// From the moment a phone could not be located to the report after which it could be again.
  public var restoration: DurationStatistics
  /// From the receipt of that report to the next fix, and how many were not followed by a fix in
  /// time.
  public var resumption: DurationStatistics, notResumed: Int
}

/// The promised maximum for the detection of a downgrade.
public let detectionMax = TimeSpan.seconds(5)
/// The promised maximum from a restoration to the next fix.
public let resumptionMax = TimeSpan.seconds(10)
/// The target for employees to restore a permission that they revoked.
public let restorationMax = TimeSpan.seconds(60)

extension Operations {
  /// More than a company of ten thousand has in a month.
  private static let rowsMax: Int32 = 100_000

  /// Stores how long detections took. Each instance stores its own.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.broken`; what could not be written is kept.
  public func storeDetections() async throws(OperationError) {
    let samples = detectionSamples.take()
    guard !samples.isEmpty else { return }
    let statements = samples.sorted {
      ($0.employee.rawValue, $0.report.rawValue) < ($1.employee.rawValue, $1.report.rawValue)
    }.map { measured($0.report, of: $0.employee, elapsed: $0.elapsed) }
    do throws(OperationError) {
      _ = try await transact { (session) throws(PostgresError) in
        .done(try session.pipeline(statements))
      }
    } catch {
      detectionSamples.putBack(samples)
      throw error
    }
  }

  /// How fast downgrades of the last day were detected, for employees whose coverage `principal`
  /// may see.
  /// - Throws: `.unavailable`, `.broken`.
  public func detectionStatistics(for principal: Principal) async throws(OperationError)
    -> DetectionStatistics
  {
    let asOf = now()
    let since = asOf - .hours(24)
    let scope = principal.scope(.coverage)
    let rows = try await read { (session) throws(PostgresError) in
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

  /// The guard's statistics of the last 30 days, for employees whose coverage `principal`
  /// may see.
  /// - Throws: `.unavailable`, `.broken`.
  public func guardStatistics(for principal: Principal) async throws(OperationError)
    -> GuardStatistics
  {
    let asOf = now()
    let since = asOf - .hours(30 * 24)
    let scope = principal.scope(.coverage)
    let (detected, restored) = try await read { (session) throws(PostgresError) in
      (
        try ShiftStore.detections(in: scope, since: since, limit: Self.rowsMax, on: &session),
        try restorations(in: scope, since: since, limit: Self.rowsMax, on: &session)
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
      }.count)
  }
}
