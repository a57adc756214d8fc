import NotificationQueue
import Postgres
public import ShiftDomain
import ShiftStore

/// A try to reach somebody with a message.
public typealias NotificationTry = NotificationQueue.Attempt

/// What the care of the messages' tables came to.
public struct MessageCare: Hashable, Sendable {
  /// Weekly partitions made ahead.
  public var weeksMade = 0
  /// Weekly partitions dropped.
  public var weeksDropped = 0

  /// Whether there was anything to do.
  public var isSomething: Bool { weeksMade + weeksDropped > 0 }
}

extension Operations {
  /// The messages of `employee`, or of everybody, that left the outbox, the newest first.
  /// - Parameter deadOnly: Only those that reached nobody.
  /// - Throws: `.notFound` for an unknown employee, `.unavailable`, `.broken`.
  public func finishedNotifications(of employee: EmployeeID?, deadOnly: Bool, limit: Int)
    async throws(OperationError) -> [NotificationRow]
  {
    try await list(of: employee) { (session) throws(PostgresError) in
      try finishedNotices(
        of: employee, deadOnly: deadOnly, limit: Int32(clamping: limit), on: &session
      ).map { NotificationRow($0) }
    }
  }

  /// Whom it was tried to reach with a message, in order.
  /// - Throws: `.unavailable`, `.broken`.
  public func tries(of row: NotificationRow) async throws(OperationError) -> [NotificationTry] {
    try await read { (session) throws(PostgresError) in
      try NotificationQueue.attempts(
        of: row.employee, since: row.queuedAt - .hours(1), on: &session
      ).filter {
        $0.id.topic == row.topic && $0.id.subject == row.subject && $0.id.ordinal == row.ordinal
      }
    }
  }

  /// Sends dead letters on their way again. What they tell is asked again before anybody is told.
  /// - Parameter employee: `nil`: those of everybody.
  /// - Returns: How many.
  /// - Throws: `.notFound` for an unknown employee, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func retryDeadLetters(of employee: EmployeeID?) async throws(OperationError) -> Int {
    let moved = deadlines?()
    if let employee { _ = try await self.employee(employee) }
    return try await transact { (session) throws(PostgresError) in
      let count = try session.execute(redrive(deadLettersOf: employee, at: moved))
      return count > 0 ? .queued(count) : .done(count)
    }
  }

  /// Has what waits about an employee looked at at once, whatever it waits for.
  /// - Returns: How many messages; not those that somebody works at.
  /// - Throws: `.notFound` for an unknown employee, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func hastenNotifications(of employee: EmployeeID) async throws(OperationError) -> Int {
    let moved = deadlines?()
    _ = try await self.employee(employee)
    return try await transact { (session) throws(PostgresError) in
      let count = try session.execute(hasten(noticesOf: employee, at: moved))
      return count > 0 ? .queued(count) : .done(count)
    }
  }

  /// Makes the weekly partitions of tries and history from last week to eight weeks ahead, and
  /// forgets what was kept as long as coverage. Any number of instances may do it at once.
  /// - Throws: `.unavailable`, also while somebody reads for long, `.outcomeUnknown`, `.broken`;
  ///   what was done until then is done.
  public func careForMessages() async throws(OperationError) -> MessageCare {
    let present = now()
    var care = MessageCare()
    care.weeksMade = try await transact { (session) throws(PostgresError) in
      .done(
        Int(try makeMessageWeeks(from: present - .hours(7 * 24), count: 10, on: &session)))
    }
    let cutoff = try await retention().cutoff(of: .coverage, now: present)
    while try await dropMessageWeek(before: cutoff) { care.weeksDropped += 1 }
    try await transact { (session) throws(PostgresError) in
      try session.pipeline(
        deleteMessages(before: cutoff)
          + [deleteDetections(before: cutoff), deleteRestorations(before: cutoff)])
      return .done(())
    }
    return care
  }

  /// In a transaction of its own: it keeps everybody else from the table.
  private func dropMessageWeek(before cutoff: Instant) async throws(OperationError) -> Bool {
    try await transact { (session) throws(PostgresError) in
      .done(try NotificationQueue.dropMessageWeek(before: cutoff, on: &session) != nil)
    }
  }
}
