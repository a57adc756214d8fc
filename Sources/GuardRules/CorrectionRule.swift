public import ShiftDomain

/// The span of a shift or of one of its breaks; without an end while it is open.
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
  /// It begins too long ago to be added.
  case tooOld = 4
  /// A break ends at or before its start.
  case breakEndsBeforeStart = 5
  /// A break begins before the shift, or ends after it or in the future.
  case breakOutsideShift = 6
  case breaksOverlap = 7
  /// A break has no end, and is not the one that lasts.
  case breakWithoutEnd = 8
  case tooManyBreaks = 9

  public var code: String {
    switch self {
    case .endsBeforeStart: "ends_before_start"
    case .inFuture: "in_future"
    case .tooLong: "too_long"
    case .unchanged: "nothing_changed"
    case .tooOld: "too_old"
    case .breakEndsBeforeStart: "break_ends_before_start"
    case .breakOutsideShift: "break_outside_shift"
    case .breaksOverlap: "breaks_overlap"
    case .breakWithoutEnd: "break_without_end"
    case .tooManyBreaks: "too_many_breaks"
    }
  }
}

/// The maximum length of a shift set by a manager, whatever the policy says.
public let correctedShiftMax = TimeSpan.hours(24)

/// How long ago a shift may have begun that a manager adds.
public let addedShiftAgeMax = TimeSpan.hours(60 * 24)

/// The maximum number of breaks of a shift set by a manager.
public let correctedBreaksMax = 20

/// The breaks of a shift before and after a correction, in order of time.
public struct CorrectedBreaks: Hashable, Sendable {
  public var old: [ShiftSpan]
  public var new: [ShiftSpan]

  public init(from old: [ShiftSpan], to new: [ShiftSpan]) {
    (self.old, self.new) = (old, new)
  }

  /// What the correction at `instant` took out of breaks. A break that lasted then was no working
  /// time until then.
  public func removed(at instant: Instant) -> IntervalSet {
    IntervalSet(old.map { Interval(from: $0.start, to: $0.end ?? instant) })
      .subtracting(newBreaks)
  }

  /// What the correction put into breaks.
  public var inserted: IntervalSet {
    newBreaks.subtracting(IntervalSet(old.map { $0.closed }))
  }

  private var newBreaks: IntervalSet { IntervalSet(new.map { $0.closed }) }

  /// The new breaks with their numbers: in order up to the highest number that was used before, so
  /// that the next break gets a new one.
  public func numbered(after highest: Int16) -> [ShiftBreak] {
    let top = max(Int(highest), new.count)
    return new.enumerated().map { place, span in
      ShiftBreak(
        number: Int16(clamping: top - new.count + 1 + place), startedAt: span.start,
        endedAt: span.end)
    }
  }
}

extension ShiftSpan {
  /// Without an end, until the far future.
  fileprivate var closed: Interval {
    Interval(from: start, to: end ?? Instant(milliseconds: .max))
  }
}

extension ShiftBreak {
  public var span: ShiftSpan { ShiftSpan(from: startedAt, to: endedAt) }
}

/// Why a shift cannot get this span and these breaks; `nil` if it can.
/// - Parameters:
///   - breaks: `nil`: those that it has, which are clipped.
///   - shiftMax: For an open shift.
public func correctionFault(
  from old: ShiftSpan, to new: ShiftSpan, _ breaks: CorrectedBreaks? = nil, shiftMax: TimeSpan,
  now: Instant
) -> SpanFault? {
  guard old != new || breaks != nil else { return .unchanged }
  // Breaks of an open shift can be corrected for as long as it is open.
  let fault = old == new ? nil : spanFault(of: new, shiftMax: shiftMax, now: now)
  return fault ?? breaks.flatMap { breakFault(of: $0, in: new, now: now) }
}

/// Why a shift cannot be added with this span and these breaks, in order; `nil` if it can.
public func additionFault(of span: ShiftSpan, breaks: [ShiftSpan], now: Instant) -> SpanFault? {
  if let fault = spanFault(of: span, shiftMax: .zero, now: now) { return fault }
  if now - span.start > addedShiftAgeMax { return .tooOld }
  return breakFault(of: CorrectedBreaks(from: [], to: breaks), in: span, now: now)
}

private func breakFault(of breaks: CorrectedBreaks, in shift: ShiftSpan, now: Instant)
  -> SpanFault?
{
  if breaks.new.count > correctedBreaksMax { return .tooManyBreaks }
  // Only the break that lasts may go on.
  let mayLast = shift.end == nil && breaks.old.last.map { $0.end == nil } ?? false
  var earliest = shift.start
  for (place, pause) in breaks.new.enumerated() {
    guard let end = pause.end ?? (mayLast && place == breaks.new.count - 1 ? now : nil) else {
      return .breakWithoutEnd
    }
    if end <= pause.start { return .breakEndsBeforeStart }
    if pause.start < shift.start || end > shift.end ?? now { return .breakOutsideShift }
    if pause.start < earliest { return .breaksOverlap }
    earliest = end
  }
  return nil
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
