import Lifecycle
import Postgres
public import ShiftDomain
public import ShiftStore

/// An incident that a report opened or worsened.
public typealias DetectionRow = ShiftStore.DetectionRow

/// What this instance has measured of detections, and not yet written down. Lost with the process:
/// then nobody measured them, and they count as missed.
final class DetectionBook: Sendable {
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

/// Spans of time, measured.
public struct SpanFigures: Hashable, Sendable {
  /// In order of length.
  public private(set) var spans: [TimeSpan]

  /// These spans, in any order.
  public init(_ spans: [TimeSpan]) { self.spans = spans.sorted() }

  /// The span that `permille` of a thousand do not exceed, by nearest rank; `nil` with none.
  public func quantile(permille: Int) -> TimeSpan? {
    guard !spans.isEmpty else { return nil }
    let rank = (spans.count * permille + 999) / 1_000
    return spans[min(max(rank, 1), spans.count) - 1]
  }

  /// How many lie within each bound and above the one before; behind the last, how many lie above.
  public func counts(within bounds: [TimeSpan]) -> [Int] {
    var counts = [Int](repeating: 0, count: bounds.count + 1)
    for span in spans { counts[bounds.firstIndex { span <= $0 } ?? bounds.count] += 1 }
    return counts
  }

  /// How many of a thousand lie within `bound`, rounded down; `nil` with none.
  /// - Parameter missing: How many were not measured: each is a miss.
  public func permille(within bound: TimeSpan, missing: Int = 0) -> Int? {
    let count = spans.count + missing
    return count == 0 ? nil : spans.filter { $0 <= bound }.count * 1_000 / count
  }
}

/// How fast downgrades of the last day were detected.
public struct DetectionFigures: Hashable, Sendable {
  /// From here on.
  public var since: Instant
  /// When this was computed.
  public var asOf: Instant
  /// Those that were measured.
  public var measured: SpanFigures
  /// Those that took longer than promised, and those that nobody measured within a minute.
  public var misses: [DetectionRow]

  /// Where the columns of their histogram end; what is above the last one missed the promise.
  public static let bounds: [TimeSpan] =
    [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000].map { .milliseconds($0) }

  /// How many lie in each column.
  public var histogram: [(within: TimeSpan?, count: Int)] {
    zip(Self.bounds.map(Optional.some) + [nil], measured.counts(within: Self.bounds))
      .map { (within: $0, count: $1) }
  }
}

/// What the guard knows of its own work, from real events.
public struct GuardFigures: Hashable, Sendable {
  /// From here on.
  public var since: Instant
  /// When this was computed.
  public var asOf: Instant
  /// Detections, and how many of them nobody measured.
  public var detection: SpanFigures, unmeasured: Int
  /// From the moment a phone could not be located to the report after which it could again.
  public var restoration: SpanFigures
  /// From the receipt of that report to the next fix, and how many no fix followed in time.
  public var resumption: SpanFigures, notResumed: Int
}

/// How fast a downgrade is detected, by promise.
public let detectionMax = TimeSpan.seconds(5)
/// How soon after a restoration the next fix comes, by promise.
public let resumptionMax = TimeSpan.seconds(10)
/// How soon somebody who refused permission has restored it, as is hoped for.
public let restorationMax = TimeSpan.seconds(60)

extension Operations {
  /// More than a company of ten thousand has in a month.
  private static let figuresMax: Int32 = 100_000

  /// Writes down how long detections took. Any instance knows its own.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.broken`; what could not be written is kept.
  public func storeDetections() async throws(OperationError) {
    let samples = detections.take()
    guard !samples.isEmpty else { return }
    let statements = samples.sorted {
      ($0.employee.rawValue, $0.report.rawValue) < ($1.employee.rawValue, $1.report.rawValue)
    }.map { measured($0.report, of: $0.employee, elapsed: $0.elapsed) }
    do throws(OperationError) {
      _ = try await transact { (session) throws(PostgresError) in
        .done(try session.pipeline(statements))
      }
    } catch {
      detections.putBack(samples)
      throw error
    }
  }

  /// How fast downgrades of the last day were detected, among the people whose coverage `viewer`
  /// may see.
  /// - Throws: `.unavailable`, `.broken`.
  public func detectionFigures(for viewer: Viewer) async throws(OperationError) -> DetectionFigures
  {
    let asOf = now()
    let since = asOf - .hours(24)
    let scope = viewer.scope(.coverage)
    let rows = try await read { (session) throws(PostgresError) in
      try ShiftStore.detections(in: scope, since: since, limit: Self.figuresMax, on: &session)
    }
    // One of this minute may yet be written down.
    let due = asOf - .minutes(1)
    return DetectionFigures(
      since: since, asOf: asOf, measured: SpanFigures(rows.compactMap(\.elapsed)),
      misses: rows.filter { row in
        row.elapsed.map { $0 > detectionMax } ?? (row.receivedAt < due)
      })
  }

  /// What the guard knows of its own work in the last 30 days, among the people whose coverage
  /// `viewer` may see.
  /// - Throws: `.unavailable`, `.broken`.
  public func guardFigures(for viewer: Viewer) async throws(OperationError) -> GuardFigures {
    let asOf = now()
    let since = asOf - .hours(30 * 24)
    let scope = viewer.scope(.coverage)
    let (detected, restored) = try await read { (session) throws(PostgresError) in
      (
        try ShiftStore.detections(in: scope, since: since, limit: Self.figuresMax, on: &session),
        try restorations(in: scope, since: since, limit: Self.figuresMax, on: &session)
      )
    }
    let due = asOf - .minutes(1)
    let owed = restored.filter { !$0.isLeftOut }
    return GuardFigures(
      since: since, asOf: asOf, detection: SpanFigures(detected.compactMap(\.elapsed)),
      unmeasured: detected.filter { $0.elapsed == nil && $0.receivedAt < due }.count,
      restoration: SpanFigures(restored.map(\.lasted)),
      resumption: SpanFigures(owed.compactMap(\.fixAfter)),
      notResumed: owed.filter {
        $0.fixAfter == nil && $0.receivedAt + resumptionMax < asOf
      }.count)
  }
}
