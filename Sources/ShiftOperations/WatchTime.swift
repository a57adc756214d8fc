import GuardRules
import Postgres
public import ShiftDomain
public import ShiftStore

/// An employee for whom time alone changes something, and since when.
public typealias DueEmployee = ShiftStore.DueEmployee

extension Operations {
  /// Those for whom something is due, the longest waiting first. Which it is, the clock of
  /// deadlines decides.
  /// - Parameter last: The last one of the page before; `nil`: from the beginning.
  /// - Throws: `.unavailable`, `.broken`.
  public func due(after last: DueEmployee? = nil, limit: Int)
    async throws(OperationError) -> [DueEmployee]
  {
    let moved = deadlines?()
    return try await read { (session) throws(PostgresError) in
      try dueEmployees(at: moved, after: last, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// Does what time alone has made due for an employee: asks whether clocking out was forgotten, or
  /// why the break lasts so long, or ends the shift at its limit.
  ///
  /// Any number of callers may try at once: one of them does it.
  /// - Returns: How long it had been due when it was committed; `nil` when there was nothing to do,
  ///   because somebody else was first or the policy gives more time by now.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.conflict`, `.broken`.
  @discardableResult
  public func passTime(of employee: EmployeeID) async throws(OperationError) -> Duration? {
    let moved = deadlines?()
    let began = ContinuousClock.now
    let waited: TimeSpan? = try await transact { (session) throws(PostgresError) in
      guard let (dueAt, now) = try dueTime(of: employee, at: moved, on: &session),
        let record = try gather(employee, on: &session)
      else { return .done(nil) }
      let step = GuardRules.step(record.state, .time, policy: record.policy, now: now)
      let writing = GuardWriting(before: record, step: step, now: now)
      // Also without effects: what is due next was said under a former policy.
      guard try writing.claim(on: &session) else { return .lost }
      guard !step.effects.isEmpty else { return .done(nil) }
      try session.pipeline(writing.statements)
      return .done(now - dueAt, queued: step.notices, at: now)
    }
    return waited.map { .milliseconds($0.milliseconds) + (ContinuousClock.now - began) }
  }
}
