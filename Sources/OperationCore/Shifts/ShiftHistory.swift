import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package struct ShiftHistory: Hashable, Sendable {
  /// Its span before the first correction; `nil` without corrections. Without an end if only the
  /// start was corrected, or if only a manager's end was ever known.
  package var original: ShiftSpan?
  package var corrections: [CorrectionRow]
  /// Its breaks, in order; a current break ends in the far future.
  package var breaks: [Interval]
  /// The take-overs with their devices, in order.
  package var takeOvers: [TrackingSpan]
  /// The override that it began under; `nil` if it needed none.
  package var override: OverrideRow?
  package var incidents: [IncidentRow]
  /// The employee's notes, in the order written.
  package var notes: [ShiftNote]
}

/// A shift in full, without positions. The employee and their managers read the same.
package struct ShiftDetails: Hashable, Sendable {
  package var row: ShiftRow
  /// How much of it was tracked, and why the rest was not.
  package var coverage: ShiftCoverage
  package var trackingState: TrackingState
  package var history: ShiftHistory
}

extension OperationCore {
  package func shiftDetails(of shift: ShiftID) async throws(OperationError) -> ShiftDetails {
    let asOf = now()
    let found: ShiftDetails? = try await read { (session) throws(PostgresError) in
      guard let record = try ShiftStore.shift(shift, on: &session) else { return nil }
      return ShiftDetails(
        row: record,
        coverage: try exactCoverage(of: record, asOf: asOf, on: &session),
        trackingState: record.endedAt == nil
          ? try TrackingPresent(of: shift, at: asOf, on: &session)?.state
            ?? TrackingState(in: [], at: asOf)
          : TrackingState(in: [], at: asOf),
        history: try ShiftHistory(of: shift, on: &session))
    }
    guard let found else { throw .shiftNotFound(shift) }
    return found
  }
}

extension ShiftHistory {
  /// More incidents than any phone opens in a day.
  private static let incidentsMax: Int32 = 10_000

  fileprivate init(of shift: ShiftID, on session: inout Session) throws(PostgresError) {
    let (breaks, takeOvers) = try breaksAndTakeOvers(of: shift, on: &session)
    self.init(
      original: try originalSpan(of: shift, on: &session),
      corrections: try ShiftStore.corrections(of: shift, on: &session),
      breaks: breaks.intervals, takeOvers: takeOvers,
      override: try overrideUsed(by: shift, on: &session),
      incidents: try ShiftStore.incidents(
        of: shift.employee, number: nil, shift: shift.number, openOnly: false,
        limit: Self.incidentsMax, on: &session
      ).reversed(),
      notes: try ShiftStore.notes(on: shift, on: &session))
  }
}
