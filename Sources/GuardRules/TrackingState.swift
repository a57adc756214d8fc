public import ShiftDomain

/// The tracking state of an employee at one instant, as coverage counts it.
public struct TrackingState: Hashable, Sendable {
  public enum Value: UInt8, Coded {
    case tracked = 0
    /// A position is known, but only while the app is in use, or only approximately.
    case atRisk = 1
    case onBreak = 2
    case notTracked = 3
    case offShift = 4

    public var code: String {
      switch self {
      case .tracked: "tracked"
      case .atRisk: "at_risk"
      case .onBreak: "on_break"
      case .notTracked: "not_tracked"
      case .offShift: "off_shift"
      }
    }
  }

  public var value: Value
  /// Why no position is known; `nil` unless the value is `notTracked`.
  public var reason: CoverageReason?
  public var asOf: Instant

  init(_ value: Value, at asOf: Instant) { (self.value, self.asOf) = (value, asOf) }

  init(not reason: CoverageReason, at asOf: Instant) {
    (value, self.reason, self.asOf) = (.notTracked, reason, asOf)
  }

  /// `segments` is the coverage of the open shift, up to after `asOf`; empty off shift.
  public init(in segments: [CoverageSegment], at asOf: Instant) {
    self.asOf = asOf
    let next = segments.partitionIndex { $0.interval.start > asOf }
    guard next > 0, asOf < segments[next - 1].interval.end else {
      value = .offShift
      return
    }
    let segment = segments[next - 1]
    switch segment.reason {
    case .tracked: value = segment.isAtRisk ? .atRisk : .tracked
    case .onBreak: value = .onBreak
    default: (value, reason) = (.notTracked, segment.reason)
    }
  }
}
