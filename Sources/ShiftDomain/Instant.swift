/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Any `Int64` is a valid instant; arithmetic saturates, so that a phone's absurd clock cannot
/// trap.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
  public var milliseconds: Int64

  /// The instant this many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whether `left` is earlier than `right`.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The instant `span` later.
  public static func + (start: Instant, span: TimeSpan) -> Instant {
    Instant(milliseconds: saturatingSum(start.milliseconds, span.milliseconds))
  }

  /// The instant `span` earlier.
  public static func - (start: Instant, span: TimeSpan) -> Instant {
    Instant(milliseconds: saturatingDifference(start.milliseconds, span.milliseconds))
  }

  /// The time from `start` to `end`; negative when `end` is earlier.
  public static func - (end: Instant, start: Instant) -> TimeSpan {
    TimeSpan(milliseconds: saturatingDifference(end.milliseconds, start.milliseconds))
  }
}

/// A length of time in whole milliseconds. Swift's `Duration` counts in 128 bits, which the
/// WebAssembly build of the rules cannot afford.
public struct TimeSpan: Hashable, Comparable, Sendable {
  /// Milliseconds; negative when the end lies before the start.
  public var milliseconds: Int64

  /// A span of this many milliseconds.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// An empty span.
  public static let zero = TimeSpan(milliseconds: 0)

  /// A span of `count` milliseconds.
  public static func milliseconds(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count) }

  /// A span of `count` seconds; saturates.
  public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(milliseconds: saturatingProduct(count, 1_000))
  }

  /// A span of `count` minutes; saturates.
  public static func minutes(_ count: Int64) -> TimeSpan {
    TimeSpan(milliseconds: saturatingProduct(count, 60_000))
  }

  /// A span of `count` hours; saturates.
  public static func hours(_ count: Int64) -> TimeSpan {
    TimeSpan(milliseconds: saturatingProduct(count, 3_600_000))
  }

  /// Whole seconds, rounded toward zero.
  public var seconds: Int64 { milliseconds / 1_000 }

  /// Whether `left` is shorter than `right`.
  public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The sum of both spans.
  public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(milliseconds: saturatingSum(left.milliseconds, right.milliseconds))
  }

  /// The difference of both spans.
  public static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(milliseconds: saturatingDifference(left.milliseconds, right.milliseconds))
  }
}

private func saturatingSum(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, overflow) = left.addingReportingOverflow(right)
  return overflow ? (right < 0 ? .min : .max) : sum
}

private func saturatingDifference(_ left: Int64, _ right: Int64) -> Int64 {
  let (difference, overflow) = left.subtractingReportingOverflow(right)
  return overflow ? (right < 0 ? .max : .min) : difference
}

private func saturatingProduct(_ count: Int64, _ unit: Int64) -> Int64 {
  let (product, overflow) = count.multipliedReportingOverflow(by: unit)
  return overflow ? (count < 0 ? .min : .max) : product
}
