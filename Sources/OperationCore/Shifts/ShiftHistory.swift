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
      session.endSnapshotWithNext()
      let pings = try session.value(of: reading.pings)
      return ShiftDetails(reading, pings: pings, asOf: asOf)
    }
    guard let found else { throw .shiftNotFound(shift) }
    return found
  }
}

extension HistoryReading {
  /// What its coverage needs besides this reading; `nil` if the rollup must do.
  package var pings: Query<[ReceivedPing]?> {
    guard let record = shift.record else { return Query(known: nil) }
    return allPings(of: record, shift.surroundings)
  }
}

extension ShiftDetails {
  /// `nil` if the shift does not exist.
  /// - Parameter pings: As found by `HistoryReading.pings`.
  package init?(_ reading: HistoryReading, pings: [ReceivedPing]?, asOf: Instant) {
    guard let record = reading.shift.record else { return nil }
    let around = reading.shift.surroundings
    self.init(
      row: record,
      coverage: ShiftCoverage(of: record, around, pings: pings, asOf: asOf),
      trackingState: record.endedAt == nil
        ? TrackingState(of: record, around, pings: pings, at: asOf)
        : TrackingState(in: [], at: asOf),
      history: ShiftHistory(of: record, around, reading))
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
