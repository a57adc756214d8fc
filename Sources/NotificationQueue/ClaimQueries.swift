public import Postgres
public import ShiftDomain

// Table notification: the outbox, as workers see it. Everywhere `moved` is the clock of
// deadlines; `nil`: the database's own, as `statement_timestamp()`, which an index can search by.
//
// `due_at` is when a message is to be looked at; while somebody works at it, when the lease ends: a
// dead worker's messages are so found due like any other. The lease's number grows with every claim
// and stands in the WHERE of all that its holder writes.

/// A message's place in the outbox.
public struct NoticeID: Hashable, Sendable {
  /// Whom it is about.
  public var employee: EmployeeID
  /// What it is about.
  public var topic: NoticeTopic
  /// The number of that.
  public var subject: Int32
  /// Its place among those.
  public var ordinal: Int16

  /// The place of `notice`.
  public init(_ notice: Notice, of employee: EmployeeID) {
    self.employee = employee
    topic = notice.topic
    subject = notice.subject
    ordinal = notice.ordinal
  }

  /// Its name outside: `e7-t0-s3-o1`.
  public var key: String { "e\(employee.rawValue)-t\(topic.rawValue)-s\(subject)-o\(ordinal)" }
}

/// A message that a worker holds, until the lease ends.
public struct Claim: Hashable, Sendable {
  /// Which.
  public var id: NoticeID
  /// The message; due when it was due first.
  public var notice: Notice
  /// The number of the lease.
  public var lease: Int32
  /// How many tries were begun so far.
  public var attempts: Int16
}

/// Whom there is something to tell about.
public struct DueNotices: Hashable, Sendable {
  /// Each once, the longest waiting first.
  public var employees: [EmployeeID] = []
  /// When the last of them was due: where the next look may begin.
  public var last: Instant?
  /// From now to the next message that is not due yet; `nil` when none waits.
  public var next: TimeSpan?
}

/// Whom there is something to tell about.
/// - Parameter start: Only what is due from then on, so that a look does not begin at the dead
///   entries of what was told already; `nil`: from the beginning.
public func dueNotices(
  from start: Instant?, at moved: Instant?, limit: Int32, on session: inout Session
) throws(PostgresError) -> DueNotices {
  var due = DueNotices()
  try session.pipeline([
    selectDueNotices(from: start, at: moved, limit: limit), selectNextNotice(at: moved),
  ]) { (position, rows) throws(PostgresError) in
    guard position == 0 else {
      if let next: Int64 = try rows.value(0, 0) { due.next = .milliseconds(max(next, 0)) }
      return
    }
    for row in 0..<rows.count {
      let employee = EmployeeID(try rows.value(row, 0))
      if !due.employees.contains(employee) { due.employees.append(employee) }
      due.last = try rows.value(row, 1)
    }
  }
  return due
}

func selectDueNotices(from start: Instant?, at moved: Instant?, limit: Int32) -> SQL {
  """
  SELECT employee_id, due_at FROM notification
  WHERE due_at <= coalesce(\(moved), statement_timestamp())
    AND due_at >= coalesce(\(start), '-infinity')
  ORDER BY due_at LIMIT \(limit)
  """
}

func selectNextNotice(at moved: Instant?) -> SQL {
  """
  SELECT ceil(1000 * extract(
    epoch FROM min(due_at) - coalesce(\(moved), statement_timestamp())))::bigint
  FROM notification
  WHERE due_at > coalesce(\(moved), statement_timestamp())
  """
}

/// What time it is.
public func outboxTime(at moved: Instant?, on session: inout Session) throws(PostgresError)
  -> Instant
{
  try session.run(selectTime(at: moved)).value(0, 0)
}

/// Takes what a worker is to work at, as statements to run in one round trip with others.
public struct Claiming: Sendable {
  /// To run in order; what they found goes to `add`.
  public let statements: [SQL]
  /// What time it is.
  public private(set) var now = Instant(milliseconds: 0)
  /// What was taken, the oldest first.
  public private(set) var claims: [Claim] = []
  private let employee: EmployeeID

