import Postgres
import ReadModels
import ShiftDomain

// Table delivery_attempt: each delivery attempt to one address. Written before the request and
// completed after it, so that a crash leaves an attempt with an unknown outcome.

/// Stores that an attempt begins.
package func insert(_ attempt: DeliveryAttempt) -> SQL {
  """
  INSERT INTO delivery_attempt (
    employee_id, topic, subject, ordinal, attempt_no, step, recipient, kind, started_at, channel,
    held, covered)
  VALUES (
    \(attempt.id.employee.rawValue), \(attempt.id.topic.column), \(attempt.id.subject),
    \(attempt.id.ordinal), \(attempt.number), \(attempt.step.column), \(attempt.recipient),
    \(attempt.kind?.column), \(attempt.begunAt), \(attempt.channel?.column),
    \(attempt.held.map { Int16(bitPattern: $0.rawValue) }),
    \(attempt.covered.isEmpty ? nil : Int16(bitPattern: attempt.covered.rawValue)))
  """
}

/// Stores the outcome of an attempt, whoever holds the lease now.
package func complete(
  _ attempt: DeliveryAttempt, retryAfter pause: TimeSpan? = nil, at fixedNow: Instant?
) -> SQL {
  """
  UPDATE delivery_attempt
  SET outcome = \(attempt.outcome?.column),
    retry_at = \(statementTime: fixedNow)
      + \(pause?.milliseconds) * interval '1 millisecond',
    reason = \(attempt.reason.map { String($0.prefix(500)) }),
    reference = \(attempt.reference.map { String($0.prefix(200)) }),
    ended_at = \(statementTime: fixedNow)
  WHERE employee_id = \(attempt.id.employee.rawValue) AND topic = \(attempt.id.topic.column)
    AND subject = \(attempt.id.subject) AND ordinal = \(attempt.id.ordinal)
    AND attempt_no = \(attempt.number) AND started_at = \(attempt.begunAt)
  """
}

func selectDeliveryAttempts(of employee: EmployeeID, since start: Instant) -> SQL {
  """
  SELECT topic, subject, ordinal, attempt_no, step, recipient, kind, started_at, outcome, retry_at,
    reason, reference, channel, held, covered
  FROM delivery_attempt
  WHERE employee_id = \(employee.rawValue) AND started_at >= \(start)
  ORDER BY started_at, attempt_no
  """
}

package func deliveryAttempts(
  of employee: EmployeeID, since start: Instant, on session: inout Session
)
  throws(PostgresError) -> [DeliveryAttempt]
{
  try session.run(selectDeliveryAttempts(of: employee, since: start)).deliveryAttempts(of: employee)
}

/// The newest attempts to notify `device` since `start`, by push or in its open app, the newest
/// first.
package func deliveryAttempts(
  to device: DeviceID, since start: Instant, limit: Int32, on session: inout Session
) throws(PostgresError) -> [DeliveryAttempt] {
  try session.run(selectDeliveryAttempts(to: device, since: start, limit: limit))
    .deliveryAttempts(of: device.employee)
}

func selectDeliveryAttempts(to device: DeviceID, since start: Instant, limit: Int32) -> SQL {
  """
  SELECT topic, subject, ordinal, attempt_no, step, recipient, kind, started_at, outcome, retry_at,
    reason, reference, channel, held, covered
  FROM delivery_attempt
  WHERE employee_id = \(device.employee.rawValue) AND started_at >= \(start)
    AND recipient = \(device.number)
    AND step IN (\(EscalationStep.inApp.column), \(EscalationStep.push.column))
  ORDER BY started_at DESC, attempt_no DESC
  LIMIT \(limit)
  """
}

/// The attempts at `notifications` of one employee since `start`, by notification and in order.
package func deliveryAttempts(
  of notifications: [NotificationID], since start: Instant, on session: inout Session
) throws(PostgresError) -> [NotificationID: [DeliveryAttempt]] {
  try session.value(of: deliveryAttempts(of: notifications, since: start))
}

