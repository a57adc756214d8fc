import Guidance
import JSONText
import ShiftDomain
import ShiftOperations

extension StreamMail {
  /// `NoticeEvent`: a message in `language`. It contains no position, and nothing that must not
  /// appear on a locked screen.
  func event(_ message: StreamMessage, in language: Language) -> JSONObject {
    let notice = message.notice
    let text = noticeText(for: notice, report: report, on: device, in: language)
    return [
      "message": JSONValue(message.number),
      "topic": JSONValue(word: notice.presentedTopic),
      "kind": notice.kind.map { JSONValue(word: $0) },
      "urgent": .bool(notice.isUrgent),
      "title": .string(text.title),
      "body": .string(text.body),
      "steps": .array(text.steps.map { .string($0) }),
      "action": JSONValue(word: text.action),
      "language": .string(language.code),
      "occurredAt": JSONValue(message.occurredAt),
      "subject": .object([
        "employee": JSONValue(stream.device.employee.rawValue),
        notice.topic.subjectName: JSONValue(notice.subject),
      ]),
    ]
  }
}

extension NoticeTopic {
  /// The kind of object that its subject number identifies.
  fileprivate var subjectName: String {
    switch self {
    case .incident, .unstable, .restored: "incident"
    case .clockOutReminder, .endedAtLimit, .longBreak, .shiftCorrected, .shiftOpened: "shift"
    case .clockInBlocked, .attemptForReview: "attempt"
    case .test: "test"
    }
  }
}
