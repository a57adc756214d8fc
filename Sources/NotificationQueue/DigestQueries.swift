import Postgres
import ReadModels
import ShiftDomain

// Tables delivery_attempt and notification: the state of a notification to managers that
// includes others. An included notification has the state of its carrier.

/// The state of a notification to managers that includes others.
package enum DigestState: Hashable, Sendable {
  case arrived
  case underWay
  /// It has left the outbox, or was refused everywhere, and nobody has received it.
  case lost
}

/// A notification that includes others, as far as it went to some contacts.
package struct SentDigest: Hashable, Sendable {
  package var id: NotificationID
  /// `nil`: to all.
  package var contacts: [Int16]?

  package init(_ id: NotificationID, to contacts: [Int16]?) {
    (self.id, self.contacts) = (id, contacts)
  }
}

/// Each is read where its employee's rows are, without attempts before `start`.
package func states(
  ofDigests digests: [SentDigest], since start: Instant, on session: inout Session
) throws(PostgresError) -> [SentDigest: DigestState] {
  var states: [SentDigest: DigestState] = [:]
  try session.pipeline(digests.map { selectDigest($0, since: start) }) {
    (position, rows) throws(PostgresError) in
    states[digests[position]] = try rows.one { (row) throws(PostgresError) in
      let (hasArrived, isUnderWay): (Bool, Bool) = (try row.next(), try row.next())
      return hasArrived ? .arrived : isUnderWay ? .underWay : .lost
    }
  }
  return states
}

func selectDigest(_ digest: SentDigest, since start: Instant) -> SQL {
  let id = digest.id
  // Nothing is sent again about an interruption that has ended, however long its notification
  // stays.
  return """
    WITH last AS (
      SELECT DISTINCT ON (recipient) outcome
      FROM delivery_attempt
      WHERE employee_id = \(id.employee.rawValue) AND topic = \(id.topic.column)
        AND subject = \(id.subject) AND ordinal = \(id.ordinal)
        AND step = \(EscalationStep.managers.column) AND attempt_no > 0 AND started_at >= \(start)
        AND (\(digest.contacts == nil) OR recipient = ANY (\(digest.contacts ?? [])))
      ORDER BY recipient, attempt_no DESC)
    SELECT coalesce(bool_or(outcome = \(DeliveryOutcome.accepted.column)), false),
      coalesce(bool_or(outcome IS NULL OR outcome NOT IN (
        \(DeliveryOutcome.addressGone.column), \(DeliveryOutcome.refused.column))), false)
      AND EXISTS (
        SELECT FROM notification
        WHERE employee_id = \(id.employee.rawValue) AND topic = \(id.topic.column)
          AND subject = \(id.subject) AND ordinal = \(id.ordinal))
      AND (bool_or(outcome IS NULL) OR \(id.topic.column) <> \(NotificationTopic.incident.column)
        OR NOT EXISTS (
          SELECT FROM incident
          WHERE employee_id = \(id.employee.rawValue)
            AND coalesce(episode, incident_no) = \(id.subject)
          HAVING bool_and(closed_at IS NOT NULL)))
    FROM last
    """
}
