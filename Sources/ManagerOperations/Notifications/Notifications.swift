import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain

extension ManagerOperations {
  /// The notifications of `employee`, or of all employees, that left the outbox, newest first.
  package func finishedNotifications(of employee: EmployeeID?, deadOnly: Bool, limit: Int)
    async throws(OperationError) -> [NotificationRow]
  {
    try await list(of: employee) { (session) throws(PostgresError) in
      try notificationHistory(
        of: employee, deadOnly: deadOnly, limit: Int32(clamping: limit), on: &session
      )
    }
  }

  package func deliveryAttempts(of row: NotificationRow) async throws(OperationError)
    -> [DeliveryAttempt]
  {
    try await core.read { (session) throws(PostgresError) in
      try NotificationQueue.deliveryAttempts(
        of: row.employee, since: row.queuedAt - .hours(1), on: &session
      ).filter { $0.id == NotificationID(row.notification, of: row.employee) }
    }
  }

  /// Retries dead letters of `employee`, or of all employees. Whether their problem still holds is
  /// checked before delivery.
  /// - Returns: How many.
  package func retryDeadLetters(of employee: EmployeeID?) async throws(OperationError) -> Int {
    let fixedNow = core.deadlines?()
    if let employee { _ = try await self.employee(employee) }
    return try await core.transact { (session) throws(PostgresError) in
      let count = try session.execute(requeue(deadLettersOf: employee, at: fixedNow))
      return count > 0 ? .queued(count) : .done(count)
    }
  }

  /// Processes an employee's pending notifications at once, whatever they wait for.
  /// - Returns: How many; without those that a worker is processing.
  package func deliverNotificationsNow(of employee: EmployeeID) async throws(OperationError) -> Int
  {
    let fixedNow = core.deadlines?()
    _ = try await self.employee(employee)
    return try await core.transact { (session) throws(PostgresError) in
      let count = try session.execute(deliverNow(notificationsOf: employee, at: fixedNow))
      return count > 0 ? .queued(count) : .done(count)
    }
  }
}
