import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The maximum number of corrections of a shift; a caller that needs more has a bug.
package let correctionsMax: Int16 = 100

/// A manager's correction of a shift; omitted times stay.
package struct CorrectionRequest: Hashable, Sendable {
  package var startedAt: Instant?
  package var endedAt: Instant?
  /// The reason, which the employee can read; 1…500 characters.
  package var reason: String
  /// The number, within the employee, of the clock action that this reviews.
  package var clockAction: Int32?

  package init(
    startedAt: Instant? = nil, endedAt: Instant? = nil, reason: String, clockAction: Int32? = nil
  ) {
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.reason = reason
    self.clockAction = clockAction
  }
}

package enum CorrectionOutcome: Hashable, RefusableAnswer {
  case corrected(CorrectionRow)
  /// The newest correction is identical, possibly because the same request was sent before and its
  /// answer was lost.
  case unchanged(CorrectionRow)
  case impossible(SpanFault)
  case tooMany
  case outOfOrder
  case overlaps(ShiftID)
  /// The clock action to review does not need a review, or was already reviewed.
  case clockActionNotWaiting(ClockActionRow)
  /// This is the current shift.
  case changedMeanwhile(ShiftRow)
  /// Its times are approved.
  case approved(ShiftApproval)

  package func get() throws(Refusal) -> (row: CorrectionRow, isNew: Bool) {
    switch self {
    case .corrected(let row): (row, true)
    case .unchanged(let row): (row, false)
    case .impossible(let fault): throw fault.refusal
    case .tooMany:
      throw .conflict(
        "too_many_corrections", "a shift can be corrected at most \(correctionsMax) times")
    case .outOfOrder: throw .startsTooLate
    case .overlaps(let shift): throw .overlaps(shift)
    case .clockActionNotWaiting(let row):
      throw row.review == nil ? .nothingToReview : .alreadyReviewed(row)
    case .changedMeanwhile(let row): throw .changed("shift", .changedShift(row))
    case .approved(let approval): throw .approved(approval)
    }
  }
}

extension ShiftRow {
  /// Differs when the times differ, or what the employee says of them.
  package var tag: String {
    let instants = [startedAt, endedAt, objection?.at]
    return contentTag(instants.map { $0.map { String($0.milliseconds) } ?? "" })
  }
}

extension ReviewOperations {
  /// Corrects a shift's start, end, or both, unless its times are approved. The original is kept,
  /// fixes outside the new span are sealed, the employee is notified.
  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  package func correct(
    _ shift: ShiftID, _ request: CorrectionRequest, matching tags: Set<String>? = nil,
    by principal: Principal
  ) async throws(OperationError) -> CorrectionOutcome {
    try principal.actor.check(reason: request.reason)
    guard request.startedAt != nil || request.endedAt != nil else {
      throw .invalid("a correction needs a start or an end")
    }
    return try await core.transact { (session) throws(PostgresError) in
      let at = core.now()
      guard
        let record = try gather(shift.employee, on: &session)?.withDeadlines(
          ahead: core.clockAhead),
        let row = try ShiftStore.shift(shift, on: &session)
      else { return .refused(.shiftNotFound(shift)) }
      var clockAction: ClockActionRow?
      if let number = request.clockAction {
        clockAction = try readClockAction(number, of: shift.employee, at: at, on: &session)
        guard clockAction != nil else {
          return .refused(.clockActionNotFound(number, of: shift.employee))
        }
      }
      let correction = Correction(
        request, matching: tags, of: row, record, reviewing: clockAction, by: principal,
        after: try corrections(of: shift, on: &session), at: at)
      return try correction.act(on: &session)
    }
  }
}

private struct Correction {
  let row: CorrectionRow
  let changed: ShiftRow?
  let approval: ShiftApproval?
  let newest: CorrectionRow?
  let record: EmployeeRecord
  let wasEndedByManager: Bool
  let clockAction: ClockActionRow?
  let review: ClockActionReview
  let setsEnd: Bool
  let isOpen: Bool
  let shiftMax: TimeSpan
  let principal: Principal

