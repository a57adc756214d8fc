import Postgres
import ReadModels
import ShiftDomain

// Table notification_history: what left the outbox. A dead letter can be retried.

/// Moves a notification to history; no row: the lease was lost. `reason` must be safe to show.
package func finish(
  _ claim: Claim, _ ending: NotificationEnding, attempts: Int16 = 0, reason: String? = nil,
  at now: Instant
) -> SQL {
  """
  WITH finished AS (
    DELETE FROM notification
    WHERE employee_id = \(claim.id.employee.rawValue) AND topic = \(claim.id.topic.column)
      AND subject = \(claim.id.subject) AND ordinal = \(claim.id.ordinal)
      AND lease = \(claim.lease)
    RETURNING employee_id, topic, subject, ordinal, kind, urgent, queued_at,
      least(attempts + \(attempts)::integer, 32767) AS attempts,
      coalesce(first_due_at, due_at) AS due_at)
  INSERT INTO notification_history (
    employee_id, topic, subject, ordinal, kind, urgent, queued_at, attempts, due_at, finished_at,
    outcome, reason)
  SELECT employee_id, topic, subject, ordinal, kind, urgent, queued_at, attempts, due_at, \(now),
    \(ending.column), \(reason.map { String($0.prefix(500)) })
  FROM finished
  """
}

/// Moves to history what could not be processed for too long.
package func moveToDeadLetters(
  notificationsOf employee: EmployeeID, reason: String, at fixedNow: Instant?
) -> SQL {
  """
  WITH finished AS (
    DELETE FROM notification
    WHERE employee_id = \(employee.rawValue) AND failures >= \(failuresMax)
      AND topic <= \(latestTopic)
    RETURNING employee_id, topic, subject, ordinal, kind, urgent, queued_at, attempts,
      coalesce(first_due_at, due_at) AS due_at)
  INSERT INTO notification_history (
    employee_id, topic, subject, ordinal, kind, urgent, queued_at, attempts, due_at, finished_at,
    outcome, reason)
  SELECT employee_id, topic, subject, ordinal, kind, urgent, queued_at, attempts, due_at,
    \(statementTime: fixedNow), \(NotificationEnding.failed.column),
    \(String(reason.prefix(500)))
  FROM finished
  """
}

/// Retries dead letters of `employee`, or all. Delivery checks whether their problem still holds.
package func requeue(deadLettersOf employee: EmployeeID?, at fixedNow: Instant?) -> SQL {
  """
  WITH dead_letter AS (
    DELETE FROM notification_history
    WHERE outcome IN (7, 8)
      AND (\(employee?.rawValue) IS NULL OR employee_id = \(employee?.rawValue))
    RETURNING employee_id, topic, subject, ordinal, kind, urgent, queued_at, attempts, due_at)
  INSERT INTO notification (
    employee_id, topic, subject, ordinal, kind, urgent, queued_at, attempts, first_due_at, due_at,
    retried_at)
  SELECT employee_id, topic, subject, ordinal, kind, urgent, queued_at, attempts, due_at,
    \(statementTime: fixedNow), \(statementTime: fixedNow)
  FROM dead_letter
  ORDER BY employee_id, topic, subject, ordinal
  """
}

/// Retries an employee's pending notifications at once, except leased ones: no back-off and no
/// circuit breaker delays the next attempt.
package func retry(notificationsOf employee: EmployeeID, at fixedNow: Instant?) -> SQL {
  """
  UPDATE notification
  SET first_due_at = coalesce(first_due_at, due_at), retried_at = \(statementTime: fixedNow),
    due_at = least(due_at, \(statementTime: fixedNow))
  WHERE employee_id = \(employee.rawValue) AND NOT leased
  """
}

/// The same for all that were processed before.
package func retryEverything(at fixedNow: Instant?) -> SQL {
  """
  UPDATE notification
  SET retried_at = \(statementTime: fixedNow),
    due_at = least(due_at, \(statementTime: fixedNow))
  WHERE first_due_at IS NOT NULL AND NOT leased AND topic <= \(latestTopic)
  """
}

/// Makes an employee's pending notifications due at once, except leased ones.
package func deliverNow(notificationsOf employee: EmployeeID, at fixedNow: Instant?) -> SQL {
  """
  UPDATE notification
  SET first_due_at = coalesce(first_due_at, due_at),
    due_at = least(due_at, \(statementTime: fixedNow))
  WHERE employee_id = \(employee.rawValue) AND NOT leased
  """
}

