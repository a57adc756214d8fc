import Postgres
import ReadModels
import ShiftDomain

// Table notification: the outbox, as workers see it. Everywhere `fixedNow` is the clock of
// deadlines; `nil`: the database's own, as `statement_timestamp()`, which an index can search by.
//
// `due_at` is when a notification is to be processed; while a worker processes it, when the lease
// ends: so the notifications of a crashed worker are found due like any other. The lease's number
// increases with every claim, and is checked in the WHERE of everything that its holder writes.
//
// During an upgrade, programs of the newer version queue topics that this one does not know. They
// are left to them.

let latestTopic = NotificationTopic.allCases.map(\.column).max() ?? 0

/// A notification leased to a worker.
package struct Claim: Hashable, Sendable {
  package var id: NotificationID
  package var notification: ShiftNotification
  package var lease: Int32
  package var attempts: Int16
  /// When somebody asked to retry it; `nil`: never.
  package var retriedAt: Instant?
}

/// The employees with due notifications.
/// - Parameters:
///   - start: Only those due from then on, so that a query does not start at dead entries of
///     finished notifications; `nil`: from the beginning.
///   - horizon: How far ahead to look for the next one: beyond are the dead entries of those that
///     were leased and are finished.
package func dueNotifications(
  from start: Instant?, at fixedNow: Instant?, limit: Int32, within horizon: TimeSpan,
  on session: inout Session
) throws(PostgresError) -> DueNotifications {
  var due = DueNotifications()
  try session.pipeline([
    selectDueNotifications(from: start, at: fixedNow, limit: limit),
    selectNextNotification(at: fixedNow, within: horizon),
  ]) { (position, rows) throws(PostgresError) in
    guard position == 0 else {
      let next: TimeSpan? = try rows.value(0, 0)
      due.next = next.map { max($0, .zero) }
      return
    }
    try rows.forEach { (row) throws(PostgresError) in
      let employee: EmployeeID = try row.next()
      if !due.employees.contains(employee) { due.employees.append(employee) }
      due.last = try row.next()
    }
  }
  return due
}

func selectDueNotifications(from start: Instant?, at fixedNow: Instant?, limit: Int32) -> SQL {
  """
  SELECT employee_id, due_at FROM notification
  WHERE due_at <= \(statementTime: fixedNow)
    AND due_at >= coalesce(\(start), '-infinity') AND topic <= \(latestTopic)
  ORDER BY due_at LIMIT \(limit)
  """
}

func selectNextNotification(at fixedNow: Instant?, within horizon: TimeSpan) -> SQL {
  """
  SELECT ceil(1000 * extract(
    epoch FROM min(due_at) - \(statementTime: fixedNow)))::bigint
  FROM notification
  WHERE due_at > \(statementTime: fixedNow) AND topic <= \(latestTopic)
    AND due_at <= \(statementTime: fixedNow)
      + \(horizon.milliseconds) * interval '1 millisecond'
  """
}

package func outboxTime(at fixedNow: Instant?, on session: inout Session) throws(PostgresError)
  -> Instant
{
  try session.run(selectTime(at: fixedNow)).value(0, 0)
}

/// A notification leased to a worker, under this number of the lease.
package struct LeasedNotification: Hashable, Sendable {
  package var id: NotificationID
  package var lease: Int32

  package init(_ id: NotificationID, under lease: Int32) { (self.id, self.lease) = (id, lease) }
}

