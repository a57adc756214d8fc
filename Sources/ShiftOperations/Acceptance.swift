import GuardRules
import Postgres
import ShiftDomain
import ShiftStore

/// One attempt to open the shift that a clock action asked for.
struct Acceptance {
  private let attempt: AttemptRow
  private let settled: Settled
  private let endedAt: Instant?
  private let newestReport: PermissionReport?
  private let record: EmployeeRecord
  private let leave: OverrideRow
  private let step: GuardStep
  private let shift: OpenShift
  private let decision: Decision

  /// - Parameters:
  ///   - record: The employee, without a conflicting shift.
  ///   - report: The report that the clock action was decided on; `nil` when there was none, or it
  ///     was deleted.
  init(
    _ attempt: AttemptRow, _ settled: Settled, _ record: EmployeeRecord, _ device: DeviceRecord,
    on report: PermissionReport?
  ) {
    self.attempt = attempt
    endedAt = settled.endedAt
    newestReport = device.newestReport
    var record = record
    record.lastOverride += 1
    self.record = record
    // The findings at that time, even if the report has been deleted since.
    let found = attempt.decision
    let decision = Decision(
      found.findings, under: SeverityTable(blocking: found.blocking, warning: found.warning),
      excusing: .all)
    self.decision = decision
    let leave = OverrideRow(
      employee: record.employee, number: record.lastOverride, findings: decision.overridden,
      author: .manager, givenBy: settled.by, reason: settled.reason ?? "", createdAt: settled.at,
      expiresAt: settled.at + overrideLife, usedShift: record.state.lastShift + 1)
    self.leave = leave
    let evidence: Evidence = report.map { .report($0, device.platform) } ?? .noReport
    // The state holds only the open shift, so a closed shift is not applied to it.
    var before = record.state
    if settled.endedAt != nil { (before.shift, before.incidents) = (nil, []) }
    var step = GuardRules.step(
      before,
      .clockIn(
        device: attempt.device.number, at: attempt.at, evidence,
        Override(number: leave.number, findings: .all, author: .manager)),
      policy: record.policy, now: settled.at)
    shift =
      step.state.shift
      ?? OpenShift(
        number: before.lastShift + 1, device: attempt.device.number, startedAt: attempt.at,
        shiftMax: record.policy.shiftMax, report: report)
    var naming = settled
    naming.shift = shift.number
    self.settled = naming
    step.effects = step.effects.map { effect in
      guard case .shiftStarted(let shift, _, _) = effect else { return effect }
      return .shiftStarted(shift, decision, leave.leave)
    }
    self.step = step.impaired(from: settled.at)
  }

  /// Writes everything at once, or nothing when another transaction wrote first.
  func act(on session: inout Session) throws(PostgresError) -> Turn<SettlementOutcome> {
    let writing = GuardWriting(
      before: record, step: endedAt == nil ? stepWithNewest : stepWithoutShift, now: settled.at,
      askedFrom: settled.at)
    guard try writing.claim(on: &session),
      try session.execute(settle(attempt, settled)) == 1
    else { return .lost }
    let notice = Notice(.shiftOpened, subject: shift.number, dueAt: settled.at)
    try session.pipeline(
      [insert(leave)] + closedShift + writing.statements + reports
        + [writing.queue(notice)])
    var row = attempt
    (row.settled, row.claimed, row.isOvertaken) = (settled, nil, false)
    return .queued(.settled(row))
  }

  /// A report after the clock action is a change in the middle of the shift.
  private var stepWithNewest: GuardStep {
    guard let newestReport, newestReport.id != shift.report?.id,
      !newestReport.isLate(after: shift.report)
    else { return step }
    let next = GuardRules.step(
      step.state, .report(newestReport, device: attempt.device.number), policy: record.policy,
      now: settled.at)
    return GuardStep(
      state: next.state, effects: step.effects + next.effects, answer: step.answer
    ).impaired(from: settled.at)
  }

  /// Only the number is used: the open shift and its incidents stay. A time that was not tracked
  /// has no incident; its coverage has the cause.
  private var stepWithoutShift: GuardStep {
    var state = record.state
    state.lastShift = shift.number
    return GuardStep(state: state, effects: [], answer: step.answer)
  }

  private var closedShift: [SQL] {
    guard let endedAt else { return [] }
    return [
      insert(
        shift, of: record.employee, under: decision, override: leave.number,
        policy: record.policy, policyVersion: record.policyVersion, endedAt: endedAt,
        askedFrom: settled.at)
    ]
  }

  /// The reports that the shift depends on are kept with it.
  private var reports: [SQL] {
    let shiftID = ShiftID(employee: record.employee, number: shift.number)
    let newest = endedAt == nil ? newestReport : nil
    return [shift.report, newest].compactMap { report in report.map { assign($0.id, to: shiftID) } }
  }
}

extension GuardStep {
  /// This step with incidents that open at `instant` at the earliest: before the acceptance no
  /// phone had been asked to track.
  fileprivate func impaired(from instant: Instant) -> GuardStep {
    func moved(_ incident: OpenIncident) -> OpenIncident {
      var incident = incident
      incident.openedAt = max(incident.openedAt, instant)
      return incident
    }
    var step = self
    step.state.incidents = state.incidents.map { moved($0) }
    step.effects = effects.map { effect in
      switch effect {
      case .incidentOpened(let incident): .incidentOpened(moved(incident))
      case .incidentChanged(let incident, let at, let worsened):
        .incidentChanged(moved(incident), at: max(at, instant), worsened: worsened)
      case .incidentClosed(let number, let at, let closing):
        .incidentClosed(number, at: max(at, instant), closing)
      default: effect
      }
    }
    return step
  }
}
