import GuardRules
import Postgres
import ShiftDomain
import ShiftStore

/// What holds now in an open shift: how its phone is to track it, and whether it can be tracked.
///
/// The state is taken from the shift's coverage, as on boards, so that no two readers differ.
struct TrackingPresent {
  let settings: TrackingSettings
  let state: TrackingState

  /// `nil` when there is no such shift.
  init?(of shift: ShiftID, at asOf: Instant, on session: inout Session) throws(PostgresError) {
    guard let record = try ShiftStore.shift(shift, on: &session) else { return nil }
    // The clock of the instance that began it may be ahead.
    let asOf = max(asOf, record.startedAt)
    let around = try surroundings(of: [shift], on: &session)[0]
    settings = record.settings(after: around.takeOvers)
    // Half-open: the instant itself lies in coverage that goes on after it.
    let frame = CoverageFrame(record, around, asOf: asOf + .milliseconds(1))
    var signs: ShiftSigns
    if let folded = around.signs.signs, folded.fit(frame) {
      // What came in the last seconds may not be folded yet. Whatever is older says no more here.
      let start = asOf - settings.fixAgeMax - clockErrorMax
      let pings = try coveragePings(of: shift, since: start, on: &session)
      signs = folded.adding(ShiftSigns(pings.counted(in: frame, isOpen: record.endedAt == nil)))
    } else {
      let pings = try coveragePings(of: shift, on: &session)
      signs = ShiftSigns(pings.counted(in: frame, isOpen: record.endedAt == nil))
    }
    let coverage = ShiftCoverage(of: record, frame, signs)
    state = TrackingState(in: coverage.segments, at: asOf)
  }
}

extension ShiftRecord {
  /// What the device that tracks after `takeOvers` is to go by.
  fileprivate func settings(after takeOvers: [TrackingSpan]) -> TrackingSettings {
    var settings = settings
    settings.fixAgeMax = takeOvers.last?.fixAgeMax ?? settings.fixAgeMax
    return settings
  }
}

extension Snapshot {
  /// Takes in what holds now in the open shift; without one nothing is tracked.
  mutating func readTracking(at asOf: Instant, on session: inout Session) throws(PostgresError) {
    trackingState = TrackingState(in: [], at: asOf)
    guard let shift,
      let present = try TrackingPresent(
        of: ShiftID(employee: device.employee, number: shift.number), at: asOf, on: &session)
    else { return }
    (tracking, trackingState) = (present.settings, present.state)
  }
}
