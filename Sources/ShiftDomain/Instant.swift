/// Whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds. Any `Int64` is valid;
/// arithmetic saturates, so that a phone's absurd clock cannot trap.
public struct Instant: Hashable, Comparable, Sendable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  public static func + (start: Instant, span: TimeSpan) -> Instant {
    Instant(milliseconds: saturatingSum(start.milliseconds, span.milliseconds))
  }

  public static func - (start: Instant, span: TimeSpan) -> Instant {
    Instant(milliseconds: saturatingDifference(start.milliseconds, span.milliseconds))
  }

  /// The time from `start` to `end`; negative when `end` is earlier.
  public static func - (end: Instant, start: Instant) -> TimeSpan {
    TimeSpan(milliseconds: saturatingDifference(end.milliseconds, start.milliseconds))
  }
}

extension Instant {
  /// The lowest id of what is made at this time: 41 bits of milliseconds since 2025-01-01 UTC,
  /// which last until 2094, then 22 bits that tell apart what is made in one millisecond.
  public var firstID: Int64 {
    let count = saturatingDifference(milliseconds, 1_735_689_600_000)
    return min(max(count, 0), (1 << 41) - 1) << 22
  }
}

/// Whole milliseconds. `Duration` has 128 bits, which the WebAssembly build cannot afford.
public struct TimeSpan: Hashable, Comparable, Sendable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static let zero = TimeSpan(milliseconds: 0)

  public static func milliseconds(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count) }

  /// Saturates, as `minutes` and `hours` do.
  public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(milliseconds: saturatingProduct(count, 1_000))
  }

  public static func minutes(_ count: Int64) -> TimeSpan {
    TimeSpan(milliseconds: saturatingProduct(count, 60_000))
  }

  public static func hours(_ count: Int64) -> TimeSpan {
    TimeSpan(milliseconds: saturatingProduct(count, 3_600_000))
  }

  /// Whole seconds, rounded toward zero.
  public var seconds: Int64 { milliseconds / 1_000 }

  /// Rounded to the nearest minute: 30 s are one. What is shown in minutes is rounded here, once;
  /// sums are made before. For spans that are not negative.
  public var nearestMinutes: Int64 { milliseconds / 60_000 + milliseconds % 60_000 / 30_000 }

  public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    left.milliseconds < right.milliseconds
  }

  public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(milliseconds: saturatingSum(left.milliseconds, right.milliseconds))
  }

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