/// Claims notifications about employees for a worker, with statements that run in one round trip
/// with others. Each locks rows of one employee, because Citus locks no others.
package struct Claiming: Sendable {
  package let employees: [EmployeeID]
  /// To be run in order; the results go to `add`.
  package let statements: [SQL]
  package private(set) var now = Instant(milliseconds: 0)
  /// By employee, in the order in which they were due.
  package private(set) var claims: [EmployeeID: [Claim]] = [:]
  /// Whose notifications each statement but the first claims.
  private let owners: [EmployeeID]

  /// Continues with an employee's leased notifications, except those whose lease was lost; or, with
  /// `nil`, claims due ones, except those that another transaction is claiming or changing.
  /// - Parameter work: Each employee once, in the order of their numbers: so no two transactions
  ///   wait for each other.
  package init(
    _ work: [(employee: EmployeeID, leased: [LeasedNotification]?)], at fixedNow: Instant?,
    for lease: TimeSpan
  ) {
    var (owners, claiming): ([EmployeeID], [SQL]) = ([], [])
    for (employee, leased) in work {
      let statements =
        leased?.map { selectHeldNotification($0.id, lease: $0.lease) }
        ?? [claimNotifications(of: employee, at: fixedNow, for: lease)]
      claiming += statements
      owners += statements.map { _ in employee }
    }
    self.owners = owners
    employees = work.map(\.employee)
    statements = [selectTime(at: fixedNow)] + claiming
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    guard position > 0 else { return now = try rows.value(0, 0) }
    let employee = owners[position - 1]
    try rows.forEach { (row) throws(PostgresError) in
      let notification = try ShiftNotification(from: &row)
      claims[employee, default: []].append(
        Claim(
          id: NotificationID(notification, of: employee), notification: notification,
          lease: try row.next(), attempts: try row.next(), retriedAt: try row.next()))
    }
    // An UPDATE returns rows in no particular order.
    claims[employee]?.sort {
      ($0.notification.dueAt, $0.id.subject) < ($1.notification.dueAt, $1.id.subject)
    }
  }
}

private func selectTime(at fixedNow: Instant?) -> SQL {
  "SELECT \(statementTime: fixedNow)"
}

func selectHeldNotification(_ id: NotificationID, lease: Int32) -> SQL {
  // Locked: until COMMIT nothing else claims it.
  """
  SELECT \(fragment: ShiftNotification.columns), first_due_at, lease, attempts, retried_at
  FROM notification
  WHERE employee_id = \(id.employee.rawValue) AND topic = \(id.topic.column)
    AND subject = \(id.subject) AND ordinal = \(id.ordinal) AND lease = \(lease)
  FOR UPDATE
  """
}

func claimNotifications(of employee: EmployeeID, at fixedNow: Instant?, for lease: TimeSpan) -> SQL
{
  // Materialized: otherwise the planner may run the selection again and claim more. After a failure
  // they are claimed one by one, so that the failing one does not affect the others.
  """
  WITH due AS MATERIALIZED (
    SELECT topic, subject, ordinal FROM notification
    WHERE employee_id = \(employee.rawValue)
      AND due_at <= \(statementTime: fixedNow) AND topic <= \(latestTopic)
    ORDER BY failures, due_at, topic, subject, ordinal
    LIMIT CASE WHEN EXISTS (
      SELECT FROM notification WHERE employee_id = \(employee.rawValue) AND failures > 0
          AND topic <= \(latestTopic))
      THEN 1 ELSE 20 END
    FOR UPDATE SKIP LOCKED)
  UPDATE notification AS claimed
  SET lease = claimed.lease + 1, leased = true,
    first_due_at = coalesce(claimed.first_due_at, claimed.due_at),
    due_at = \(statementTime: fixedNow)
      + \(lease.milliseconds) * interval '1 millisecond'
  FROM due
  WHERE claimed.employee_id = \(employee.rawValue) AND claimed.topic = due.topic
    AND claimed.subject = due.subject AND claimed.ordinal = due.ordinal
  RETURNING claimed.topic, claimed.subject, claimed.ordinal, claimed.kind, claimed.urgent,
    claimed.first_due_at, claimed.lease, claimed.attempts, claimed.retried_at
  """
}

/// Extends a lease, or releases it without a delay. Affects no row if the lease was lost.
package func extend(
  _ id: NotificationID, lease: Int32, at fixedNow: Instant?, by span: TimeSpan = .zero
) -> SQL {
  """
  UPDATE notification
  SET leased = \(span > .zero),
    due_at = \(statementTime: fixedNow)
      + \(span.milliseconds) * interval '1 millisecond'
  WHERE employee_id = \(id.employee.rawValue) AND topic = \(id.topic.column)
    AND subject = \(id.subject) AND ordinal = \(id.ordinal) AND lease = \(lease)
  """
}

