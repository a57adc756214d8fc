import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// Taken from the shift's coverage, as on boards, so that all readers agree.
package struct TrackingPresent {
  package let settings: TrackingSettings
  package let state: TrackingState

  /// `nil` if the shift does not exist.
  package init?(of shift: ShiftID, at asOf: Instant, on session: inout Session)
    throws(PostgresError)
  {
    var reading = PresentReading(of: shift, at: asOf)
    try session.run(&reading)
    try self.init(reading, at: asOf, on: &session)
  }

  /// `nil` if the shift does not exist. Rarely, all its pings are read, in another round trip.
  init?(_ reading: PresentReading, at asOf: Instant, on session: inout Session)
    throws(PostgresError)
  {
    guard let record = reading.shift.record else { return nil }
    let around = reading.shift.surroundings
    self = try TrackingPresent(record, around, at: asOf) { (frame) throws(PostgresError) in
      let rollup = around.rollup
      if reading.fits(rollup) {
        let contactRuns = ContactRuns(
          reading.pings.counted(in: frame, isOpen: record.endedAt == nil))
        guard let merged = rollup.contactRuns else { return contactRuns }
        // The last seconds may not be rolled up yet.
        if merged.fit(frame) { return merged.adding(contactRuns) }
      }
      let pings = try coveragePings(of: record.shift, on: &session)
      return ContactRuns(pings.counted(in: frame, isOpen: record.endedAt == nil))
    }
  }

  /// - Parameter pings: All of the shift.
  init(
    _ record: ShiftRow, _ around: ShiftSurroundings, pings: [ReceivedPing], at asOf: Instant
  ) {
    self.init(record, around, at: asOf) { frame in
      ContactRuns(pings.counted(in: frame, isOpen: record.endedAt == nil))
    }
  }

  private init<Problem: Error>(
    _ record: ShiftRow, _ around: ShiftSurroundings, at asOf: Instant,
    contactRuns: (CoverageFrame) throws(Problem) -> ContactRuns
  ) throws(Problem) {
    // The clock of the instance that began the shift may be ahead of ours.
    let asOf = max(asOf, record.startedAt)
    settings = record.settings(after: around.takeOvers)
    // Half-open, so that the instant itself is within the coverage.
    let frame = CoverageFrame(record, around, asOf: asOf + .milliseconds(1))
    let contactRuns = try contactRuns(frame)
    let coverage = ShiftCoverage(of: record, frame, contactRuns)
    state = TrackingState(in: coverage.segments, at: asOf)
  }
}

extension ShiftRow {
  fileprivate func settings(after takeOvers: [TrackingSpan]) -> TrackingSettings {
    var settings = settings
    settings.fixAgeMax = takeOvers.last?.fixAgeMax ?? settings.fixAgeMax
    return settings
  }
}
