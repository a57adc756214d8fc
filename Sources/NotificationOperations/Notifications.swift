import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension NotificationOperations {
  /// The notifications of `employee`, or of all employees in `scope`, that left the outbox, newest
  /// first.
  package func finishedNotifications(
    of employee: EmployeeID?, in scope: TeamScope = TeamScope(), since: Instant? = nil,
    deadOnly: Bool, limit: Int
  ) async throws(OperationError) -> [NotificationRow] {
    try await core.list(of: employee) { (session) throws(PostgresError) in
      try notificationHistory(
        of: employee, in: scope, since: since, deadOnly: deadOnly, limit: Int32(clamping: limit),
        on: &session)
    }
  }

  package func deliveryAttempts(of row: NotificationRow) async throws(OperationError)
    -> [DeliveryAttempt]
  {
    try await core.read { (session) throws(PostgresError) in
      try session.value(of: [row].attempts)[row.id] ?? []
    }
  }

  /// Retries dead letters of `employee`, or of all employees. Whether their problem still holds is
  /// checked before delivery.
  /// - Returns: How many.
  package func retryDeadLetters(of employee: EmployeeID?, by principal: Principal)
    async throws(OperationError) -> Int
  {
    if let employee { _ = try await core.team(of: employee) }
    return try await makeDue(
      requeue(deadLettersOf: employee, at: core.deadlines?()), of: employee, .deadLettersRetried,
      by: principal)
  }

  /// Retries an employee's pending notifications at once, whatever they wait for.
  /// - Returns: How many; without those that a worker is processing.
  package func retryNotifications(of employee: EmployeeID, by principal: Principal)
    async throws(OperationError) -> Int
  {
    _ = try await core.team(of: employee)
    return try await makeDue(
      retry(notificationsOf: employee, at: core.deadlines?()), of: employee,
      .notificationsRetried, by: principal)
  }

  /// The delivery attempts about `employee` since `start`, in order.
  package func deliveryAttempts(of employee: EmployeeID, since start: Instant)
    async throws(OperationError) -> [DeliveryAttempt]
  {
    try await core.read { (session) throws(PostgresError) in
      try NotificationQueue.deliveryAttempts(of: employee, since: start, on: &session)
    }
  }

  private func makeDue(
    _ statement: SQL, of employee: EmployeeID?, _ action: AuditAction, by principal: Principal
  ) async throws(OperationError) -> Int {
    try principal.actor.check(reason: nil)
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      // An employee who is being erased gets no entry.
      if let employee { _ = try session.run(lockAgainstErasure(of: employee)) }
      let count = try session.execute(statement)
      guard count > 0 else { return .done(count) }
      try audit(
        action, by: principal, at: at, about: employee,
        reason: count == 1 ? "1 notification" : "\(count) notifications", on: &session)
      return .queued(count)
    }
  }

  /// The pending notifications of `employee`, or of all employees in `scope`, oldest first.
  /// - Throws: `.notFound` for an unknown employee.
  package func notifications(
    of employee: EmployeeID?, in scope: TeamScope = TeamScope(), since: Instant? = nil, limit: Int
  ) async throws(OperationError) -> [NotificationRow] {
    try await core.list(of: employee) { (session) throws(PostgresError) in
      try waitingNotifications(
        of: employee, in: scope, since: since, limit: Int32(clamping: limit), on: &session)
    }
  }
}
