import CommandParsing
import JSONText
import QREncoding
import ShiftDomain

/// The answer of a command, independent of where it is shown.
protocol Answer: Sendable {
  func lines(on surface: Surface) -> [String]
  /// Explanations for standard error when standard output goes to a program.
  func notes(on surface: Surface) -> [String]
  var json: JSONValue { get }
  var exitStatus: ExitStatus { get }
}

extension Answer {
  func notes(on surface: Surface) -> [String] { [] }

  var exitStatus: ExitStatus { .done }
}

/// What lists and cards show: values with labels for people and pipes, JSON as the API answers.
protocol Shown {
  var fields: [Field] { get }
  var json: JSONObject { get }
}

struct Card: Answer {
  var fields: [Field]
  var json: JSONValue

  init(_ fields: [Field], json: JSONObject) { (self.fields, self.json) = (fields, .object(json)) }

  init(_ row: some Shown) { self.init(row.fields, json: row.json) }

  func lines(on surface: Surface) -> [String] { fields.lines(on: surface) }
}

/// Objects of one kind. In JSON an array of what the API lists.
struct Listing: Answer {
  var rows: [[Field]]
  /// Shown on a terminal when the list is empty, with what to do.
  var whenEmpty: String
  var json: JSONValue

  init(rows: [[Field]], json: [JSONObject], whenEmpty: String) {
    (self.rows, self.whenEmpty) = (rows, whenEmpty)
    self.json = .array(json.map(JSONValue.object))
  }

  init(_ rows: [some Shown], whenEmpty: String = "") {
    self.init(rows: rows.map(\.fields), json: rows.map(\.json), whenEmpty: whenEmpty)
  }

  func lines(on surface: Surface) -> [String] { rows.lines(on: surface, whenEmpty: whenEmpty) }
}

/// A new object. A pipe gets only its identifier, so that a script can keep it:
/// `code=$(guardctl enrol 7)`. The explanation then goes to standard error.
struct Made: Answer {
  /// The number, code or token.
  var value: String
  /// The text for a person; the first line says what was created.
  var explanation: [String]
  var object: JSONObject
  /// A QR code for the phone's camera, below the explanation.
  var picture: QRCode?

  func lines(on surface: Surface) -> [String] {
    guard surface.isTable else { return [value] }
    return explanation + (picture.map { [""] + $0.blocks(surface.styling) } ?? [])
  }

  func notes(on surface: Surface) -> [String] { surface.isTable ? [] : explanation }

  var json: JSONValue { .object(object) }
}

struct Confirmation: Answer {
  var text: [String]
  var json: JSONValue

  func lines(on surface: Surface) -> [String] { text }
}

/// Text for a program, the same in every output format.
struct Script: Answer {
  var text: [String]

  func lines(on surface: Surface) -> [String] { text }

  var json: JSONValue { .array(text.map(JSONValue.string)) }
}
