import GuardRules
import JSONText
import ReadModels
import ShiftDomain

extension IncidentRow {
  /// `IncidentSummary`: an incident with its employee.
  package var json: JSONObject {
    let head: JSONObject = [
      "employee": JSONValue(incident.employee.rawValue), "name": .string(name),
      "shift": .object(JSONObject(shift)),
    ]
    return head.adding(JSONObject(self))
  }
}

extension IncidentDetails {
  /// `IncidentHistory`. Recipients are identified by number, without their addresses.
  package var json: JSONObject {
    row.json.adding([
      "deliveries": JSONValue(deliveries) { $0.json },
      "undelivered": undelivered.map { .object($0.json) },
      "notifications": JSONValue(notifications) { $0.incidentJSON },
    ])
  }
}

extension NotificationEntry {
  fileprivate var incidentJSON: JSONObject {
    let notification = row.notification
    return [
      "topic": JSONValue(word: notification.topic),
      "ordinal": JSONValue(notification.ordinal),
      "kind": notification.kind.map { JSONValue(word: $0) },
      "urgent": .bool(notification.isUrgent),
      "queuedAt": JSONValue(row.queuedAt),
      "dueAt": JSONValue(notification.dueAt),
      "finishedAt": row.finishedAt.map { JSONValue($0) },
      "outcome": row.ending.map { JSONValue(word: $0) },
      "reason": row.reason.map { .string($0) },
      "attempts": JSONValue(attempts) { attempt in
        [
          "step": JSONValue(word: attempt.step),
          "recipient": JSONValue(attempt.recipient),
          "at": JSONValue(attempt.begunAt),
          "outcome": attempt.outcome.map { JSONValue(word: $0) },
          "retryAt": attempt.retryAt.map { JSONValue($0) },
          "reason": attempt.reason.map { .string($0) },
        ]
      },
    ]
  }
}

extension IncidentDelivery {
  /// `Delivery`.
  package var json: JSONObject { ["step": JSONValue(word: step), "at": JSONValue(at)] }
}

extension Undelivered {
  /// `Undelivered`.
  package var json: JSONObject {
    [
      "reason": JSONValue(word: reason),
      "missing": .array(missing.map { JSONValue(word: $0) }),
    ]
  }
}
