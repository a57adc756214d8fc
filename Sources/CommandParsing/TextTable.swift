/// Rows under headings, in aligned columns with two spaces between them.
package struct TextTable: Sendable {
  private var rows: [[String]]

  package init(columns: [String]) { rows = [columns] }

  /// Adds a row with one cell per column. Cells are single lines.
  package mutating func append(_ cells: [String]) {
    precondition(cells.count == rows[0].count, "a row has a cell for each column")
    rows.append(cells)
  }

  /// The headings and the rows. Columns with only numbers are right-aligned; no line ends in a
  /// space. Widths count characters, although East Asian ones take two columns on a terminal.
  package var lines: [String] {
    let columns = rows[0].indices
    let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let areNumbers = columns.map { column in
      rows.count > 1 && rows.dropFirst().allSatisfy { isNumber($0[column]) }
    }
    return rows.map { row in
      var line = ""
      for column in columns {
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        line += column == 0 ? "" : "  "
        line += areNumbers[column] ? padding + row[column] : row[column] + padding
      }
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private func isNumber(_ cell: String) -> Bool { Double(cell) != nil }
}
