import Postgres
import ReadModels
import ShiftDomain

// Tables delivery_attempt, notification and employee: the notifications to managers that are
// included in another one.

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

/// Whether `waiting` is not over, as far as its rows show. The topics: 0 incident, 5 clock-in
/// blocked, 3 ended at the limit, 19 away.
private let stillHolds: StaticString = """
  (waiting.topic <> 0 OR incident.incident_no IS NOT NULL)
  AND (waiting.topic <> 5 OR state.open_shift IS NULL)
  AND (waiting.topic <> 3 OR state.unconfirmed_shift = waiting.subject)
  AND (waiting.topic <> 19 OR EXISTS (
    SELECT FROM away_span
    WHERE away_span.employee_id = waiting.employee_id AND shift_no = waiting.subject
      AND away_no = waiting.ordinal AND ended_at IS NULL))
  """

extension SQL.Interpolation {
  /// Whether each of `contacts` had an alarm about the employee of `waiting`. 0: incident,
  /// 3: managers.
  fileprivate mutating func appendInterpolation(hadAlarm contacts: [Int16], since start: Instant) {
    appendLiteral("NOT EXISTS (SELECT FROM unnest(")
    appendInterpolation(contacts)
    appendLiteral(
      """
      ) AS wanted (contact_no)
      WHERE NOT EXISTS (
        SELECT FROM delivery_attempt AS alarm
        WHERE alarm.employee_id = waiting.employee_id AND alarm.topic = 0 AND alarm.step = 3
          AND CASE WHEN alarm.attempt_no > 0 THEN alarm.recipient = wanted.contact_no
            ELSE coalesce(wanted.contact_no = ANY (alarm.contacts), true) END
          AND alarm.started_at >=
      """)
    appendLiteral(" ")
    appendInterpolation(start)
    appendLiteral("))")
  }
}

/// - Parameters:
///   - contacts: Those that get `digest`; what one of them got already is not included.
///   - onlyUrgent: One of them gets nothing else now.
///   - misses: Those about planned shifts whose employees have not come; `nil`: `digest` is about
///     none.
func insertDigestEntries(
  of team: TeamID, with digest: NotificationID, to contacts: [Int16], onlyUrgent: Bool,
  misses: [NotificationID]?, at now: Instant
) -> SQL {
  // Citus loses the name of the table that it inserts into, but not an alias.
  """
  WITH included AS (
    INSERT INTO delivery_attempt AS added (
      employee_id, topic, subject, ordinal, attempt_no, step, recipient, kind, started_at, ended_at,
      outcome, reference, contacts)
    SELECT waiting.employee_id, waiting.topic, waiting.subject, waiting.ordinal, 0,
      \(EscalationStep.managers.column), 0::smallint, waiting.kind, \(now), \(now),
      \(DeliveryOutcome.inDigest.column), \(digest.key), \(contacts)
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
      AND \(fragment: stillHolds)
      AND (waiting.topic <> \(NotificationTopic.restored.column)
        OR \(hadAlarm: contacts, since: now - .hours(25)))
      AND (waiting.urgent OR NOT \(onlyUrgent))
      AND (\(misses == nil) OR waiting.employee_id * 4294967296 + waiting.subject
        = ANY (\((misses ?? []).map(\.missKey))))
      AND NOT EXISTS (
        SELECT FROM delivery_attempt AS attempt
        WHERE attempt.employee_id = waiting.employee_id AND attempt.topic = waiting.topic
          AND attempt.subject = waiting.subject AND attempt.ordinal = waiting.ordinal
          AND attempt.step = \(EscalationStep.managers.column)
          AND (attempt.attempt_no > 0 AND attempt.recipient = ANY (\(contacts))
            OR attempt.outcome = \(DeliveryOutcome.inDigest.column)
              AND coalesce(attempt.contacts && \(contacts), true)))
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
  notificationsOf team: TeamID, with digest: NotificationID, to contacts: [Int16],
  onlyUrgent: Bool, misses: [NotificationID]?, at now: Instant, on session: inout Session
) throws(PostgresError) -> [DigestEntry] {
  try session.run(
    insertDigestEntries(
      of: team, with: digest, to: contacts, onlyUrgent: onlyUrgent, misses: misses, at: now)
  ).map(DigestEntry.init(from:))
}

/// The employees included in `digest` for one of `contacts`, so that another attempt says the same.
package func digestEntries(
  by digest: NotificationID, to contacts: [Int16], of team: TeamID, since start: Instant,
  on session: inout Session
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
      AND coalesce(included.contacts && \(contacts), true)
    ORDER BY employee.employee_id
    """
  ).map(DigestEntry.init(from:))
}
