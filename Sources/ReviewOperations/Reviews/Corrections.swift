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
  package var end: CorrectedEnd?
  /// All breaks that it had, in any order; `nil`: those on record, clipped to its times.
  package var breaks: [ShiftSpan]?
  /// The reason, which the employee can read; 1…500 characters.
  package var reason: String
  /// The number, within the employee, of the clock action that this reviews.
  package var clockAction: Int32?

  package init(
    startedAt: Instant? = nil, endedAt: Instant? = nil, breaks: [ShiftSpan]? = nil,
    reason: String, clockAction: Int32? = nil
  ) {
    self.startedAt = startedAt
    end = endedAt.map { .at($0) }
    self.breaks = breaks
    self.reason = reason
    self.clockAction = clockAction
  }

  package var isEmpty: Bool { startedAt == nil && end == nil && breaks == nil }
}

/// When a corrected shift ended.
package enum CorrectedEnd: Hashable, Sendable {
  case at(Instant)
  case shortcut(EndShortcut)
}

/// Ends that need not be typed.
package enum EndShortcut: UInt8, Coded {
  case now = 0
  case plannedEnd = 1

  package var code: String {
    switch self {
    case .now: "now"
    case .plannedEnd: "planned_end"
    }
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
  /// No planned shift says when it was to end.
  case noPlannedEnd
  case overlaps(ShiftID)
  /// The clock action to review does not need a review, or was already reviewed.
  case clockActionNotWaiting(ClockActionRow)
  /// This is the current shift.
  case changedMeanwhile(ShiftTimes)
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
    case .noPlannedEnd:
      throw .conflict("no_planned_end", "no planned shift says when this shift was to end")
    case .overlaps(let shift): throw .overlaps(shift)
    case .clockActionNotWaiting(let row):
      throw row.review == nil ? .nothingToReview : .alreadyReviewed(row)
    case .changedMeanwhile(let times): throw .changed("shift", .changedShift(times))
    case .approved(let approval): throw .approved(approval)
    }
  }
}

extension ReviewOperations {
  /// Corrects a shift's start, end and breaks, unless its times are approved. The original is kept,
  /// fixes outside the new working time are sealed, the employee is notified.
  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  package func correct(
    _ shift: ShiftID, _ request: CorrectionRequest, matching tags: Set<String>? = nil,
    by principal: Principal
  ) async throws(OperationError) -> CorrectionOutcome {
    try principal.actor.check(reason: request.reason)
    guard !request.isEmpty else {
      throw .invalid("a correction needs a start, an end or breaks")
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
      var end: Instant?
      switch request.end {
      case nil: break
      case .at(let instant): end = instant
      case .shortcut(.now): end = at
      case .shortcut(.plannedEnd):
        end = try plannedEnd(of: shift, on: &session)
        guard end != nil else { return .done(.noPlannedEnd) }
      }
      let correction = Correction(
        request, end: end, matching: tags, of: row, try breaks(of: shift, on: &session), record,
        reviewing: clockAction, by: principal, after: try corrections(of: shift, on: &session),
        at: at)
      let result = try correction.act(on: &session)
      if case .queued = result, correction.changesBreaks {
        // Incidents are of working time only.
        _ = try core.recount(shift, at: at, on: &session)
      }
      return result
    }
  }
}