  /// Claims what is due about `employee`. What somebody else is claiming or changing right now is
  /// left to him.
  public init(noticesOf employee: EmployeeID, at moved: Instant?, for lease: TimeSpan) {
    self.employee = employee
    statements = [selectTime(at: moved), claimNotices(of: employee, at: moved, for: lease)]
  }

  /// Goes on with messages about `employee` that are held; those whose lease was lost are left out.
  public init(_ held: [(id: NoticeID, lease: Int32)], of employee: EmployeeID, at moved: Instant?) {
    self.employee = employee
    statements =
      [selectTime(at: moved)]
      + held.map { selectHeldNotice($0.id, lease: $0.lease) }
  }

  /// Takes in what the statement at `position` found.
  public mutating func add(_ position: Int, _ rows: borrowing Rows) throws(PostgresError) {
    guard position > 0 else { return now = try rows.value(0, 0) }
    for row in 0..<rows.count {
      let notice = try rows.notice(row, from: 0)
      claims.append(
        Claim(
          id: NoticeID(notice, of: employee), notice: notice, lease: try rows.value(row, 6),
          attempts: try rows.value(row, 7)))
    }
    // An UPDATE returns rows in no order of ours.
    claims.sort { ($0.notice.dueAt, $0.id.subject) < ($1.notice.dueAt, $1.id.subject) }
  }
}

private func selectTime(at moved: Instant?) -> SQL {
  "SELECT coalesce(\(moved), statement_timestamp())"
}

func selectHeldNotice(_ id: NoticeID, lease: Int32) -> SQL {
  // Locked: from here to COMMIT nobody else takes it.
  """
  SELECT topic, subject, ordinal, kind, urgent, first_due_at, lease, attempts FROM notification
  WHERE employee_id = \(id.employee.rawValue) AND topic = \(id.topic.column)
    AND subject = \(id.subject) AND ordinal = \(id.ordinal) AND lease = \(lease)
  FOR UPDATE
  """
}

func claimNotices(of employee: EmployeeID, at moved: Instant?, for lease: TimeSpan) -> SQL {
  // Materialized: otherwise the planner may run the selection again and claim more. Once a message
  // could not be worked at, they are taken one by one: it shall not take the others along.
  """
  WITH due AS MATERIALIZED (
    SELECT topic, subject, ordinal FROM notification
    WHERE employee_id = \(employee.rawValue)
      AND due_at <= coalesce(\(moved), statement_timestamp())
    ORDER BY failures, due_at, topic, subject, ordinal
    LIMIT CASE WHEN EXISTS (
      SELECT FROM notification WHERE employee_id = \(employee.rawValue) AND failures > 0)
      THEN 1 ELSE 20 END
    FOR UPDATE SKIP LOCKED)
  UPDATE notification AS taken
  SET lease = taken.lease + 1, held = true,
    first_due_at = coalesce(taken.first_due_at, taken.due_at),
    due_at = coalesce(\(moved), statement_timestamp())
      + \(lease.milliseconds) * interval '1 millisecond'
  FROM due
  WHERE taken.employee_id = \(employee.rawValue) AND taken.topic = due.topic
    AND taken.subject = due.subject AND taken.ordinal = due.ordinal
  RETURNING taken.topic, taken.subject, taken.ordinal, taken.kind, taken.urgent, taken.first_due_at,
    taken.lease, taken.attempts
  """
}

/// Holds a message for longer, or lets go of it with nothing to wait for. Affects one row, or none:
/// then the lease was lost.
public func extend(
  _ id: NoticeID, lease: Int32, at moved: Instant?, by span: TimeSpan = .zero
) -> SQL {
  """
  UPDATE notification
  SET held = \(span > .zero),
    due_at = coalesce(\(moved), statement_timestamp())
      + \(span.milliseconds) * interval '1 millisecond'
  WHERE employee_id = \(id.employee.rawValue) AND topic = \(id.topic.column)
    AND subject = \(id.subject) AND ordinal = \(id.ordinal) AND lease = \(lease)
  """
}

