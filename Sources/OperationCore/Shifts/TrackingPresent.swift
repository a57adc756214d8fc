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
    guard let record = try ShiftStore.shift(shift, on: &session) else { return nil }
    // The clock of the instance that began the shift may be ahead of ours.
    let asOf = max(asOf, record.startedAt)
    let around = try surroundings(of: [shift], on: &session)[0]
    settings = record.settings(after: around.takeOvers)
    // Half-open, so that the instant itself is within the coverage.
    let frame = CoverageFrame(record, around, asOf: asOf + .milliseconds(1))
    var contactRuns: ContactRuns
    if let merged = around.rollup.contactRuns, merged.fit(frame) {
      // The last seconds may not be rolled up yet. Older pings have no effect here.
      let start = asOf - settings.fixAgeMax - clockErrorMax
      let pings = try coveragePings(of: shift, since: start, on: &session)
      contactRuns = merged.adding(
        ContactRuns(pings.counted(in: frame, isOpen: record.endedAt == nil)))
    } else {
      let pings = try coveragePings(of: shift, on: &session)
      contactRuns = ContactRuns(pings.counted(in: frame, isOpen: record.endedAt == nil))
    }
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
