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

/// Objects of one kind, one line each: a table on a terminal, tab-separated in a pipe, below the
/// names that JSON gives the values.
struct Listing: Answer {
  var rows: [[Field]]
  /// Shown on a terminal when the list is empty, with what to do.
  var whenEmpty: String

  func lines(on surface: Surface) -> [String] {
    guard let first = rows.first else {
      return surface.isTable ? whenEmpty.wrapped(to: Surface.width) : []
    }
    guard surface.isTable else {
      return [first.map(\.key).joined(separator: "\t")]
        + rows.map { row in row.map(\.value.piped).joined(separator: "\t") }
    }
    let shown = first.indices.filter { !first[$0].isDetail }
    // The first column identifies the row.
    var table = TextTable(
      columns: shown.map { first[$0].label },
      shortened: Set(
        shown.indices.dropFirst().filter { column in
          rows.allSatisfy { $0[shown[column]].value.isWords }
        }))
    for row in rows { table.append(shown.map { row[$0].value.cell(at: surface.now) }) }
    guard let columns = surface.columns else { return table.lines }
    let lines = table.lines(fitting: columns)
    if lines.allSatisfy({ $0.count <= columns }) { return lines }
    return Array(
      rows.map { row in shown.map { row[$0] }.lines(on: surface) }.joined(separator: [""]))
  }

  var json: JSONValue { .array(rows.map(\.json)) }
}

/// A new object. A pipe gets only its identifier, so that a script can keep it:
/// `code=$(guardctl enrol 7)`. The explanation then goes to standard error.
struct Made: Answer {
  /// The number, code or token.
  var value: String
  /// The text for a person; the first line says what was created.
  var explanation: [String]
  var fields: [Field]
  /// A QR code for the phone's camera, below the explanation.
  var picture: QRCode?

  func lines(on surface: Surface) -> [String] {
    guard surface.isTable else { return [value] }
    return explanation + (picture.map { [""] + $0.blocks(surface.styling) } ?? [])
  }

  func notes(on surface: Surface) -> [String] { surface.isTable ? [] : explanation }

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