/// Releases a notification until there is something to do for it; no row: the lease was lost.
/// `managersAt`: from when on it may go to the managers; `nil`: unchanged.
package func snooze(
  _ claim: Claim, until instant: Instant, attempts: Int16 = 0, managersAt: Instant?
) -> SQL {
  """
  UPDATE notification
  SET due_at = \(instant), leased = false, failures = 0,
    attempts = least(attempts + \(attempts)::integer, 32767),
    managers_at = coalesce(\(managersAt), managers_at)
  WHERE employee_id = \(claim.id.employee.rawValue) AND topic = \(claim.id.topic.column)
    AND subject = \(claim.id.subject) AND ordinal = \(claim.id.ordinal)
    AND lease = \(claim.lease)
  """
}

/// Counts attempts that are about to begin, and leases the notification until `end`. Affects one
/// row, or none: then the lease was lost. A `nil` leaves `end` or `managersAt` unchanged.
package func begin(
  _ claim: Claim, attempts: Int16, holdingUntil end: Instant?, managersAt: Instant?
) -> SQL {
  """
  UPDATE notification
  SET due_at = coalesce(\(end), due_at), failures = 0,
    attempts = least(attempts + \(attempts)::integer, 32767),
    managers_at = coalesce(\(managersAt), managers_at)
  WHERE employee_id = \(claim.id.employee.rawValue) AND topic = \(claim.id.topic.column)
    AND subject = \(claim.id.subject) AND ordinal = \(claim.id.ordinal)
    AND lease = \(claim.lease)
  """
}

/// Lets COMMIT return before the transaction is on disk. If the database crashes within a second,
/// the worker's last write is lost: the notification is found again and sent under the same key.
/// INVARIANT: not with a notification for an open app, whose number the app remembers.
package let commitSoon: SQL = "SET LOCAL synchronous_commit TO off"

/// Postpones what could not be processed, longer each time.
package func postpone(notificationsOf employee: EmployeeID, at fixedNow: Instant?) -> SQL {
  """
  WITH due AS MATERIALIZED (
    SELECT topic, subject, ordinal, \(statementTime: fixedNow)
        + least(power(2, failures), 60) * interval '1 second' AS retry_at
    FROM notification
    WHERE employee_id = \(employee.rawValue)
      AND due_at <= \(statementTime: fixedNow) AND topic <= \(latestTopic)
    ORDER BY failures, due_at, topic, subject, ordinal
    LIMIT CASE WHEN EXISTS (
      SELECT FROM notification WHERE employee_id = \(employee.rawValue) AND failures > 0
          AND topic <= \(latestTopic))
      THEN 1 ELSE 20 END
    FOR UPDATE SKIP LOCKED)
  UPDATE notification AS claimed
  SET lease = claimed.lease + 1, leased = false, failures = claimed.failures + 1,
    first_due_at = coalesce(claimed.first_due_at, claimed.due_at), due_at = due.retry_at
  FROM due
  WHERE claimed.employee_id = \(employee.rawValue) AND claimed.topic = due.topic
    AND claimed.subject = due.subject AND claimed.ordinal = due.ordinal
  """
}

/// The number of failures after which a notification becomes a dead letter.
package let failuresMax: Int16 = 8

/// The state of the outbox.
package func outboxLoad(at fixedNow: Instant?, on session: inout Session)
  throws(PostgresError) -> OutboxLoad
{
  try session.run(
    """
    SELECT (SELECT count(*) FROM notification),
      coalesce((SELECT ceil(1000 * extract(
        epoch FROM \(statementTime: fixedNow) - min(due_at)))::bigint
        FROM notification WHERE due_at <= \(statementTime: fixedNow)), 0),
      (SELECT count(*) FROM notification_history
        WHERE outcome IN (7, 8)
          AND finished_at > \(statementTime: fixedNow) - interval '7 days')
    """
  ).one { (row) throws(PostgresError) in
    OutboxLoad(waiting: try row.next(), lag: try row.next(), dead: try row.next())
  }
}
