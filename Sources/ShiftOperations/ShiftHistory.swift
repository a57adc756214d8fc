public import GuardRules
import Postgres
public import ShiftDomain
import ShiftStore

/// What happened to a shift besides its beginning and end.
public struct ShiftHistory: Hashable, Sendable {
  /// Its span before the first correction; `nil` when it was never corrected. Without an end when
  /// only the start was, or when no end but a manager's was ever known.
  public var original: ShiftSpan?
  /// Its corrections, in order.
  public var corrections: [CorrectionRow]
  /// Who or what ended it; `nil` while open, and for shifts that ended before this was kept.
  public var ending: ShiftEnding?
  /// Whether somebody is to look at it: it ended by itself.
  public var needsReview: Bool
  /// Its breaks, in order; the one that is on ends in the far future.
  public var breaks: [Interval]
  /// Which devices took over from when on, in order.
  public var takeOvers: [TrackingSpan]
  /// The override that it began by; `nil` when it needed none.
  public var leave: OverrideRow?
}

extension Operations {
  /// What happened to a shift.
  /// - Throws: `.notFound`, `.unavailable`, `.broken`.
  public func history(of shift: ShiftID) async throws(OperationError) -> ShiftHistory {
    let found: ShiftHistory? = try await read { (session) throws(PostgresError) in
      guard let record = try ShiftStore.shift(shift, on: &session) else { return nil }
      let (breaks, takeOvers) = try interruptions(of: shift, on: &session)
      return ShiftHistory(
        original: try originalSpan(of: shift, on: &session),
        corrections: try corrections(of: shift, on: &session), ending: record.ending,
        needsReview: record.needsReview, breaks: breaks.intervals, takeOvers: takeOvers,
        leave: try overrideUsed(by: shift, on: &session))
    }
    guard let found else { throw .shiftNotFound(shift) }
    return found
  }
}
