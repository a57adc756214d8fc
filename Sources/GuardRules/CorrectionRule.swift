public import ShiftDomain

/// From when to when somebody worked; without an end while the shift is open.
public struct ShiftSpan: Hashable, Sendable {
  /// When it began.
  public var start: Instant
  /// When it ended; `nil` while it is open.
  public var end: Instant?

  /// A span from `start` to `end`.
  public init(from start: Instant, to end: Instant?) {
    self.start = start
    self.end = end
  }
}

/// Why a shift cannot be given a span. Raw values are append-only.
public enum SpanFault: UInt8, Coded {
  /// The end lies at or before the beginning.
  case endsBeforeStart = 0
  /// It begins or ends after now.
  case inFuture = 1
  /// It is longer than a shift can be; an open one would have ended by itself before now.
  case tooLong = 2
  /// It is that already.
  case unchanged = 3

  /// Its word in JSON.
  public var code: String {
    switch self {
    case .endsBeforeStart: "ends_before_start"
    case .inFuture: "in_future"
    case .tooLong: "too_long"
    case .unchanged: "nothing_changed"
    }
  }
}

/// No shift that a manager sets is longer than this, whatever the policy's longest one.
public let correctedShiftMax = TimeSpan.hours(24)

/// What stands against setting a shift's span; `nil` when nothing does.
/// - Parameters:
///   - old: What it is.
///   - new: What it is to be.
///   - shiftMax: How long it may stay open: one that reached it has ended.
///   - now: The server's present.
public func correctionFault(
  from old: ShiftSpan, to new: ShiftSpan, shiftMax: TimeSpan, now: Instant
) -> SpanFault? {
  old == new ? .unchanged : spanFault(of: new, shiftMax: shiftMax, now: now)
}

/// What stands against a shift of this span; `nil` when nothing does.
/// - Parameters:
///   - span: From when to when.
///   - shiftMax: How long it may stay open: one that reached it has ended.
///   - now: The server's present.
public func spanFault(of span: ShiftSpan, shiftMax: TimeSpan, now: Instant) -> SpanFault? {
  guard let end = span.end else {
    if span.start >= now { return .inFuture }
    return now - span.start >= shiftMax ? .tooLong : nil
  }
  if end <= span.start { return .endsBeforeStart }
  if end > now { return .inFuture }
  return end - span.start > correctedShiftMax ? .tooLong : nil
}
