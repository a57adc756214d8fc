import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// One attempt to open the shift that a clock action asked for.
struct Acceptance {
  private let clockAction: ClockActionRow
  private let review: ClockActionReview
  private let endedAt: Instant?
  /// The kept clock-out that is the end.
  private let clockOut: ClockActionRow?
  private let newestReport: PermissionReport?
  private let record: EmployeeRecord
  private let override: OverrideRow
  private let step: GuardStep
  private let shift: OpenShift
  private let decision: Decision

  /// - Parameters:
  ///   - record: The employee, without a conflicting shift.
  ///   - report: The report that the clock action was decided on; `nil` when there was none, or it
  ///     was deleted.
  ///   - clockOut: A kept clock-out that is the end of the shift, and is accepted with it.
  init(
    _ clockAction: ClockActionRow, _ review: ClockActionReview, _ record: EmployeeRecord,
    _ device: DeviceRow,
    on report: PermissionReport?, until clockOut: ClockActionRow?
  ) {
    self.clockAction = clockAction
    self.clockOut = clockOut
    endedAt = review.endedAt
    newestReport = device.newestReport
    var record = record
    record.lastOverride += 1
    self.record = record
    // The findings at that time, even if the report has been deleted since.
    let found = clockAction.decision
    let decision = Decision(
      found.findings, under: SeverityTable(blocking: found.blocking, warning: found.warning),
      excusing: .all)
    self.decision = decision
    let override = OverrideRow(
      employee: record.employee, number: record.lastOverride, findings: decision.overridden,
      author: .manager, givenBy: review.by, reason: review.reason ?? "", createdAt: review.at,
      expiresAt: review.at + overrideLife, usedShift: record.state.lastShift + 1)
    self.override = override
    let evidence: Evidence = report.map { .report($0, device.platform) } ?? .noReport
    // The state holds only the open shift, so a closed shift is not applied to it.
    var before = record.state
    if review.endedAt != nil { (before.shift, before.incidents) = (nil, []) }
    var step = GuardRules.step(
      before,
      .clockIn(
        device: clockAction.device.number, at: clockAction.at, evidence,
        Override(number: override.number, findings: .all, author: .manager)),
      policy: record.policy, now: review.at)
    shift =
      step.state.shift
      ?? OpenShift(
        number: before.lastShift + 1, device: clockAction.device.number, startedAt: clockAction.at,
        shiftMax: record.policy.shiftMax, report: report)
    var naming = review
    naming.shift = shift.number
    self.review = naming
    let accepted = GuardRules.step(
      step.state, .accepted(device.newestReport), policy: record.policy, now: review.at)
    step.state = accepted.state
    step.effects = step.effects.begun(under: decision, override.asOverride) + accepted.effects
    self.step = step
  }

  /// Writes everything at once, or nothing when another transaction wrote first.
  func act(by principal: Principal, on session: inout Session) throws(PostgresError)
    -> TransactionResult<ReviewOutcome>
  {
    let guardCommit = GuardCommit(
      before: record, step: endedAt == nil ? step : stepWithoutShift, now: review.at,
      askedFrom: review.at)
    guard try guardCommit.claim(on: &session),
      try session.execute(storeReview(clockAction, review)) == 1
    else { return .lost }
    if let clockOut {
      let own = ClockActionReview(
        .accepted, at: review.at, by: review.by, reason: review.reason, shift: review.shift)
      guard try session.execute(storeReview(clockOut, own)) == 1 else { return .lost }
    }
    let notification = ShiftNotification.opened(shift.number, by: .employee, dueAt: review.at)
    try session.pipeline(
      [insert(override)] + closedShift + guardCommit.statements + reports
        + [clockAction, clockOut].compactMap { $0 }.map { accepted in
          auditEntry(
            .clockActionAccepted, by: principal, at: review.at, about: record.employee,
            shift: shift.number, target: accepted.number, reason: review.reason)
        } + [guardCommit.queue(notification)])
    var row = clockAction
    (row.review, row.claimed, row.isOvertaken) = (review, nil, false)
    row.supersededAt = nil
    return .queued(.reviewed(row))
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
        shift, of: record.employee, under: decision, override: override.number,
        policy: record.policy, policyVersion: record.policyVersion, endedAt: endedAt,
        askedFrom: review.at)
    ]
      + noteSitesInForce(
        in: ShiftID(employee: record.employee, number: shift.number), from: shift.startedAt,
        under: record.policy, at: review.at)
  }

  private var reports: [SQL] {
    let shiftID = ShiftID(employee: record.employee, number: shift.number)
    let newest = endedAt == nil ? newestReport : nil
    return [shift.report, newest].compactMap { report in report.map { assign($0.id, to: shiftID) } }
  }
}

extension [GuardEffect] {
  /// The effects of an accepted clock-in. Its incidents are those of the acceptance.
  fileprivate func begun(under decision: Decision, _ override: Override) -> [GuardEffect] {
    compactMap { effect in
      switch effect {
      case .shiftStarted(let shift, _, _): .shiftStarted(shift, decision, override)
      case .incidentOpened: nil
      default: effect
      }
    }
  }
}
