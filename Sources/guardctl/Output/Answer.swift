import CommandParsing
import JSONText
import QREncoding
import ShiftDomain

/// What a command answers, before anyone knows where it is shown.
protocol Answer: Sendable {
  /// The lines for standard output.
  func lines(on surface: Surface) -> [String]
  /// Lines for standard error that explain, where standard output is kept for a program.
  func notes(on surface: Surface) -> [String]
  /// The same for a program.
  var json: JSONValue { get }
  /// What the shell is told.
  var exitStatus: ExitStatus { get }
}

extension Answer {
  func notes(on surface: Surface) -> [String] { [] }

  var exitStatus: ExitStatus { .done }
}

/// One thing with its facts.
struct Card: Answer {
  var fields: [Field]

  func lines(on surface: Surface) -> [String] { fields.lines(on: surface) }

  var json: JSONValue { fields.json }
}

/// Things of one kind, a line each: a table on a terminal, tab-separated in a pipe.
struct Listing: Answer {
  var rows: [[Field]]
  /// Said on a terminal when there is nothing to list, with what to do about it.
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

/// Something new. A pipe gets what identifies it and nothing else, so that a script can keep it:
/// `code=$(guardctl enrol --employee 7)`; the explanation goes to standard error then.
struct Made: Answer {
  /// The number, code or token.
  var value: String
  /// What a person is told; the first line says what was made.
  var explanation: [String]
  /// Everything, for JSON.
  var fields: [Field]
  /// What a phone's camera reads from the screen, below the explanation.
  var picture: QRCode?

  func lines(on surface: Surface) -> [String] {
    guard surface.isTerminal else { return [value] }
    return explanation + (picture.map { [""] + $0.blocks(surface.styling) } ?? [])
  }

  func notes(on surface: Surface) -> [String] { surface.isTerminal ? [] : explanation }

  var json: JSONValue { fields.json }
}

/// A sentence or two: something was done.
struct Told: Answer {
  /// What was done.
  var text: [String]
  /// The same for JSON.
  var json: JSONValue

  func lines(on surface: Surface) -> [String] { text }
}

/// Text that is meant for a program and has no other form.
struct Script: Answer {
  /// The text.
  var text: [String]

  func lines(on surface: Surface) -> [String] { text }

  var json: JSONValue { .array(text.map(JSONValue.string)) }
}
