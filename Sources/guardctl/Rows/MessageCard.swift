import Guidance
import JSONText
import ShiftDomain
import ShiftOperations

/// One waiting message with the words that the employee, or the managers, will read.
struct MessageCard: Answer {
  var row: NotificationRow
  var text: NoticeText

  func lines(on surface: Surface) -> [String] {
    let facts = row.fields.lines(on: surface)
    guard surface.isTerminal else {
      return facts + ["title\t\(text.title)", "body\t\(text.body)"]
        + text.steps.map { "step\t\($0)" } + ["action\t\(text.action.code)"]
    }
    let steps = text.steps.enumerated().flatMap { number, step in
      step.hanging(after: "  \(number + 1). ")
    }
    return facts + ["", surface.styling.apply(.bold, to: text.title)]
      + text.body.wrapped(to: Surface.width) + steps
  }

  var json: JSONValue {
    let more: JSONObject = [
      "title": .string(text.title), "body": .string(text.body),
      "steps": .array(text.steps.map(JSONValue.string)), "action": .string(text.action.code),
    ]
    return .object(row.fields.jsonObject.adding(more))
  }
}

extension NotificationRow {
  /// The message as it was queued.
  var notice: Notice {
    Notice(
      topic, subject: subject, ordinal: ordinal, kind: kind, dueAt: dueAt, isUrgent: isUrgent)
  }
}
