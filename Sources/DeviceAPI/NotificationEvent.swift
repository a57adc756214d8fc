import DeviceOperations
import Guidance
import JSONText
import ReadModels
import ShiftDomain

extension StreamEvents {
  /// `NotificationEvent`: a notification in `language`. It contains no position, and nothing that
  /// must not appear on a locked screen.
  func event(_ streamEvent: StreamEvent, in language: Language) -> JSONObject {
    let notification = streamEvent.notification
    // The steps may be for another phone than the one that shows them.
    let isElsewhere = notification.blockedDevice.map { $0 != stream.device.number } ?? false
    let text = notificationText(
      for: notification, report: isElsewhere ? nil : report,
      on: isElsewhere ? DeviceDescription(platform: .unknown) : device, in: language)
    return [
      "notification": JSONValue(streamEvent.number),
      "topic": JSONValue(word: notification.presentedTopic),
      "kind": notification.kind.map { JSONValue(word: $0) },
      "urgent": .bool(notification.isUrgent),
      "title": .string(text.title),
      "body": .string(text.body),
      "steps": .array(text.steps.map { .string($0) }),
      "action": JSONValue(word: text.action),
      "language": .string(language.code),
      "occurredAt": JSONValue(streamEvent.occurredAt),
      "subject": .object([
        "employee": JSONValue(stream.device.employee.rawValue),
        notification.topic.subjectName: JSONValue(notification.subject),
      ]),
    ]
  }
}
