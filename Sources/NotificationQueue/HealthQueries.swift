import Postgres
import ReadModels
import ShiftDomain

// Tables delivery_attempt, notification and notification_history: how the channels do, for
// operators. Nothing here reads an address.

/// The channel of an attempt, or the code of the open app; NULL: unknown.
private let channelOfAttempt: StaticString =
  "(CASE WHEN step = 0 THEN -1::smallint ELSE channel END)"

/// How many of the newest attempts of a channel are read.
private let attemptsMax: Int32 = 1_000

/// How many of the newest dead letters are attributed to a channel.
private let deadLettersMax: Int32 = 1_000

/// The health of the open app and of every channel since `start`.
package func deliveryHealth(
  since start: Instant, at fixedNow: Instant?, on session: inout Session
) throws(PostgresError) -> DeliveryHealth {
  var channels: [Int16: ChannelHealth] = [inApp: ChannelHealth(nil)]
  for channel in Channel.allCases { channels[channel.column] = ChannelHealth(channel) }
  let order = [inApp] + Channel.allCases.map(\.column)
  try session.pipeline(
    order.map { selectLastAttempts(by: $0 == inApp ? nil : $0, since: start) }
  ) { (position, rows) throws(PostgresError) in
    try rows.forEach { (row) throws(PostgresError) in
      channels[order[position]]?.note(
        try row.next(), at: try row.next(), reason: try row.next())
    }
  }
  try session.run(selectWaiting(since: start)).forEach { (row) throws(PostgresError) in
    let key: Int16 = try row.next()
    channels[key]?.waiting = try row.next()
    channels[key]?.waitingSince = try row.next()
  }
  let untried = try countDeadLetters(since: start, &channels, on: &session)
  return DeliveryHealth(
    load: try outboxLoad(at: fixedNow, on: &session),
    waitingSince: try oldestPending(on: &session),
    channels: order.compactMap { channels[$0] }, deadLettersWithoutAttempt: untried)
}

private func oldestPending(on session: inout Session) throws(PostgresError) -> Instant? {
  try session.run("SELECT min(queued_at) FROM notification").one { (row) throws(PostgresError) in
    try row.next() as Instant?
  }
}

/// The code of the open app in these statements.
private let inApp: Int16 = -1

extension ChannelHealth {
  /// Takes the last success, or the last failure.
  fileprivate mutating func note(_ outcome: DeliveryOutcome, at: Instant, reason: String?) {
    if outcome == .accepted {
      lastSuccessAt = at
    } else {
      lastFailure = Failure(at: at, outcome: outcome, reason: reason)
    }
  }
}

/// The last success (0: accepted) and the last failure among the newest attempts by `channel`, or
/// in the open app.
func selectLastAttempts(by channel: Int16?, since start: Instant) -> SQL {
  let place: StaticString = channel == nil ? "channel IS NULL AND step =" : "channel ="
  return """
    SELECT DISTINCT ON (outcome = 0) outcome, started_at, reason
    FROM (
      SELECT outcome, started_at, reason
      FROM delivery_attempt
      WHERE \(fragment: place) \(channel ?? EscalationStep.inApp.column)
        AND started_at >= \(start) AND attempt_no > 0
      ORDER BY started_at DESC LIMIT \(attemptsMax)) AS newest
    WHERE outcome <= \(DeliveryOutcome.misconfigured.column)
    ORDER BY outcome = 0, started_at DESC
    """
}

/// The notifications in the outbox whose last attempt has failed, by its channel.
func selectWaiting(since start: Instant) -> SQL {
  """
  SELECT \(fragment: channelOfAttempt) AS way, count(*), min(queued_at)
  FROM (
    SELECT DISTINCT ON (
      waiting.employee_id, waiting.topic, waiting.subject, waiting.ordinal)
      waiting.queued_at, attempt.channel, attempt.step, attempt.outcome
    FROM notification AS waiting
    JOIN delivery_attempt AS attempt ON attempt.employee_id = waiting.employee_id
      AND attempt.topic = waiting.topic AND attempt.subject = waiting.subject
      AND attempt.ordinal = waiting.ordinal
    WHERE attempt.started_at >= \(start) AND attempt.attempt_no > 0
    ORDER BY waiting.employee_id, waiting.topic, waiting.subject, waiting.ordinal,
      attempt.started_at DESC, attempt.attempt_no DESC) AS last
  WHERE outcome BETWEEN \(DeliveryOutcome.retry.column)
    AND \(DeliveryOutcome.misconfigured.column)
  GROUP BY way
  HAVING \(fragment: channelOfAttempt) IS NOT NULL
  """
}

func selectDeadLetters(since start: Instant, limit: Int32) -> SQL {
  """
  SELECT employee_id, topic, subject, ordinal, reason
  FROM notification_history
  WHERE outcome IN (7, 8) AND finished_at >= \(start)
  ORDER BY finished_at DESC LIMIT \(limit)
  """
}

func selectChannels(of dead: [NotificationID], since start: Instant) -> SQL {
  """
  SELECT DISTINCT ON (wanted.position) wanted.position, \(fragment: channelOfAttempt)
  FROM unnest(
    \(dead.map(\.employee.rawValue)), \(dead.map(\.topic.column)), \(dead.map(\.subject)),
    \(dead.map(\.ordinal)), \(dead.indices.map { Int32($0) }))
    AS wanted (employee_id, topic, subject, ordinal, position)
  JOIN delivery_attempt AS attempt ON attempt.employee_id = wanted.employee_id
    AND attempt.topic = wanted.topic AND attempt.subject = wanted.subject
    AND attempt.ordinal = wanted.ordinal
  WHERE attempt.started_at >= \(start) AND attempt.attempt_no > 0
  ORDER BY wanted.position, attempt.started_at DESC, attempt.attempt_no DESC
  """
}

/// Adds the dead letters to the channels of their last attempts; returns those without any.
private func countDeadLetters(
  since start: Instant, _ channels: inout [Int16: ChannelHealth], on session: inout Session
) throws(PostgresError) -> [DeadLetterCause] {
  let dead = try session.run(selectDeadLetters(since: start, limit: deadLettersMax))
    .map { (row) throws(PostgresError) -> (id: NotificationID, reason: String) in
      let id = NotificationID(
        employee: EmployeeID(try row.next()), topic: try row.next(), subject: try row.next(),
        ordinal: try row.next())
      return (id, try row.next() as String? ?? "unknown")
    }
  guard !dead.isEmpty else { return [] }
  var counts: [Int16?: [String: Int]] = [:]
  var ways: [Int32: Int16] = [:]
  // A dead letter may have been tried long before it was given up.
  try session.run(selectChannels(of: dead.map(\.id), since: start - .hours(30 * 24)))
    .forEach { (row) throws(PostgresError) in
      let (position, way): (Int32, Int16?) = (try row.next(), try row.next())
      ways[position] = way
    }
  for (position, letter) in dead.enumerated() {
    counts[ways[Int32(position)], default: [:]][letter.reason, default: 0] += 1
  }
  for way in channels.keys { channels[way]?.deadLetters = (counts[way] ?? [:]).causes }
  return (counts[nil] ?? [:]).causes
}

extension [String: Int] {
  /// The most frequent first.
  fileprivate var causes: [DeadLetterCause] {
    map { DeadLetterCause(reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }
}