package func deliveryAttempts(of notifications: [NotificationID], since start: Instant)
  -> Query<[NotificationID: [DeliveryAttempt]]>
{
  guard let employee = notifications.first?.employee else { return Query(known: [:]) }
  precondition(notifications.allSatisfy { $0.employee == employee })
  return Query(
    """
    SELECT topic, subject, ordinal, attempt_no, step, recipient, kind, started_at, outcome,
      retry_at, reason, reference, channel, held, covered
    FROM delivery_attempt
    WHERE employee_id = \(employee.rawValue) AND started_at >= \(start)
      AND (topic, subject, ordinal) IN (
        SELECT * FROM unnest(
          \(notifications.map(\.topic.column)), \(notifications.map(\.subject)),
          \(notifications.map(\.ordinal))))
    ORDER BY started_at, attempt_no
    """
  ) { (rows) throws(PostgresError) in
    Dictionary(grouping: try rows.deliveryAttempts(of: employee), by: \.id)
  }
}

extension Rows {
  consuming func deliveryAttempts(of employee: EmployeeID) throws(PostgresError)
    -> [DeliveryAttempt]
  {
    try map { (row) throws(PostgresError) in
      var attempt = DeliveryAttempt(
        of: try NotificationID(of: employee, from: &row), number: try row.next(),
        step: try row.next(), recipient: try row.next(), kind: try row.next(),
        begunAt: try row.next())
      attempt.outcome = try row.next()
      attempt.retryAt = try row.next()
      attempt.reason = try row.next()
      attempt.reference = try row.next()
      attempt.channel = try row.next()
      let held: Int16? = try row.next()
      attempt.held = held.map { IncidentKindSet(rawValue: UInt16(bitPattern: $0)) }
      let covered: Int16? = try row.next()
      attempt.covered = IncidentKindSet(rawValue: UInt16(bitPattern: covered ?? 0))
      return attempt
    }
  }
}

extension NotificationID {
  /// The rest of the key: topic, subject and ordinal.
  fileprivate init(of employee: EmployeeID, from row: inout RowReader) throws(PostgresError) {
    self.init(
      employee: employee, topic: try row.next(), subject: try row.next(), ordinal: try row.next())
  }
}

// Managers get the first notification at once, and one for everything that follows within a minute.

/// The sort of a notification to managers; one notification has only one sort.
package enum DigestSubject: UInt8, Coded {
  case incidents = 0
  /// Clock-ins that were blocked, or are kept for review.
  case attempts = 1
  case ends = 2
  case tests = 3
  case late = 4
  case noShows = 5

  package var code: String {
    switch self {
    case .incidents: "incidents"
    case .attempts: "attempts"
    case .ends: "ends"
    case .tests: "tests"
    case .late: "late"
    case .noShows: "no_shows"
    }
  }

  package init(_ topic: NotificationTopic) {
    switch topic {
    case .clockInBlocked, .clockActionForReview: self = .attempts
    case .restored: self = .ends
    // Neither passes the gate.
    case .test, .weeklyDigest: self = .tests
    case .late: self = .late
    case .noShow: self = .noShows
    case .incident, .unstable, .clockOutReminder, .endedAtLimit, .longBreak, .shiftCorrected,
      .shiftOpened, .timesAccepted, .arrivalBlocked, .clockInAllowed, .appTookOver,
      .pageHidden, .away, .newer:
      self = .incidents
    }
  }

  fileprivate var topics: [Int16] {
    NotificationTopic.allCases.filter { DigestSubject($0) == self }.map(\.column)
  }
}

/// Notifications to managers within this time after one are combined at its end.
package let digestInterval = TimeSpan.minutes(1)

