import GuardRules
import Postgres
import ShiftDomain
import ShiftStore

/// The events of a shift besides its start and end.
package struct ShiftHistory: Hashable, Sendable {
  /// Its span before the first correction; `nil` without corrections. Without an end if only the
  /// start was corrected, or if only a manager's end was ever known.
  package var original: ShiftSpan?
  /// Its corrections, in order.
  package var corrections: [CorrectionRow]
  /// Who or what ended it; `nil` while open, and for shifts that ended before this was stored.
  package var ending: ShiftEnding?
  /// Whether it needs review, because it ended automatically.
  package var needsReview: Bool
  /// Its breaks, in order; a current break ends in the far future.
  package var breaks: [Interval]
  /// The take-overs with their devices, in order.
  package var takeOvers: [TrackingSpan]
  /// The override that it began under; `nil` if it needed none.
  package var override: OverrideRow?
  /// Its incidents, in the order in which they began.
  package var incidents: [IncidentRow]
  /// The employee's notes, in the order written.
  package var notes: [ShiftNote]
}

/// A shift in full, without positions. The employee and their managers read the same.
package struct ShiftDetails: Hashable, Sendable {
  /// The shift.
  package var row: ShiftRow
  /// How much of it was tracked, and why the rest was not.
  package var coverage: ShiftCoverage
  /// The tracking state now, if this shift is open.
  package var trackingState: TrackingState
  /// Its events.
  package var history: ShiftHistory
}

extension OperationCore {
  /// A shift in full.
  /// - Throws: `.notFound`, `.unavailable`, `.broken`.
  package func shiftDetails(of shift: ShiftID) async throws(OperationError) -> ShiftDetails {
    let asOf = now()
    let found: ShiftDetails? = try await read { (session) throws(PostgresError) in
      var reading = HistoryReading(of: shift)
      try session.run(&reading)
      guard let record = reading.shift.record else { return nil }
      let around = reading.shift.surroundings
      let pings = try pings(of: record, around, on: &session)
      return ShiftDetails(
        row: ShiftRow(record),
        coverage: ShiftCoverage(of: record, around, pings: pings, asOf: asOf),
        trackingState: record.endedAt == nil
          ? TrackingPresent(record, around, pings: pings ?? [], at: asOf).state
          : TrackingState(in: [], at: asOf),
        history: ShiftHistory(of: record, around, reading))
    }
    guard let found else { throw .shiftNotFound(shift) }
    return found
  }
}

extension ShiftHistory {
  fileprivate init(
    of record: ShiftRecord, _ around: ShiftSurroundings, _ reading: HistoryReading
  ) {
    self.init(
      original: reading.original, corrections: reading.corrections, ending: record.ending,
      needsReview: record.needsReview, breaks: around.breaks.intervals,
      takeOvers: around.takeOvers.map { TrackingSpan(device: $0.device, since: $0.since) },
      override: reading.override, incidents: reading.incidents.reversed(), notes: reading.notes)
  }
}