  init(
    _ request: CorrectionRequest, matching tags: Set<String>?, of shift: ShiftRow,
    _ record: EmployeeRecord,
    reviewing clockAction: ClockActionRow?, by principal: Principal,
    after earlier: [CorrectionRow], at: Instant
  ) {
    let actor = principal.actor
    let old = ShiftSpan(from: shift.startedAt, to: shift.endedAt)
    let new = ShiftSpan(from: request.startedAt ?? old.start, to: request.endedAt ?? old.end)
    changed = tags.map { $0.contains(shift.tag) } ?? true ? nil : shift
    approval = shift.approval
    newest = earlier.last
    row = CorrectionRow(
      shift: shift.shift, number: min(newest?.number ?? 0, correctionsMax) + 1, old: old, new: new,
      correctedBy: actor.name, correctedAt: at, reason: request.reason, oldEnding: shift.ending,
      oldReview: shift.needsReview, oldObjection: shift.objection)
    self.record = record
    self.clockAction = clockAction
    wasEndedByManager = shift.ending == .manager
    review = ClockActionReview(
      .accepted, at: at, by: actor.name, reason: request.reason, shift: shift.shift.number)
    setsEnd = request.endedAt != nil
    isOpen = shift.endedAt == nil
    shiftMax = shift.shiftMax
    self.principal = principal
  }

  func act(on session: inout Session) throws(PostgresError) -> TransactionResult<CorrectionOutcome>
  {
    if let refusal = try refusal(on: &session) { return .done(refusal) }
    guard let step else { return .done(.outOfOrder) }
    let guardCommit = GuardCommit(before: record, step: step, now: row.correctedAt)
    guard try guardCommit.claim(on: &session) else { return .lost }
    if let clockAction {
      guard try session.execute(storeReview(clockAction, review)) == 1 else { return .lost }
    }
    let notification = ShiftNotification(
      .shiftCorrected, subject: row.shift.number, ordinal: row.number, dueAt: row.correctedAt)
    try session.pipeline(
      purge(row.shift, before: row.correctedAt - sealedLife, startFixAgeMax: actionFixAgeMax)
        + [keepBreaks(of: row)] + guardCommit.statements
        + apply(row, wasEndedByManager: wasEndedByManager, setsEnd: setsEnd)
        + auditEntries + [guardCommit.queue(notification)])
    return .queued(.corrected(row))
  }

  private var auditEntries: [SQL] {
    func entry(_ action: AuditAction, _ target: Int32) -> SQL {
      auditEntry(
        action, by: principal, at: row.correctedAt, about: row.shift.employee,
        shift: row.shift.number, target: target, reason: row.reason)
    }
    return [entry(.shiftCorrected, Int32(row.number))]
      + (clockAction.map { [entry(.clockActionAccepted, $0.number)] } ?? [])
  }

  private func refusal(on session: inout Session) throws(PostgresError) -> CorrectionOutcome? {
    // A repeat does not review the clock action again.
    if row.old == row.new, let newest, newest.new == row.new, newest.reason == row.reason,
      newest.correctedBy == row.correctedBy
    {
      return .unchanged(newest)
    }
    if let changed { return .changedMeanwhile(changed) }
    if let approval { return .approved(approval) }
    if let clockAction, !clockAction.awaitsManager { return .clockActionNotWaiting(clockAction) }
    if row.number > correctionsMax { return .tooMany }
    let fault = correctionFault(
      from: row.old, to: row.new, shiftMax: shiftMax, now: row.correctedAt)
    if let fault { return .impossible(fault) }
    let inTheWay = try shiftInTheWay(
      of: row.new, besides: row.shift.number, of: row.shift.employee, on: &session)
    return inTheWay.map { .overlaps($0.shift) }
  }

  /// The change of the employee's state; `nil` when the new start contradicts later events.
  private var step: GuardStep? {
    guard isOpen else { return stepWithoutQuestion }
    guard let end = row.new.end else { return startMoved }
    // Closed within the limits that the state allows; then the rows get the exact span.
    let limit = row.old.start + shiftMax
    let closing = min(max(end, row.old.start + .milliseconds(1)), limit - .milliseconds(1))
    return GuardRules.step(
      record.state, .clockOut(at: closing, by: .manager), policy: record.policy,
      now: row.correctedAt)
  }

  private var startMoved: GuardStep? {
    let step = GuardRules.step(
      record.state, .startMoved(to: row.new.start), policy: record.policy, now: row.correctedAt)
    guard case .outOfOrder = step.answer else { return step }
    return nil
  }

  /// An ended shift is not in the state, except for the question when it really ended, which stays
  /// until it is answered.
  private var stepWithoutQuestion: GuardStep {
    var state = record.state
    if let asked = state.unconfirmed, asked.number == row.shift.number {
      state.unconfirmed =
        setsEnd
        ? nil
        : EndedShift(number: asked.number, startedAt: row.new.start, endedAt: asked.endedAt)
    }
    return GuardStep(state: state, effects: [], answer: .noted)
  }
}