/// The same for the employees of `team`, whose managers can be notified now.
package func deliverNow(notificationsOf team: TeamID, at fixedNow: Instant?) -> SQL {
  """
  UPDATE notification
  SET first_due_at = coalesce(first_due_at, due_at),
    due_at = least(due_at, \(statementTime: fixedNow))
  WHERE employee_id IN (SELECT employee_id FROM employee WHERE team_id = \(team.rawValue))
    AND NOT leased
  """
}

/// The notifications that left the outbox, of `employee` or of all employees, newest first.
/// - Parameter deadOnly: Only dead letters.
package func notificationHistory(
  of employee: EmployeeID?, in scope: TeamScope = TeamScope(), since: Instant? = nil,
  deadOnly: Bool, limit: Int32, on session: inout Session
) throws(PostgresError) -> [NotificationRow] {
  try session.run(
    selectNotificationHistory(
      of: employee, in: scope, since: since, deadOnly: deadOnly, limit: limit)
  ).map(NotificationRow.init(finished:))
}

func selectNotificationHistory(
  of employee: EmployeeID?, in scope: TeamScope = TeamScope(), since: Instant? = nil,
  deadOnly: Bool, limit: Int32
) -> SQL {
  """
  SELECT employee_id, \(fragment: ShiftNotification.columns), due_at, queued_at, attempts,
    finished_at, outcome, reason
  FROM notification_history
  WHERE (\(employee?.rawValue) IS NULL OR employee_id = \(employee?.rawValue))
    AND (NOT \(deadOnly) OR outcome IN (7, 8))
    AND queued_at >= coalesce(\(since), '-infinity')
    AND EXISTS (
      SELECT FROM employee WHERE employee.employee_id = notification_history.employee_id
        AND \(employeeIn: scope, asked: employee))
  ORDER BY finished_at DESC, employee_id, topic, subject, ordinal
  LIMIT \(limit)
  """
}

extension NotificationRow {
  fileprivate init(finished row: inout RowReader) throws(PostgresError) {
    self.init(
      employee: try row.next(), notification: try ShiftNotification(from: &row),
      queuedAt: try row.next(), attempts: try row.next(), finishedAt: try row.next(),
      ending: try row.next(), reason: try row.next())
  }
}

/// Reads an employee's notifications, pending and finished.
package struct NotificationsReading: Reading {
  package let statements: [SQL]
  /// Those in the outbox, oldest first.
  package private(set) var waiting: [NotificationRow] = []
  /// Those that left it, newest first.
  package private(set) var finished: [NotificationRow] = []

  /// - Parameter limit: How many at most, of each.
  package init(of employee: EmployeeID, limit: Int32) {
    statements = [
      selectWaitingNotifications(of: employee, limit: limit),
      selectNotificationHistory(of: employee, deadOnly: false, limit: limit),
    ]
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    if position == 0 {
      waiting = try rows.map(NotificationRow.init(waiting:))
    } else {
      finished = try rows.map(NotificationRow.init(finished:))
    }
  }
}

/// Creates `count` weekly partitions from that of `first` on; returns how many were new.
package func makeNotificationWeeks(from first: Instant, count: Int32, on session: inout Session)
  throws(PostgresError) -> Int32
{
  try session.run("SELECT create_notification_weeks(\(first), \(count))").value(0, 0)
}

/// Drops a week that is wholly before `cutoff`; returns its name, `nil` if there is none.
package func dropNotificationWeek(before cutoff: Instant, on session: inout Session)
  throws(PostgresError) -> String?
{
  try session.run("SELECT drop_notification_week(\(cutoff))").value(0, 0)
}

/// Deletes what is in no weekly partition, and old notifications that apps have received. The
/// newest notification of each employee stays, because numbering continues from it.
package func deleteNotifications(before cutoff: Instant) -> [SQL] {
  [
    "DELETE FROM delivery_attempt_other WHERE started_at < \(cutoff)",
    "DELETE FROM notification_history_other WHERE finished_at < \(cutoff)",
    """
    DELETE FROM inbox
    WHERE created_at < \(cutoff)
      AND EXISTS (
        SELECT FROM inbox AS newer
        WHERE newer.employee_id = inbox.employee_id
          AND newer.notification_no > inbox.notification_no)
    """,
  ]
}
