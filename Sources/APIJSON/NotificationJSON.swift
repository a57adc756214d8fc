import CivilTime
import Guidance
import JSONText
import ReadModels
import ShiftDomain

extension TeamContact {
  /// `Contact`; never its secret.
  /// - Parameter address: As the reader may see it.
  package func json(address: String) -> JSONObject {
    [
      "contact": JSONValue(number),
      "channel": JSONValue(word: channel),
      "address": .string(address),
      "language": channel.hasReaders ? .string(language) : nil,
      "topics": .array(choices.topics.topics.map { JSONValue(word: $0) }),
      "quietHours": choices.quiet.map { .object($0.json) },
      "ways": choices.ways == .all ? nil : .array(choices.ways.ways.map { JSONValue(word: $0) }),
    ]
  }
}

extension QuietHours {
  package var json: JSONObject {
    [
      "from": .string(fromText), "until": .string(untilText),
      "urgentPasses": .bool(letsUrgentPass),
    ]
  }
}

extension TeamDigest {
  /// `WeeklyDigest`, with its text in one language.
  package func json(in language: Language, linkedTo pages: String?) -> JSONObject {
    let text = digestText(text(linkedTo: pages), in: language)
    return [
      "team": JSONValue(team.rawValue), "week": .string(CivilDate(daysSince1970: Int(week)).text),
      "shifts": JSONValue(shifts), "openReviews": JSONValue(openReviews),
      "title": .string(text.title), "body": .string(text.body),
      "causes": .array(text.steps.map { .string($0) }),
    ]
  }
}

extension DeliveryHealth {
  /// `Channels`.
  package var json: JSONObject {
    [
      "pending": JSONValue(load.waiting),
      "pendingSince": waitingSince.map { JSONValue($0) },
      "overdueFor": JSONValue(load.lag.seconds),
      "deadLetters": JSONValue(load.dead),
      "channels": JSONValue(channels) { $0.json },
      "deadLettersWithoutAttempt": JSONValue(deadLettersWithoutAttempt) { $0.json },
    ]
  }
}

extension ChannelHealth {
  package var json: JSONObject {
    [
      "channel": .string(code),
      "isSetUp": isSetUp.map { .bool($0) },
      "lastSuccessAt": lastSuccessAt.map { JSONValue($0) },
      "lastFailure": lastFailure.map { .object($0.json) },
      "pending": JSONValue(waiting),
      "pendingSince": waitingSince.map { JSONValue($0) },
      "deadLetters": JSONValue(deadLetters) { $0.json },
    ]
  }
}

extension ChannelHealth.Failure {
  package var json: JSONObject {
    [
      "at": JSONValue(at),
      "outcome": JSONValue(word: outcome),
      "reason": reason.map { .string($0) },
    ]
  }
}

extension DeadLetterCause {
  package var json: JSONObject {
    ["reason": .string(reason), "count": JSONValue(count)]
  }
}

extension ContactTest {
  /// `ContactTest`.
  package var json: JSONObject {
    [
      "test": .string(id.key),
      "contact": JSONValue(contact.number),
      "state": JSONValue(word: state),
      "reason": reason.map { .string($0) },
    ]
  }
}

extension NotificationRow {
  package var json: JSONObject {
    [
      "employee": JSONValue(employee.rawValue),
      "topic": JSONValue(word: notification.topic),
      "subject": JSONValue(notification.subject),
      "ordinal": JSONValue(notification.ordinal),
      "kind": notification.kind.map { JSONValue(word: $0) },
      "urgent": .bool(notification.isUrgent),
      "queuedAt": JSONValue(queuedAt),
      "dueAt": JSONValue(notification.dueAt),
      "attemptCount": JSONValue(attempts),
      "nextAt": nextAt.map { JSONValue($0) },
      "finishedAt": finishedAt.map { JSONValue($0) },
      "outcome": ending.map { JSONValue(word: $0) },
      "reason": reason.map { .string($0) },
    ]
  }
}

extension JSONObject {
  package init(_ status: InstallationStatus) {
    let versions: JSONObject = [
      "schemaVersion": JSONValue(status.schemaVersion),
      "schemaWanted": JSONValue(status.schemaWanted),
    ]
    guard let counts = status.counts else {
      self = versions
      return
    }
    self = versions.adding([
      "postgresVersion": .string(counts.postgresVersion),
      "teams": JSONValue(counts.teams),
      "employees": JSONValue(counts.employees),
      "devices": JSONValue(counts.devices),
      "openShifts": JSONValue(counts.openShifts),
      "openIncidents": JSONValue(counts.openIncidents),
      "notificationsWaiting": JSONValue(counts.notifications),
      "oldestNotificationAt": counts.oldestNotificationAt.map { JSONValue($0) },
    ])
  }
}
