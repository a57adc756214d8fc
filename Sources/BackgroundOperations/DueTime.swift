import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// Employees with something due, the longest waiting first, by the clock of deadlines.
  /// - Parameter last: The last one of the previous page; `nil`: from the beginning.
  package func due(after last: DueEmployee? = nil, limit: Int)
    async throws(OperationError) -> [DueEmployee]
  {
    let fixedNow = core.deadlines?()
    return try await core.read { (session) throws(PostgresError) in
      try dueEmployees(at: fixedNow, after: last, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// Does what time alone has made due for an employee: asks about a forgotten clock-out or a long
  /// break, or ends the shift at its limit.
  ///
  /// Any number of callers may try at once: one of them does it.
  /// - Returns: How long it had been due at COMMIT; `nil` if there was nothing to do, because
  ///   another caller was first or the policy now allows more time.
  @discardableResult
  package func processDueTime(of employee: EmployeeID) async throws(OperationError) -> Duration? {
    let fixedNow = core.deadlines?()
    let began = ContinuousClock.now
    let (waited, left): (TimeSpan?, Int32?) = try await core.transact {
      (session) throws(PostgresError) in
      guard let (dueAt, now) = try dueTime(of: employee, at: fixedNow, on: &session),
        let record = try gather(employee, on: &session)
      else { return .done((nil, nil)) }
      let step = GuardRules.step(record.state, .time, policy: record.policy, now: now)
      let guardCommit = GuardCommit(before: record, step: step, now: now)
      // Also without effects: the next due time was computed under an earlier policy.
      guard try guardCommit.claim(on: &session) else { return .lost }
      guard !step.effects.isEmpty else { return .done((nil, nil)) }
      try session.pipeline(guardCommit.statements)
      return .done((now - dueAt, step.leftShift), queued: step.notifications, at: now)
    }
    if let left {
      dirtyShifts.note(changed: ShiftID(employee: employee, number: left), at: core.now())
    }
    return waited.map { .milliseconds($0.milliseconds) + (ContinuousClock.now - began) }
  }
}