/// Lets a notification pass to the managers of `team`, with a row as result, unless one of its sort
/// about another employee was sent in the last minute; concurrent requests wait.
func passGate(
  of team: TeamID, _ subject: DigestSubject, about employee: EmployeeID, at now: Instant
) -> SQL {
  """
  INSERT INTO team_notification AS known (team_id, subject, sent_at, about)
  VALUES (\(team.rawValue), \(subject.column), \(now), \(employee.rawValue))
  ON CONFLICT (team_id, subject) DO UPDATE
  SET sent_at = excluded.sent_at, about = excluded.about
  WHERE known.about = excluded.about OR excluded.sent_at - known.sent_at
    >= \(digestInterval.milliseconds) * interval '1 millisecond'
  RETURNING sent_at
  """
}

/// `nil` if a notification about `employee` may go to the managers of `team` now, which closes the
/// gate for all others; otherwise when the gate opens again.
package func gate(
  of team: TeamID, _ subject: DigestSubject, about employee: EmployeeID, at now: Instant,
  on session: inout Session
) throws(PostgresError) -> Instant? {
  guard try session.run(passGate(of: team, subject, about: employee, at: now)).count == 0 else {
    return nil
  }
  let sentAt: Instant? = try session.run(
    """
    SELECT sent_at FROM team_notification
    WHERE team_id = \(team.rawValue) AND subject = \(subject.column)
    """
  ).firstValue()
  return max((sentAt ?? now) + digestInterval, now + .milliseconds(1))
}

/// An employee of the team with a notification that waits for the managers.
package struct DigestEntry: Hashable, Sendable {
  package var employee: EmployeeID
  package var name: String
  /// The planned start of a missed shift, such as `08:00`, in the team's time zone.
  package var plannedStart: String?

  /// The name, with the planned start if it is about one.
  package var label: String { plannedStart.map { "\(name) (\($0))" } ?? name }
}

extension DigestEntry {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(employee: try row.next(), name: try row.next(), plannedStart: try row.next())
  }
}

/// The local time of the start that is the subject of `included`, of `team`; otherwise NULL.
private let plannedStartText: StaticString = """
  CASE WHEN included.topic IN (11, 12) THEN  -- late, no-show
    to_char(to_timestamp(included.subject::bigint * 60) AT TIME ZONE team.time_zone, 'HH24:MI') END
  """

/// The employee of a notification, as one of those that a digest names.
package func digestEntry(of id: NotificationID, on session: inout Session) throws(PostgresError)
  -> DigestEntry?
{
  try session.run(selectDigestEntry(of: id)).first(DigestEntry.init(from:))
}

func selectDigestEntry(of id: NotificationID) -> SQL {
  """
  SELECT employee.employee_id, employee.name, \(fragment: plannedStartText)
  FROM employee
  JOIN team ON team.team_id = employee.team_id
  CROSS JOIN (SELECT \(id.topic.column)::smallint, \(id.subject)::int)
    AS included (topic, subject)
  WHERE employee.employee_id = \(id.employee.rawValue)
  """
}

/// The notifications of a planned shift's topic that wait for the managers of `team`.
package func waitingMisses(
  _ topic: NotificationTopic, of team: TeamID, at now: Instant, on session: inout Session
) throws(PostgresError) -> [NotificationID] {
  try session.run(selectWaitingMisses(topic, of: team, at: now)).map {
    (row) throws(PostgresError) in
    NotificationID(
      employee: try row.next(), topic: topic, subject: try row.next(), ordinal: try row.next())
  }
}

func selectWaitingMisses(_ topic: NotificationTopic, of team: TeamID, at now: Instant) -> SQL {
  """
  SELECT waiting.employee_id, waiting.subject, waiting.ordinal
  FROM notification AS waiting
  JOIN employee ON employee.employee_id = waiting.employee_id
  WHERE employee.team_id = \(team.rawValue) AND waiting.managers_at <= \(now)
    AND waiting.topic = \(topic.column)
  """
}

