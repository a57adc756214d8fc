public import ShiftDomain

/// How much of the intended time was tracked, over one shift or many. Totals add up; rates do not.
public struct TrackingTotals: Hashable, Sendable {
  /// Time tracked, at risk or not.
  public private(set) var tracked = TimeSpan.zero
  /// Time outside breaks, outside our own outages, and in which a phone was asked to track.
  public private(set) var accountable = TimeSpan.zero

  public init() {}

  init(tracked: TimeSpan, accountable: TimeSpan) {
    self.tracked = tracked
    self.accountable = accountable
  }

  public mutating func add(_ segments: [CoverageSegment]) {
    for segment in segments {
      switch segment.reason {
      case .onBreak, .serviceUnavailable, .notAsked: break
      case .tracked:
        tracked = tracked + segment.interval.length
        accountable = accountable + segment.interval.length
      default: accountable = accountable + segment.interval.length
      }
    }
  }

  /// Tracked per thousand of accountable time, rounded down, 0…1000; `nil` if no time counts.
  public var permille: Int? {
    guard accountable > .zero else { return nil }
    let thousandfold = tracked.milliseconds.multipliedFullWidth(by: 1_000)
    return Int(accountable.milliseconds.dividingFullWidth(thousandfold).quotient)
  }
}

/// Time by reason, over one shift or many. Totals add up; rates do not.
public struct CoverageDurations: Hashable, Sendable {
  /// By the number of the reason; never negative.
  public private(set) var spans = [TimeSpan](
    repeating: .zero, count: 1 + Int(CoverageReason.allCases.map { $0.rawValue }.max() ?? 0))

  public init() {}

  public init(of segments: [CoverageSegment]) {
    for segment in segments {
      self[segment.reason] = self[segment.reason] + segment.interval.length
    }
  }

  /// From storage: one span per reason, by its number. Reasons added later have none.
  public init(stored: [TimeSpan]) {
    for (place, span) in stored.enumerated() where spans.indices.contains(place) {
      spans[place] = span
    }
  }

  public subscript(reason: CoverageReason) -> TimeSpan {
    get { spans[Int(reason.rawValue)] }
    set { spans[Int(reason.rawValue)] = newValue }
  }

  public mutating func add(_ other: CoverageDurations) {
    for place in spans.indices { spans[place] = spans[place] + other.spans[place] }
  }

  public var total: TimeSpan { spans.reduce(.zero) { $0 + $1 } }

  /// The time of the shifts without their breaks.
  public var worked: TimeSpan { total - self[.onBreak] }

  public var totals: TrackingTotals {
    TrackingTotals(
      tracked: self[.tracked],
      accountable: worked - self[.serviceUnavailable] - self[.notAsked])
  }

  /// Why time was not tracked, longest first, then by number. A break is not a cause.
  public var causes: [CoverageReason] {
    CoverageReason.allCases
      .filter { $0 != .tracked && $0 != .onBreak && self[$0] > .zero }
      .sorted { (self[$1], $0.rawValue) < (self[$0], $1.rawValue) }
  }
}
