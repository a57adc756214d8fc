import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum OpeningOutcome: Hashable, RefusableAnswer {
  case opened(ShiftID)
  /// The same manager opened it with the same reason, possibly by the same request, whose answer
  /// may have been lost.
  case unchanged(ShiftID)
  case inFuture
  case tooLong
  case overlaps(ShiftID)

  package func get() throws(Refusal) -> (shift: ShiftID, isNew: Bool) {
    switch self {
    case .opened(let shift): (shift, true)
    case .unchanged(let shift): (shift, false)
    case .inFuture: throw SpanFault.inFuture.refusal
    case .tooLong:
      throw .conflict(
        SpanFault.tooLong.code, "the shift would have reached its maximum length already")
    case .overlaps(let shift): throw .overlaps(shift)
    }
  }
}

/// A manager's opening of a shift for an employee.
package struct OpeningRequest: Hashable, Sendable {
  /// `nil`: now.
  package var startedAt: Instant?
  /// The reason, which the employee can read; 1…500 characters.
  package var reason: String

  package init(startedAt: Instant? = nil, reason: String) {
    self.startedAt = startedAt
    self.reason = reason
  }
}

extension ReviewOperations {
  /// Opens a shift for an employee, which no phone tracks until the employee confirms it. The
  /// employee is notified at once.
  package func openShift(
    for employee: EmployeeID, _ request: OpeningRequest, by principal: Principal
  ) async throws(OperationError) -> OpeningOutcome {
    try principal.actor.check(reason: request.reason)
    let because = OpeningReason(by: principal.actor.name, reason: request.reason)
    return try await core.transact { (session) throws(PostgresError) in
      let at = core.now()
      guard let record = try gather(employee, on: &session)?.withDeadlines(ahead: core.clockAhead)
      else { return .refused(.employeeNotFound(employee)) }
      guard try isActive(employee, on: &session) else { return .refused(.inactive(employee)) }
      let start = request.startedAt ?? at
      if start > at { return .done(.inFuture) }
      if at - start >= record.policy.shiftMax { return .done(.tooLong) }
      let span = ShiftSpan(from: start, to: nil)
      if let other = try shiftInTheWay(of: span, besides: nil, of: employee, on: &session) {
        let row = try ShiftStore.shift(other.shift, on: &session)
        return .done(
          row?.isRepeat(of: request, because, at: at) == true
            ? .unchanged(other.shift) : .overlaps(other.shift))
      }
      let step = GuardRules.step(
        record.state, .opened(at: start, by: .manager), policy: record.policy, now: at)
      guard case .waiting(let number) = step.answer else { return .lost }
      let guardCommit = GuardCommit(before: record, step: step, now: at, openedBecause: because)
      guard try guardCommit.claim(on: &session) else { return .lost }
      try session.pipeline(
        guardCommit.statements + [
          auditEntry(
            .shiftOpened, by: principal, at: at, about: employee, shift: number,
            reason: because.reason)
        ])
      return .queued(.opened(ShiftID(employee: employee, number: number)))
    }
  }
}

/// An identical request within this time is a repeat; later, without a start, it is another.
private let openingRepeatMax = TimeSpan.minutes(5)

extension ShiftRow {
  fileprivate func isRepeat(of request: OpeningRequest, _ because: OpeningReason, at now: Instant)
    -> Bool
  {
    guard endedAt == nil, openedBecause == because else { return false }
    return request.startedAt.map { $0 == startedAt } ?? (now - startedAt < openingRepeatMax)
  }
}
