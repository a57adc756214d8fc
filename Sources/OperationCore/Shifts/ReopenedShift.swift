import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension EmployeeRecord {
  /// The step by which an ended shift continues on the device that tracked it last, with that
  /// device's later reports; or waits for confirmation again.
  /// - Parameter clipped: Its newest break as it was before the end clipped it.
  package func reopening(
    _ row: ShiftRow, from start: Instant, clipped: ShiftBreak? = nil, at now: Instant,
    on session: inout Session
  ) throws(PostgresError) -> GuardStep {
    let takeOver = try lastTakeOver(of: row.shift, on: &session)
    let number = takeOver?.device ?? row.device
    let device = try number.flatMap { (number) throws(PostgresError) in
      try gather(DeviceID(employee: row.shift.employee, number: number), on: &session)?.device
    }
    let rests = try breaks(of: row.shift, on: &session)
    var state = state
    state.shift = OpenShift(
      number: row.shift.number, device: number, startedAt: start, shiftMax: row.shiftMax,
      report: nil, latestBreak: clipped ?? rests.last, takenOverAt: takeOver?.since,
      openedBy: row.openedBy, confirmBy: row.confirmBy)
    // The marks of its reports, and what they left known, are those of a shift that never ended.
    state.shift?.reportMarks = nil
    guard let number, var report = device?.newestReport else {
      return GuardStep(state: state, effects: [], answer: .noted)
    }
    var open = row
    (open.startedAt, open.endedAt) = (start, nil)
    if let around = try surroundings(of: [row.shift], on: &session).first {
      let frame = CoverageFrame(open, around, asOf: now)
      var known = KnownState(from: frame)
      known.learn(from: report.state)
      report.state = known.state
      let replay = ShiftReplay(frame, isOpen: true)
      state.shift?.accepted = replay.accepted
    }
    return GuardRules.step(state, .report(report, device: number), policy: policy, now: now)
  }
}