/// Lets go of a message until there is something to do for it. Affects one row, or none: then the
/// lease was lost.
/// - Parameters:
///   - tries: How many were made meanwhile.
///   - managersAt: From when on it is one for the managers; `nil` leaves that as it is.
public func snooze(
  _ claim: Claim, until instant: Instant, tries: Int16 = 0, managersAt: Instant?
) -> SQL {
  """
  UPDATE notification
  SET due_at = \(instant), held = false, failures = 0,
    attempts = least(attempts + \(tries)::integer, 32767),
    managers_at = coalesce(\(managersAt), managers_at)
  WHERE employee_id = \(claim.id.employee.rawValue) AND topic = \(claim.id.topic.column)
    AND subject = \(claim.id.subject) AND ordinal = \(claim.id.ordinal)
    AND lease = \(claim.lease)
  """
}

/// Counts tries that are about to begin. Affects one row, or none: then the lease was lost.
/// - Parameters:
///   - end: Until when the message is held; `nil`: as long as it is.
///   - managersAt: From when on it is one for the managers; `nil` leaves that as it is.
public func begin(
  _ claim: Claim, tries: Int16, holdingUntil end: Instant?, managersAt: Instant?
) -> SQL {
  """
  UPDATE notification
  SET due_at = coalesce(\(end), due_at), failures = 0,
    attempts = least(attempts + \(tries)::integer, 32767),
    managers_at = coalesce(\(managersAt), managers_at)
  WHERE employee_id = \(claim.id.employee.rawValue) AND topic = \(claim.id.topic.column)
    AND subject = \(claim.id.subject) AND ordinal = \(claim.id.ordinal)
    AND lease = \(claim.lease)
  """
}

/// Lets COMMIT answer before the transaction is on disk. When the database crashes within the next
/// second, what a worker wrote last is undone as if it had died before: the message is found again
/// and goes out under the same key.
///
/// INVARIANT: not with a message for an open app, whose number the app remembers.
public let commitSoon: SQL = "SET LOCAL synchronous_commit TO off"

/// Puts off what the next claim about an employee would take, since that could not be worked at:
/// longer each time.
public func setAside(noticesOf employee: EmployeeID, at moved: Instant?) -> SQL {
  """
  WITH due AS MATERIALIZED (
    SELECT topic, subject, ordinal FROM notification
    WHERE employee_id = \(employee.rawValue)
      AND due_at <= coalesce(\(moved), statement_timestamp())
    ORDER BY failures, due_at, topic, subject, ordinal
    LIMIT CASE WHEN EXISTS (
      SELECT FROM notification WHERE employee_id = \(employee.rawValue) AND failures > 0)
      THEN 1 ELSE 20 END
    FOR UPDATE SKIP LOCKED)
  UPDATE notification AS taken
  SET lease = taken.lease + 1, held = false, failures = taken.failures + 1,
    first_due_at = coalesce(taken.first_due_at, taken.due_at),
    due_at = coalesce(\(moved), statement_timestamp())
      + least(power(2, taken.failures), 60) * interval '1 second'
  FROM due
  WHERE taken.employee_id = \(employee.rawValue) AND taken.topic = due.topic
    AND taken.subject = due.subject AND taken.ordinal = due.ordinal
  """
}

/// So often a message cannot be worked at before it is a dead letter.
public let failuresMax: Int16 = 8

/// How many messages wait, and since when the one that has been due longest is; dead letters too.
public struct OutboxLoad: Hashable, Sendable {
  /// Messages not finished, whether due or not.
  public var waiting: Int64
  /// How long the longest due has been; zero when none is. A message being worked at is not due.
  public var lag: TimeSpan
  /// Dead letters of the last seven days.
  public var dead: Int64
}

/// What there is in the outbox.
public func outboxLoad(at moved: Instant?, on session: inout Session)
  throws(PostgresError) -> OutboxLoad
{
  let rows = try session.run(
    """
    SELECT (SELECT count(*) FROM notification),
      coalesce((SELECT ceil(1000 * extract(
        epoch FROM coalesce(\(moved), statement_timestamp()) - min(due_at)))::bigint
        FROM notification WHERE due_at <= coalesce(\(moved), statement_timestamp())), 0),
      (SELECT count(*) FROM notification_history
        WHERE ending IN (7, 8)
          AND finished_at > coalesce(\(moved), statement_timestamp()) - interval '7 days')
    """)
  return OutboxLoad(
    waiting: try rows.value(0, 0), lag: .milliseconds(try rows.value(0, 1)),
    dead: try rows.value(0, 2))
}
