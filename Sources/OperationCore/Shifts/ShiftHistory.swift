import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension OperationCore {
  package func shiftDetails(of shift: ShiftID) async throws(OperationError) -> ShiftDetails {
    let asOf = now()
    let found: ShiftDetails? = try await readSnapshot { (session) throws(PostgresError) in
      var reading = HistoryReading(of: shift)
      try session.run(&reading)
      guard let record = reading.shift.record else { return nil }
      let around = reading.shift.surroundings
      let pings = try pings(of: record, around, on: &session)
      return ShiftDetails(
        row: record,
        coverage: ShiftCoverage(of: record, around, pings: pings, asOf: asOf),
        trackingState: record.endedAt == nil
          ? TrackingState(of: record, around, pings: pings, at: asOf)
          : TrackingState(in: [], at: asOf),
        history: ShiftHistory(of: record, around, reading))
    }
    guard let found else { throw .shiftNotFound(shift) }
    return found
  }
}

extension ShiftHistory {
  /// A confirmation is stored as a take-over, but is none.
  fileprivate init(
    of record: ShiftRow, _ around: ShiftSurroundings, _ reading: HistoryReading
  ) {
    self.init(
      original: reading.original, corrections: reading.corrections,
      breaks: around.breaks.intervals,
      takeOvers: around.takeOvers.filter { $0.since != record.confirmedAt }
        .map { TrackingSpan(device: $0.device, since: $0.since) },
      override: reading.override, incidents: reading.incidents.reversed(), notes: reading.notes)
  }
}