/// - Parameter misses: Those about planned shifts whose employees have not come; `nil`: `digest` is
///   about none.
func insertDigestEntries(
  of team: TeamID, with digest: NotificationID, misses: [NotificationID]?, at now: Instant
) -> SQL {
  // Citus loses the name of the table that it inserts into, but not an alias.
  """
  WITH included AS (
    INSERT INTO delivery_attempt AS added (
      employee_id, topic, subject, ordinal, attempt_no, step, recipient, kind, started_at, ended_at,
      outcome, reference)
    SELECT waiting.employee_id, waiting.topic, waiting.subject, waiting.ordinal, 0,
      \(EscalationStep.managers.column), 0::smallint, waiting.kind, \(now), \(now),
      \(DeliveryOutcome.inDigest.column), \(digest.key)
    FROM notification AS waiting
    JOIN employee ON employee.employee_id = waiting.employee_id
    JOIN guard_state AS state ON state.employee_id = waiting.employee_id
    LEFT JOIN incident
      ON incident.employee_id = waiting.employee_id
      AND coalesce(incident.episode, incident.incident_no) = waiting.subject
      AND incident.closed_at IS NULL
    WHERE employee.team_id = \(team.rawValue) AND waiting.managers_at <= \(now)
      AND waiting.topic = ANY (\(DigestSubject(digest.topic).topics))
      AND (waiting.employee_id, waiting.topic, waiting.subject, waiting.ordinal)
        <> (\(digest.employee.rawValue), \(digest.topic.column), \(digest.subject),
          \(digest.ordinal))
      AND (waiting.topic <> \(NotificationTopic.incident.column)
        OR incident.incident_no IS NOT NULL)
      AND (waiting.topic <> \(NotificationTopic.clockInBlocked.column) OR state.open_shift IS NULL)
      AND (\(misses == nil) OR waiting.employee_id * 4294967296 + waiting.subject
        = ANY (\((misses ?? []).map(\.missKey))))
      AND NOT EXISTS (
        SELECT FROM delivery_attempt AS attempt
        WHERE attempt.employee_id = waiting.employee_id AND attempt.topic = waiting.topic
          AND attempt.subject = waiting.subject AND attempt.ordinal = waiting.ordinal
          AND attempt.step = \(EscalationStep.managers.column)
          AND (attempt.attempt_no > 0 OR attempt.outcome = \(DeliveryOutcome.inDigest.column)))
    ORDER BY waiting.employee_id, waiting.topic, waiting.subject, waiting.ordinal
    RETURNING added.employee_id, added.topic, added.subject)
  SELECT DISTINCT employee.employee_id, employee.name, \(fragment: plannedStartText)
  FROM included JOIN employee ON employee.employee_id = included.employee_id
  JOIN team ON team.team_id = employee.team_id
  ORDER BY employee.employee_id
  """
}

extension NotificationID {
  /// Employee and planned start as one number: on Citus, a condition on columns is simple.
  fileprivate var missKey: Int64 { Int64(employee.rawValue) << 32 + Int64(subject) }
}

/// Includes in `digest` all other notifications that wait for the managers of `team` and still
/// hold: of missed shifts, those of `misses`. INVARIANT: the caller has passed the gate, so nothing
/// else includes the same ones.
package func addToDigest(
  notificationsOf team: TeamID, with digest: NotificationID, misses: [NotificationID]?,
  at now: Instant, on session: inout Session
) throws(PostgresError) -> [DigestEntry] {
  try session.run(insertDigestEntries(of: team, with: digest, misses: misses, at: now))
    .map(DigestEntry.init(from:))
}

/// The employees included in `digest`, so that another attempt says the same.
package func digestEntries(
  by digest: NotificationID, of team: TeamID, since start: Instant, on session: inout Session
) throws(PostgresError) -> [DigestEntry] {
  try session.run(
    """
    SELECT DISTINCT employee.employee_id, employee.name, \(fragment: plannedStartText)
    FROM delivery_attempt AS included
    JOIN employee ON employee.employee_id = included.employee_id
    JOIN team ON team.team_id = employee.team_id
    WHERE employee.team_id = \(team.rawValue) AND included.started_at >= \(start)
      AND included.outcome = \(DeliveryOutcome.inDigest.column)
      AND included.reference = \(digest.key)
    ORDER BY employee.employee_id
    """
  ).map(DigestEntry.init(from:))
}
