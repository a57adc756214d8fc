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
    return try await answer(
      filing, isClockOut: true, from: credential, repeated: { ClockOutOutcome($0) }
    ) { (gathered, session) throws(PostgresError) in
      ClockOut(try filing.settled(on: &session).0, gathered)
    }
  }
}

/// One try at a clock-out.
private struct ClockOut: TapJudgement {
  let filing: TapFiling
  let gathered: Gathered
  let step: GuardStep
  let outcome: ClockOutOutcome
  let record: AttemptRecord

  init(_ filing: TapFiling, _ gathered: Gathered) {
    self.filing = filing
    self.gathered = gathered
    step = Self.step(filing, gathered.employee)
    let (outcome, kept) = Self.answer(to: step, of: filing.device.employee)
    self.outcome = outcome
    record = filing.record(
      kept, shift: outcome.shift?.number, report: nil,
      decision: Decision([], under: gathered.employee.policy.severities),
      policyVersion: gathered.employee.policyVersion, needsReview: false)
  }

  /// What the report sent along says, and then the end.
  private static func step(_ filing: TapFiling, _ employee: EmployeeRecord) -> GuardStep {
    let policy = employee.policy
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

  private static func answer(
    to step: GuardStep, of employee: EmployeeID
  ) -> (ClockOutOutcome, AttemptOutcome) {
    switch step.answer {
    case .clockedOut(let number):
      return (.clockedOut(ShiftID(employee: employee, number: number)), .clockedOut)
    case .endsBeforeStart(let number):
      return (.endsBeforeStart(ShiftID(employee: employee, number: number)), .endsBeforeStart)
    default: return (.noOpenShift, .noOpenShift)
    }
  }

  /// The report sent along is filed.
  func statements(on session: inout Session)
    throws(PostgresError) -> (before: [SQL], after: [SQL])
  {
    let open = gathered.employee.state.shift
    let reports = try filing.sentReport.map { (sent) throws(PostgresError) in
      sent.statements(
        shift: try sent.shift(open, on: &session), newest: gathered.device.newestReport)
    }
    return (reports ?? [], [])
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
