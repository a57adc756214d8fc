/// Rows under headings, in aligned columns with two spaces between them.
package struct TextTable: Sendable {
  private var rows: [[String]]
  /// The columns of text that may be shortened.
  private let shortened: Set<Int>
  /// To this width at least.
  private static let shortest = 8

  package init(columns: [String], shortened: Set<Int> = []) {
    rows = [columns]
    self.shortened = shortened
  }

  /// Adds a row with one cell per column. Cells are single lines.
  package mutating func append(_ cells: [String]) {
    precondition(cells.count == rows[0].count, "a row has a cell for each column")
    rows.append(cells)
  }

  /// The headings and the rows. Columns with only numbers are right-aligned; no line ends in a
  /// space. Widths count characters, although East Asian ones take two columns on a terminal.
  package var lines: [String] { lines(widths) }

  /// The same in at most `width` characters, if shortening text and headings can achieve that.
  package func lines(fitting width: Int) -> [String] {
    var widths = widths
    let contents = widths.indices.map { column in
      max(3, rows.dropFirst().map { $0[column].count }.max() ?? 0)
    }
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
    // Text first, then headings that are longer than what is below them.
    for least in [
      widths.indices.map { shortened.contains($0) ? min(widths[$0], Self.shortest) : widths[$0] },
      widths.indices.map { min(widths[$0], shortened.contains($0) ? Self.shortest : contents[$0]) },
    ] {
      while excess > 0,
        let widest = widths.indices.filter({ widths[$0] > least[$0] })
          .max(by: { widths[$0] < widths[$1] })
      {
        widths[widest] -= 1
        excess -= 1
      }
    }
    return lines(widths)
  }

  private var widths: [Int] {
    rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  }

  private func lines(_ widths: [Int]) -> [String] {
    let columns = rows[0].indices
    let areNumbers = columns.map { column in
      rows.count > 1 && rows.dropFirst().allSatisfy { isNumber($0[column]) }
    }
    return rows.map { row in
      var line = ""
      for column in columns {
        let cell = fitted(row[column], to: widths[column])
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += column == 0 ? "" : "  "
        line += areNumbers[column] ? padding + cell : cell + padding
      }
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private func fitted(_ cell: String, to width: Int) -> String {
    cell.count <= width ? cell : cell.prefix(width - 1) + "…"
  }

  private func isNumber(_ cell: String) -> Bool { Double(cell) != nil }
}
