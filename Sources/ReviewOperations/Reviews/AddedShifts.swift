import GuardRules
import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum AdditionOutcome: Hashable, RefusableAnswer {
  case added(ShiftID)
  /// The same manager added it with the same times and reason, possibly by the same request, whose
  /// answer may have been lost.
  case unchanged(ShiftID)
  case impossible(SpanFault)
  case overlaps(ShiftID)

  package func get() throws(Refusal) -> (shift: ShiftID, isNew: Bool) {
    switch self {
    case .added(let shift): (shift, true)
    case .unchanged(let shift): (shift, false)
    case .impossible(let fault): throw fault.refusal
    case .overlaps(let shift): throw .overlaps(shift)
    }
  }
}

/// A shift that was over when a manager entered it.
package struct AddedShift: Hashable, Sendable {
  package var span: Interval
  /// In any order.
  package var breaks: [ShiftSpan]
  /// The reason, which the employee can read; 1…500 characters.
  package var reason: String

  package init(_ span: Interval, breaks: [ShiftSpan] = [], reason: String) {
    (self.span, self.reason) = (span, reason)
    self.breaks = breaks.sorted { $0.start < $1.start }
  }
}

extension ReviewOperations {
  /// Adds a past shift, in which no phone was asked to track. The employee is notified, and
  /// confirms it or objects; until then it does not count for payroll.
  package func addShift(
    for employee: EmployeeID, _ wanted: AddedShift, by principal: Principal
  ) async throws(OperationError) -> AdditionOutcome {
    try principal.actor.check(reason: wanted.reason)
    let because = OpeningReason(by: principal.actor.name, reason: wanted.reason)
    return try await core.transact { (session) throws(PostgresError) in
      let at = core.now()
      guard let record = try gather(employee, on: &session)?.withDeadlines(ahead: core.clockAhead)
      else { return .refused(.employeeNotFound(employee)) }
      let span = ShiftSpan(from: wanted.span.start, to: wanted.span.end)
      if let fault = additionFault(of: span, breaks: wanted.breaks, now: at) {
        return .done(.impossible(fault))
      }
      if let other = try shiftInTheWay(of: span, besides: nil, of: employee, on: &session) {
        let row = try ShiftStore.shift(other.shift, on: &session)
        let rests = try breaks(of: other.shift, on: &session).map(\.span)
        let isRepeat =
          other.span == span && row?.openedBecause == because && rests == wanted.breaks
        return .done(isRepeat ? .unchanged(other.shift) : .overlaps(other.shift))
      }
      var state = record.state
      state.lastShift += 1
      let shift = ShiftID(employee: employee, number: state.lastShift)
      let guardCommit = GuardCommit(
        before: record, step: GuardStep(state: state, effects: [], answer: .noted), now: at)
      guard try guardCommit.claim(on: &session) else { return .lost }
      try session.pipeline(
        [wanted.row(shift, record, because)]
          + insert(wanted.breaks, of: shift) + guardCommit.statements
          + [
            auditEntry(
              .shiftAdded, by: principal, at: at, about: employee, shift: shift.number,
              span: wanted.span, reason: wanted.reason),
            guardCommit.queue(
              ShiftNotification(.shiftAdded, subject: shift.number, dueAt: at)),
          ])
      return .queued(.added(shift))
    }
  }
}

extension AddedShift {
  fileprivate func row(_ shift: ShiftID, _ record: EmployeeRecord, _ because: OpeningReason)
    -> SQL
  {
    insert(
      OpenShift(
        number: shift.number, device: nil, startedAt: span.start,
        shiftMax: record.policy.shiftMax, breakMax: record.policy.breakMax, report: nil,
        openedBy: .manager),
      of: shift.employee, under: Decision([], under: record.policy.severities), override: nil,
      policy: record.policy, policyVersion: record.policyVersion, endedAt: span.end,
      openedBecause: because)
  }
}
