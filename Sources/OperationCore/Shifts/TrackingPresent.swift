import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// How the open shift of an employee is tracked at the present.
package struct TrackingPresent {
  package let settings: TrackingSettings
  package let state: TrackingState

  /// `nil` off shift.
  package init?(of employee: EmployeeRecord, at asOf: Instant, on session: inout Session)
    throws(PostgresError)
  {
    let subject = PresentSubject(employee, at: asOf)
    var reading = PresentReading(of: [subject])
    try session.run(&reading)
    try self.init(of: subject, reading, on: &session)
  }

  /// `nil` off shift. From what the guard's state remembers and the newest pings; where they do
  /// not tell, all records of the shift are read, in another round trip.
  init?(of subject: PresentSubject, _ reading: PresentReading, on session: inout Session)
    throws(PostgresError)
  {
    guard let shift = subject.shift, let present = reading[shift] else { return nil }
    settings = present.settings
    // The clock of the instance that began the shift may be ahead of ours.
    let asOf = max(subject.asOf, present.start.startedAt)
    let frame = CoverageFrame(present, asOf: asOf.next)
    let ofAction = present.start.ping(until: nil)
    let newest = present.pings + [ofAction].compactMap(\.self)
    if !present.isIncomplete, !present.mayRest(at: ofAction?.effectiveAt),
      let state = subject.state.trackingState(in: frame, newest: newest, at: asOf)
    {
      self.state = state
      return
    }
    var whole = WholeShiftReading(of: shift)
    try session.run(&whole)
    guard let record = whole.shift.record else { return nil }
    // No pings of an open shift are deleted yet.
    state = TrackingState(of: record, whole.shift.surroundings, pings: whole.pings, at: asOf)
  }
}

extension TrackingState {
  /// That of an open shift by all its records.
  init(
    of record: ShiftRow, _ around: ShiftSurroundings, pings: [ReceivedPing]?, at asOf: Instant
  ) {
    let asOf = max(asOf, record.startedAt)
    let coverage = ShiftCoverage(of: record, around, pings: pings, asOf: asOf.next)
    self.init(in: coverage.segments, at: asOf)
  }
}

/// Whose present is wanted, and when.
struct PresentSubject {
  /// The state at `asOf`: a shift that has come to its limit has ended, whether or not that is
  /// stored yet.
  let state: GuardState
  /// The open shift.
  let shift: ShiftID?
  let asOf: Instant

  init(_ employee: EmployeeRecord, at asOf: Instant) {
    state = step(employee.state, .time, policy: employee.policy, now: asOf).state
    shift = state.shift.map { ShiftID(employee: employee.employee, number: $0.number) }
    self.asOf = asOf
  }
}

extension PresentReading {
  init(of subjects: [PresentSubject]) {
    let shifts = subjects.compactMap { subject in
      subject.shift.flatMap { id in
        subject.state.shift.map { (id: id, startedAt: $0.startedAt) }
      }
    }
    let times = subjects.map(\.asOf)
    let now = Instant(milliseconds: 0)
    self.init(of: shifts, at: (times.min() ?? now)...(times.max() ?? now))
  }
}

extension PresentShift {
  /// Whether an announcement may last at the fix of the clock-in, which does not end it, as a ping
  /// would.
  fileprivate func mayRest(at instant: Instant?) -> Bool {
    guard let instant else { return false }
    return pings.contains {
      ($0.restsUntil != nil || $0.isHidden) && $0.effectiveAt < instant
    }
  }

  fileprivate var settings: TrackingSettings {
    var settings = start.settings
    settings.fixAgeMax = takeOvers.last?.fixAgeMax ?? settings.fixAgeMax
    return settings
  }
}

extension Instant {
  /// Intervals are half-open: one up to this contains the instant itself.
  fileprivate var next: Instant { self + .milliseconds(1) }
}
