import Guidance
import ShiftOperations

/// One waiting message with the words that the employee will read.
struct MessageCard: Answer {
  var row: NotificationRow
  var text: NoticeText

  func lines(on surface: Surface) -> [String] {
    let facts = row.fields.lines(on: surface)
    guard surface.isTerminal else {
      return facts + ["title\t\(text.title)", "body\t\(text.body)"]
        + text.steps.map { "step\t\($0)" } + ["action\t\(text.action.code)"]
    }
    return facts + ["", surface.styling.apply(.bold, to: text.title)] + text.body.wrapped(to: Surface.width)
      + text.steps.enumerated().flatMap { number, step in
        step.hanging(after: "  \(number + 1). ")
      }
  }

  var json: JSONValue {
    .object(
      row.fields.map { JSONValue.Member(name: $0.key, value: $0.value.json) } + [
        JSONValue.Member(name: "title", value: .string(text.title)),
        JSONValue.Member(name: "body", value: .string(text.body)),
        JSONValue.Member(name: "steps", value: .array(text.steps.map(JSONValue.string))),
        JSONValue.Member(name: "action", value: .string(text.action.code)),
      ])
  }
}
