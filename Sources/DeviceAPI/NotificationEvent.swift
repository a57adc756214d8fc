import DeviceOperations
import Guidance
import JSONText
import ReadModels
import ShiftDomain

extension ConcernedEvent {
  /// `NotificationEvent`: a notification in `language`. It contains no position, and nothing that
  /// must not appear on a locked screen.
  func json(in language: Language) -> JSONObject {
    let notification = event.notification
    var text = notificationText(for: notification, report: report, on: device, in: language)
    if isForReader { text = text.inOpenApp(of: device, in: language) }
    return [
      "notification": JSONValue(event.number),
      "topic": JSONValue(word: notification.presentedTopic),
      "kind": notification.kind.map { JSONValue(word: $0) },
      "urgent": .bool(notification.isUrgent),
      "title": .string(text.title),
      "body": .string(text.body),
      "steps": .array(text.steps.map { .string($0) }),
      "action": JSONValue(word: text.action),
      "language": .string(language.code),
      "occurredAt": JSONValue(event.occurredAt),
      "subject": .object([
        "employee": JSONValue(event.stream.device.employee.rawValue),
        notification.topic.subjectName: JSONValue(notification.subject),
      ]),
    ]
  }
}
