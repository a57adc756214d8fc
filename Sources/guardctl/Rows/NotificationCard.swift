import APIJSON
import Guidance
import JSONText
import ReadModels
import ShiftDomain

/// One notification with the text that the employee or the managers read.
struct NotificationCard: Answer {
  var row: NotificationRow
  var text: NotificationText
  var attempts: [DeliveryAttempt]

  func lines(on surface: Surface) -> [String] {
    let facts = row.fields.lines(on: surface)
    guard surface.isTable else {
      return facts + ["title\t\(text.title)", "body\t\(text.body)"]
        + text.steps.map { "step\t\($0)" } + ["action\t\(text.action.code)"]
        + attempts.map { "attempt\t\($0.words(at: $0.begunAt.rfc3339))" }
    }
    let steps = text.steps.enumerated().flatMap { number, step in
      step.hanging(after: "  \(number + 1). ")
    }
    return facts + ["", surface.styling.apply(.bold, to: text.title)]
      + text.body.wrapped(to: Surface.width) + steps
      + (attempts.isEmpty ? [] : [""]) + attempts.map { $0.words(at: $0.begunAt.text) }
  }

  var json: JSONValue {
    let more: JSONObject = [
      "title": .string(text.title), "body": .string(text.body),
      "steps": .array(text.steps.map(JSONValue.string)), "action": .string(text.action.code),
      "attempts": JSONValue(attempts) { $0.json },
    ]
    return .object(row.json.adding(more))
  }
}

extension DeliveryAttempt {
  fileprivate func words(at time: String) -> String {
    "\(time)\t\(step.code)\t\(outcome?.code ?? "unknown")\t\(reason ?? "")"
  }
}
