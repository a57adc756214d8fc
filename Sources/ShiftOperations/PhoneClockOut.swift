import GuardRules
import Postgres
import ShiftDomain
import ShiftStore

extension Operations {
  /// Ends the open shift. Never guarded, and any of the employee's devices may.
  /// - Throws: `.attemptReused`, `.invalid` for a tap over 24 hours old, `.unauthorized`,
  ///   `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func clockOut(_ tap: Tap, from credential: DeviceCredential, receipt: Receipt)
    async throws(OperationError) -> (ClockOutOutcome, Snapshot)
  {
    let filing = try TapFiling(tap, of: credential.device, receivedAt: receipt.at)
    return try await transact { (session) throws(PostgresError) in
      guard let gathered = try gather(credential, on: &session) else {
        return .refused(.unauthorized)
      }
      switch try filing.earlier(isClockOut: true, on: &session) {
      case .done(let earlier):
        return .done(
          (
            ClockOutOutcome(earlier),
            Snapshot(gathered.employee, gathered.device, now: receipt.at)
          ))
      case .refused(let error): return .refused(error)
      case .lost, nil: break
      }
      let held = try filing.sentReport?.heldID(on: &session)
      return try ClockOut(
        filing: held == nil ? filing : filing.withoutReport, gathered: gathered
      ).act(on: &session)
    }
  }
}

/// One try at a clock-out.
private struct ClockOut {
  let filing: TapFiling
  let gathered: Gathered

  func act(on session: inout Session) throws(PostgresError) -> Turn<(ClockOutOutcome, Snapshot)> {
    let employee = gathered.employee
    let step = self.step
    let writing = GuardWriting(before: employee, step: step)
    guard try writing.claim(on: &session) else { return .lost }

    let (outcome, kept) = answer(to: step)
    let attempt = filing.record(
      kept, shift: outcome.shift?.number, report: nil,
      decision: Decision([], under: employee.policy.severities),
      policyVersion: employee.policyVersion, needsReview: false)
    try session.pipeline(
      reportStatements(on: &session) + writing.statements + pingsAfterEnd(outcome)
        + [
          insert(attempt),
          notePulse(of: filing.device, receivedAt: filing.receivedAt, fixAt: nil),
        ])
    var (after, device) = (employee, gathered.device)
    after.state = step.state
    if let sent = filing.sentReport?.report, !sent.isLate(after: device.newestReport) {
      device.newestReport = sent
    }
    return .done((outcome, Snapshot(after, device, now: filing.receivedAt)))
  }

  /// What the report sent along says, and then the end.
  private var step: GuardStep {
    let (employee, policy) = (gathered.employee, gathered.employee.policy)
    var told = GuardStep(state: employee.state, effects: [], answer: .reportNoted)
    if let sent = filing.sentReport?.report {
      told = GuardRules.step(
        employee.state, .report(sent, device: filing.device.number), policy: policy,
        now: filing.receivedAt)
    }
    let ended = GuardRules.step(
      told.state, .clockOut(at: filing.at), policy: policy, now: filing.receivedAt)
    return GuardStep(
      state: ended.state, effects: told.effects + ended.effects, answer: ended.answer)
  }

  private func answer(to step: GuardStep) -> (ClockOutOutcome, AttemptOutcome) {
    let employee = filing.device.employee
    switch step.answer {
    case .clockedOut(let number):
      return (.clockedOut(ShiftID(employee: employee, number: number)), .clockedOut)
    case .endsBeforeStart(let number):
      return (.endsBeforeStart(ShiftID(employee: employee, number: number)), .endsBeforeStart)
    case .noOpenShift, .reportInForce, .reportLate, .reportNoted, .clockedIn, .alreadyOpen,
      .openElsewhere, .blocked:
      return (.noOpenShift, .noOpenShift)
    }
  }

  private func reportStatements(on session: inout Session) throws(PostgresError) -> [SQL] {
    guard let sent = filing.sentReport else { return [] }
    let shift = try sent.shift(gathered.employee.state.shift, on: &session)
    return sent.statements(shift: shift, newest: gathered.device.newestReport)
  }

  /// What was recorded since the end goes: much when the clock-out arrives late; else what crossed
  /// it, or came from a clock that runs ahead. Stands behind the end, which waits for uploads that
  /// hold the shift.
  private func pingsAfterEnd(_ outcome: ClockOutOutcome) -> [SQL] {
    guard case .clockedOut(let shift) = outcome,
      let device = gathered.employee.state.shift?.device
    else { return [] }
    return [deletePings(of: shift, device: device, from: filing.at)]
  }
}

extension ClockOutOutcome {
  /// The answer that was given before.
  fileprivate init(_ attempt: AttemptRecord) {
    let shift = ShiftID(employee: attempt.device.employee, number: attempt.shift ?? 0)
    self =
      switch attempt.outcome {
      case .clockedOut: .clockedOut(shift)
      case .endsBeforeStart: .endsBeforeStart(shift)
      default: .noOpenShift
      }
  }

  /// The shift ended, or not to be ended.
  fileprivate var shift: ShiftID? {
    switch self {
    case .clockedOut(let shift), .endsBeforeStart(let shift): shift
    case .noOpenShift: nil
    }
  }
}
