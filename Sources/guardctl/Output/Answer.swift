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

struct Card: Answer {
  var fields: [Field]

  func lines(on surface: Surface) -> [String] { fields.lines(on: surface) }

  var json: JSONValue { fields.json }
}

/// Objects of one kind, one line each: a table on a terminal, tab-separated in a pipe.
struct Listing: Answer {
  var rows: [[Field]]
  /// Shown on a terminal when the list is empty, with what to do.
  var whenEmpty: String

  func lines(on surface: Surface) -> [String] {
    guard surface.isTerminal else {
      return rows.map { row in row.map(\.value.piped).joined(separator: "\t") }
    }
    guard let first = rows.first else { return whenEmpty.wrapped(to: Surface.width) }
    let shown = first.indices.filter { !first[$0].isDetail }
    var table = TextTable(columns: shown.map { first[$0].label })
    for row in rows { table.append(shown.map { row[$0].value.cell(at: surface.now) }) }
    return table.lines
  }

  var json: JSONValue { .array(rows.map(\.json)) }
}

/// A new object. A pipe gets only its identifier, so that a script can keep it:
/// `code=$(guardctl enrol --employee 7)`. The explanation then goes to standard error.
struct Made: Answer {
  /// The number, code or token.
  var value: String
  /// The text for a person; the first line says what was created.
  var explanation: [String]
  var fields: [Field]
  /// A QR code for the phone's camera, below the explanation.
  var picture: QRCode?

  func lines(on surface: Surface) -> [String] {
    guard surface.isTerminal else { return [value] }
    return explanation + (picture.map { [""] + $0.blocks(surface.styling) } ?? [])
  }

  func notes(on surface: Surface) -> [String] { surface.isTerminal ? [] : explanation }

  var json: JSONValue { fields.json }
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
