import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// Employees with a planned shift to be opened, the earliest first, by the clock of deadlines.
  /// - Parameter last: The last one of the previous page; `nil`: from the beginning.
  package func openingsDue(after last: DueEmployee? = nil, limit: Int)
    async throws(OperationError) -> [DueEmployee]
  {
    let fixedNow = core.deadlines?()
    return try await core.read { (session) throws(PostgresError) in
      try dueOpenings(at: fixedNow, after: last, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// Opens an employee's planned shift from its planned start. No phone tracks it until the
  /// employee confirms it, who is notified at once; without that, it ends as planned.
  ///
  /// Any number of callers may try at once: one of them does it.
  /// - Returns: How long ago it was to start at COMMIT; `nil` if there was nothing to do.
  @discardableResult
  package func openPlannedShift(of employee: EmployeeID) async throws(OperationError) -> Duration? {
    let fixedNow = core.deadlines?()
    let began = ContinuousClock.now
    let waited: TimeSpan? = try await core.transact { (session) throws(PostgresError) in
      // Read first: whatever makes the opening superfluous later increases the version.
      guard let record = try gather(employee, on: &session),
        let (planned, now) = try dueOpening(of: employee, at: fixedNow, on: &session)
      else { return .done(nil) }
      let step = GuardRules.step(
        record.state, .opened(at: planned.start, by: .plan, confirmBy: planned.end),
        policy: record.policy, now: now)
      guard case .waiting = step.answer else { return .lost }
      let guardCommit = GuardCommit(before: record, step: step, now: now)
      guard try guardCommit.claim(on: &session) else { return .lost }
      try session.pipeline(guardCommit.statements)
      return .done(now - planned.start, queued: step.notifications, at: now)
    }
    return waited.map { .milliseconds($0.milliseconds) + (ContinuousClock.now - began) }
  }
}
