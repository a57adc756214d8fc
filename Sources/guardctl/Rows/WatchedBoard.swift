import APIJSON
import CommandParsing
import Guidance
import JSONText
import ReadModels
import ShiftDomain

/// The board for `guardctl watch`: problems first.
struct WatchedBoard {
  private var board: Board
  private var teamNames: [TeamID: String]
  private var lines: [BoardLine] { board.lines }
  private var asOf: Instant { board.asOf }

  init(_ board: Board, onlyProblems: Bool) {
    self.board = board
    teamNames = Dictionary(uniqueKeysWithValues: board.teams.map { ($0.team, $0.name) })
    self.board.lines = board.lines.filter { !onlyProblems || $0.needsAttention }.sorted {
      ($0.state.rawValue, $0.record.name, $0.record.employee.rawValue)
        < ($1.state.rawValue, $1.record.name, $1.record.employee.rawValue)
    }
  }

  /// What fits on a screen with this many rows.
  func screen(_ surface: Surface, trouble: String?, rows: Int?) -> [String] {
    let problems = lines.count { $0.needsAttention }
    let head = "\(problems) with a problem, \(lines.count) in all; \(asOf.text); q quits"
    let note = trouble.map { [surface.styling.apply(.bold, .red, to: "Not current: \($0)")] } ?? []
    let room = max(1, (rows ?? 24) - 3 - note.count)
    var surface = surface
    surface.now = asOf
    // A narrow screen keeps its room for names and causes.
    let isNarrow = (surface.columns ?? Surface.width) < 110
    let left = Set(isNarrow ? ["last contact"] + (teamNames.count == 1 ? ["team"] : []) : [])
    let table = lines.map { fields(of: $0).filter { !left.contains($0.label) } }
      .lines(on: surface, whenEmpty: "Nobody to show.")
    let colours = [""] + lines.map { $0.needsAttention ? "red" : "" }
    let shown = zip(table, colours).map { line, colour in
      colour.isEmpty ? line : surface.styling.apply(.red, to: line)
    }
    // Too narrow for a table, a row has several lines.
    let body = table.count == lines.count + 1 ? shown : table
    let below = body.count - room
    return [surface.styling.apply(.bold, to: head)] + note + [""] + body.prefix(room)
      + (below > 0 ? ["… \(below) more"] : [])
  }

  /// For a pipe: the lines to print, and what of them counts as a change. An empty board has a line
  /// too, which says that the last employee has gone from it.
  func lines(_ output: LiveOutput, isFirst: Bool) -> (text: [String], change: [String]) {
    let rows = lines.map { Array(fields(of: $0).dropLast()) }
    // The line of JSON has more, such as the last contact, which changes all the time.
    let shown = rows.map { "\($0.map(\.value.piped))" } + ["."]
    if output.format == .json {
      return ([String(decoding: JSONValue.object(board.json).bytes, as: UTF8.self)], shown)
    }
    var surface = output.surface()
    surface.now = asOf
    guard output.format == .tsv else {
      let table = rows.lines(on: surface, whenEmpty: "Nobody to show.")
      return ([asOf.text] + table + [""], shown)
    }
    let piped = rows.map { row in row.map(\.value.piped).joined(separator: "\t") }
    let names = Self.columns.dropLast()
    let change = piped.isEmpty ? [names.dropFirst().map { _ in "\t" }.joined()] : piped
    let head = isFirst ? [(["asOf"] + names).joined(separator: "\t")] : []
    return (head + change.map { "\(asOf.rfc3339)\t\($0)" }, change)
  }

  /// The label of each column; in a pipe without the last, which changes all the time.
  private static let columns = [
    "employee", "name", "team", "state", "since", "cause", "last contact",
  ]

  private func fields(of line: BoardLine) -> [Field] {
    let record = line.record
    let missed = line.state == .late ? line.missed : nil
    let causes =
      (line.quietReason.map { [$0.label] } ?? line.causes.map(\.incident.kind.label))
      + (record.blocked.map { $0.findings.ranked.map(\.label) } ?? [])
      + (record.awaySince == nil ? [] : ["away from site"])
    let since =
      record.incidents.map(\.incident.openedAt).min() ?? record.breakSince
      ?? record.blocked?.at ?? missed?.planned.start ?? record.startedAt
    let values: [FieldValue] = [
      FieldValue(record.employee.rawValue), .text(record.name),
      .text(teamNames[record.team] ?? ""),
      .text(missed?.isNoShow == true ? "no-show" : line.state.words), FieldValue(since),
      causes.isEmpty ? .absent : .text(causes.joined(separator: ", ")),
      FieldValue(record.lastContactAt),
    ]
    return zip(Self.columns, values).map { Field($0, $1) }
  }
}
