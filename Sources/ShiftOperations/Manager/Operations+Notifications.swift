import NotificationQueue
import Postgres
public import ShiftDomain
import ShiftStore

/// A delivery attempt.
public typealias DeliveryAttempt = NotificationQueue.DeliveryAttempt

/// The result of the maintenance of the notification tables.
public struct NotificationMaintenance: Hashable, Sendable {
  /// Weekly partitions created ahead.
  public var weeksMade = 0
  /// Weekly partitions dropped.
  public var weeksDropped = 0

  /// Whether anything was done.
  public var isSomething: Bool { weeksMade + weeksDropped > 0 }
}

extension Operations {
  /// The notifications of `employee`, or of all employees, that left the outbox, newest first.
  /// - Parameter deadOnly: Only dead letters.
  /// - Throws: `.notFound` for an unknown employee, `.unavailable`, `.broken`.
  public func finishedNotifications(of employee: EmployeeID?, deadOnly: Bool, limit: Int)
    async throws(OperationError) -> [NotificationRow]
  {
    try await list(of: employee) { (session) throws(PostgresError) in
      try notificationHistory(
        of: employee, deadOnly: deadOnly, limit: Int32(clamping: limit), on: &session
      ).map { NotificationRow($0) }
    }
  }

  /// The delivery attempts of a notification, in order.
  /// - Throws: `.unavailable`, `.broken`.
  public func deliveryAttempts(of row: NotificationRow) async throws(OperationError)
    -> [DeliveryAttempt]
  {
    try await read { (session) throws(PostgresError) in
      try NotificationQueue.deliveryAttempts(
        of: row.employee, since: row.queuedAt - .hours(1), on: &session
      ).filter {
        $0.id.topic == row.topic && $0.id.subject == row.subject && $0.id.ordinal == row.ordinal
      }
    }
  }

  /// Retries dead letters. Whether their problem still holds is checked before delivery.
  /// - Parameter employee: `nil`: of all employees.
  /// - Returns: How many.
  /// - Throws: `.notFound` for an unknown employee, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func retryDeadLetters(of employee: EmployeeID?) async throws(OperationError) -> Int {
    let fixedNow = deadlines?()
    if let employee { _ = try await self.employee(employee) }
    return try await transact { (session) throws(PostgresError) in
      let count = try session.execute(requeue(deadLettersOf: employee, at: fixedNow))
      return count > 0 ? .queued(count) : .done(count)
    }
  }

  /// Processes an employee's pending notifications at once, whatever they wait for.
  /// - Returns: How many; without those that a worker is processing.
  /// - Throws: `.notFound` for an unknown employee, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func deliverNotificationsNow(of employee: EmployeeID) async throws(OperationError) -> Int {
    let fixedNow = deadlines?()
    _ = try await self.employee(employee)
    return try await transact { (session) throws(PostgresError) in
      let count = try session.execute(deliverNow(notificationsOf: employee, at: fixedNow))
      return count > 0 ? .queued(count) : .done(count)
    }
  }

  /// Creates the weekly partitions of delivery attempts and history from last week to eight weeks
  /// ahead, and deletes those older than the retention of coverage. Any number of instances may do
  /// this at once.
  /// - Throws: `.unavailable`, also while the table is locked, `.outcomeUnknown`, `.broken`;
  ///   what was done until then is done.
  public func maintainNotifications() async throws(OperationError) -> NotificationMaintenance {
    let present = now()
    var result = NotificationMaintenance()
    result.weeksMade = try await transact { (session) throws(PostgresError) in
      .done(
        Int(try makeNotificationWeeks(from: present - .hours(7 * 24), count: 10, on: &session)))
    }
    let cutoff = try await retention().cutoff(of: .coverage, now: present)
    while try await dropNotificationWeek(before: cutoff) { result.weeksDropped += 1 }
    try await transact { (session) throws(PostgresError) in
      try session.pipeline(
        deleteNotifications(before: cutoff)
          + [deleteDetections(before: cutoff), deleteRestorations(before: cutoff)])
      return .done(())
    }
    return result
  }

  /// In its own transaction, because it locks the table.
  private func dropNotificationWeek(before cutoff: Instant) async throws(OperationError) -> Bool {
    try await transact { (session) throws(PostgresError) in
      .done(try NotificationQueue.dropNotificationWeek(before: cutoff, on: &session) != nil)
    }
  }
}