private struct Correction {
  let row: CorrectionRow
  /// The new breaks, if it changes them.
  let breaks: [ShiftBreak]
  /// What the corrections, this one included, took out of breaks.
  let added: IntervalSet
  let changed: ShiftTimes?
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
    _ request: CorrectionRequest, end: Instant?, matching tags: Set<String>?,
    of shift: ShiftRow, _ present: [ShiftBreak], _ record: EmployeeRecord,
    reviewing clockAction: ClockActionRow?, by principal: Principal,
    after earlier: [CorrectionRow], at: Instant
  ) {
    let actor = principal.actor
    let old = ShiftSpan(from: shift.startedAt, to: shift.endedAt)
    let new = ShiftSpan(from: request.startedAt ?? old.start, to: end ?? old.end)
    let times = ShiftTimes(shift, breaks: present.map(\.span))
    let wanted = request.breaks?.sorted { $0.start < $1.start } ?? times.breaks
    let corrected =
      wanted == times.breaks ? nil : CorrectedBreaks(from: times.breaks, to: wanted)
    breaks = corrected?.numbered(after: present.map(\.number).max() ?? 0) ?? []
    changed = tags.map { $0.contains(times.tag) } ?? true ? nil : times
    approval = shift.approval
    newest = earlier.last
    row = CorrectionRow(
      shift: shift.shift, number: min(newest?.number ?? 0, correctionsMax) + 1, old: old, new: new,
      breaks: corrected, correctedBy: actor.name, correctedAt: at, reason: request.reason,
      oldEnding: shift.ending,
      oldReview: shift.needsReview, oldObjection: shift.objection)
    added = (earlier + [row]).addedTime
    self.record = record
    self.clockAction = clockAction
    wasEndedByManager = shift.ending == .manager
    review = ClockActionReview(
      .accepted, at: at, by: actor.name, reason: request.reason, shift: shift.shift.number)
    setsEnd = end != nil
    isOpen = shift.endedAt == nil
    shiftMax = shift.shiftMax
    self.principal = principal
  }

  var changesBreaks: Bool { row.breaks != nil }

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
        + apply(
          row, wasEndedByManager: wasEndedByManager, setsEnd: setsEnd, breaks: breaks, added: added)
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
    if row.old == row.new, !changesBreaks, let newest, newest.new == row.new,
      newest.reason == row.reason, newest.correctedBy == row.correctedBy
    {
      return .unchanged(newest)
    }
    if let changed { return .changedMeanwhile(changed) }
    if let approval { return .approved(approval) }
    if let clockAction, !clockAction.awaitsManager { return .clockActionNotWaiting(clockAction) }
    if row.number > correctionsMax { return .tooMany }
    let fault = correctionFault(
      from: row.old, to: row.new, row.breaks, shiftMax: shiftMax, now: row.correctedAt)
    if let fault { return .impossible(fault) }
    let inTheWay = try shiftInTheWay(
      of: row.new, besides: row.shift.number, of: row.shift.employee, on: &session)
    return inTheWay.map { .overlaps($0.shift) }
  }

  /// The change of the employee's state; `nil` when the new start contradicts later events.
  private var step: GuardStep? {
    guard isOpen else { return stepWithoutQuestion }
    guard let end = row.new.end else {
      return record.corrected(by: row, latestBreak: latestBreak)
    }
    // Closed within the limits that the state allows; then the rows get the exact span.
    // The rows get the exact breaks, too.
    let limit = row.old.start + shiftMax
    let closing = min(max(end, row.old.start + .milliseconds(1)), limit - .milliseconds(1))
    return GuardRules.step(
      record.state, .clockOut(at: closing, by: .manager), policy: record.policy,
      now: row.correctedAt)
  }

  /// The employee is asked about the length of a break once.
  private var latestBreak: ShiftBreak? {
    guard var latest = breaks.last else { return nil }
    let lasts = latest.endedAt == nil
    latest.isAsked = lasts && record.state.shift?.latestBreak?.isAsked == true
    return latest
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

extension EmployeeRecord {
  /// The change of the open shift by a correction, or by its undoing; `nil` when the new start
  /// contradicts later events.
  /// - Parameter latestBreak: The newest of the new breaks, if it changes them.
  func corrected(by correction: CorrectionRow, latestBreak: ShiftBreak?) -> GuardStep? {
    var events: [GuardEvent] = [.startMoved(to: correction.new.start)]
    if correction.breaks != nil { events.insert(.breaksCorrected(latest: latestBreak), at: 0) }
    let step = GuardRules.step(state, events, policy: policy, now: correction.correctedAt)
    guard case .outOfOrder = step.answer else { return step }
    return nil
  }
}
