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

/// In order within each employee.
func selectDeliveryAttempts(of employees: [EmployeeID], since start: Instant) -> SQL {
  """
  SELECT \(fragment: DeliveryAttempt.columns)
  FROM delivery_attempt
  WHERE employee_id \(equalsAny: employees.map(\.rawValue)) AND started_at >= \(start)
  ORDER BY started_at, attempt_no
  """
}

package func deliveryAttempts(
  of employee: EmployeeID, since start: Instant, on session: inout Session
)
  throws(PostgresError) -> [DeliveryAttempt]
{
  try session.run(selectDeliveryAttempts(of: [employee], since: start)).deliveryAttempts()
}

/// The newest attempts to notify `device` since `start`, by push or in its open app, the newest
/// first.
package func deliveryAttempts(
  to device: DeviceID, since start: Instant, limit: Int32, on session: inout Session
) throws(PostgresError) -> [DeliveryAttempt] {
  try session.run(selectDeliveryAttempts(to: device, since: start, limit: limit))
    .deliveryAttempts()
}

func selectDeliveryAttempts(to device: DeviceID, since start: Instant, limit: Int32) -> SQL {
  """
  SELECT \(fragment: DeliveryAttempt.columns)
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
    SELECT \(fragment: DeliveryAttempt.columns)
    FROM delivery_attempt
    WHERE employee_id = \(employee.rawValue) AND started_at >= \(start)
      AND (topic, subject, ordinal) IN (
        SELECT * FROM unnest(
          \(notifications.map(\.topic.column)), \(notifications.map(\.subject)),
          \(notifications.map(\.ordinal))))
    ORDER BY started_at, attempt_no
    """
  ) { (rows) throws(PostgresError) in
    Dictionary(grouping: try rows.deliveryAttempts(), by: \.id)
  }
}

/// When the employee was first told the present times of these shifts, which managers added, by
/// number: what tells them is the newest correction, or else the addition. Without those of which
/// nothing has arrived.
package func firstTold(
  ofAdded shifts: [Int32], of employee: EmployeeID, on session: inout Session
) throws(PostgresError) -> [Int32: Instant] {
  guard !shifts.isEmpty else { return [:] }
  var found: [Int32: Instant] = [:]
  try session.run(selectFirstTold(ofAdded: shifts, of: employee)).forEach {
    (row) throws(PostgresError) in
    let shift: Int32 = try row.next()
    found[shift] = try row.next()
  }
  return found
}

func selectFirstTold(ofAdded shifts: [Int32], of employee: EmployeeID) -> SQL {
  let (added, corrected) = (NotificationTopic.shiftAdded, NotificationTopic.shiftCorrected)
  return """
    SELECT added.shift_no, min(attempt.started_at)
    FROM (
      SELECT shift_no, (
        SELECT max(correction_no) FROM shift_correction AS correction
        WHERE correction.employee_id = \(employee.rawValue)
          AND correction.shift_no = wanted.shift_no) AS correction_no
      FROM unnest(\(shifts)) AS wanted (shift_no)) AS added
    JOIN delivery_attempt AS attempt
      ON attempt.employee_id = \(employee.rawValue) AND attempt.subject = added.shift_no
      AND attempt.topic = CASE WHEN correction_no IS NULL THEN \(added.column)
        ELSE \(corrected.column) END
      AND attempt.ordinal = coalesce(correction_no, 1)
    WHERE attempt.outcome = \(DeliveryOutcome.accepted.column)
    GROUP BY added.shift_no
    """
}

extension DeliveryAttempt {
  fileprivate static let columns: StaticString = """
    employee_id, topic, subject, ordinal, attempt_no, step, recipient, kind, started_at, outcome,
      retry_at, reason, reference, channel, held, covered, contacts
    """
}

extension Rows {
  consuming func deliveryAttempts() throws(PostgresError) -> [DeliveryAttempt] {
    try map { (row) throws(PostgresError) in
      var attempt = DeliveryAttempt(
        of: try NotificationID(from: &row), number: try row.next(),
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
      attempt.contacts = try row.next()
      return attempt
    }
  }
}

extension NotificationID {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      employee: try row.next(), topic: try row.next(), subject: try row.next(),
      ordinal: try row.next())
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
  case away = 6
  case automaticClockOuts = 7

  package var code: String {
    switch self {
    case .incidents: "incidents"
    case .attempts: "attempts"
    case .ends: "ends"
    case .tests: "tests"
    case .late: "late"
    case .noShows: "no_shows"
    case .away: "away"
    case .automaticClockOuts: "automatic_clock_outs"
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
    case .away: self = .away
    case .endedAtLimit: self = .automaticClockOuts
    case .incident, .unstable, .clockOutReminder, .longBreak, .shiftCorrected, .shiftOpened,
      .timesAccepted, .arrivalBlocked, .clockInAllowed, .appTookOver, .pageHidden, .shiftAdded,
      .newer:
      self = .incidents
    }
  }

  var topics: [Int16] {
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
