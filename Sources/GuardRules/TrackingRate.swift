public import ShiftDomain

/// How much of the intended time was tracked, over one shift or many. Sums add; rates never do.
public struct TrackingTotals: Hashable, Sendable {
  /// Time tracked, at risk or not.
  public private(set) var tracked = TimeSpan.zero
  /// Time outside breaks and outside our own outages.
  public private(set) var accountable = TimeSpan.zero

  /// Nothing yet.
  public init() {}

  /// Adds one shift's segments.
  public mutating func add(_ segments: [CoverageSegment]) {
    for segment in segments {
      switch segment.reason {
      case .onBreak, .serviceUnavailable: break
      case .tracked:
        tracked = tracked + segment.interval.length
        accountable = accountable + segment.interval.length
      default: accountable = accountable + segment.interval.length
      }
    }
  }

  /// Tracked per thousand of accountable time, rounded down, 0…1000; `nil` with nothing intended.
  public var permille: Int? {
    guard accountable > .zero else { return nil }
    let thousandfold = tracked.milliseconds.multipliedFullWidth(by: 1_000)
    return Int(accountable.milliseconds.dividingFullWidth(thousandfold).quotient)
  }
}
