public import ShiftDomain

/// The span of a shift; without an end while it is open.
public struct ShiftSpan: Hashable, Sendable {
  public var start: Instant
  public var end: Instant?

  public init(from start: Instant, to end: Instant?) {
    self.start = start
    self.end = end
  }
}

/// Why a shift cannot be given a span. Raw values are append-only.
public enum SpanFault: UInt8, Coded {
  /// The end is at or before the start.
  case endsBeforeStart = 0
  /// It starts or ends in the future.
  case inFuture = 1
  /// It exceeds the maximum length; an open shift would have ended automatically before now.
  case tooLong = 2
  case unchanged = 3

  public var code: String {
    switch self {
    case .endsBeforeStart: "ends_before_start"
    case .inFuture: "in_future"
    case .tooLong: "too_long"
    case .unchanged: "nothing_changed"
    }
  }
}

/// The maximum length of a shift set by a manager, whatever the policy says.
public let correctedShiftMax = TimeSpan.hours(24)

/// Why a shift cannot get this span; `nil` if it can. `shiftMax` is for an open shift.
public func correctionFault(
  from old: ShiftSpan, to new: ShiftSpan, shiftMax: TimeSpan, now: Instant
) -> SpanFault? {
  old == new ? .unchanged : spanFault(of: new, shiftMax: shiftMax, now: now)
}

/// Why a shift cannot have this span; `nil` if it can. `shiftMax` is for an open shift.
public func spanFault(of span: ShiftSpan, shiftMax: TimeSpan, now: Instant) -> SpanFault? {
  guard let end = span.end else {
    if span.start >= now { return .inFuture }
    return now - span.start >= shiftMax ? .tooLong : nil
  }
  if end <= span.start { return .endsBeforeStart }
  if end > now { return .inFuture }
  return end - span.start > correctedShiftMax ? .tooLong : nil
}
