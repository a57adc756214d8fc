import CommandParsing
import ShiftDomain

struct Surface {
  /// Whether a person reads it: tables are aligned and times are relative to now. If not, values
  /// are separated by tabs.
  var isTable: Bool
  var styling: Styling
  var now: Instant
  /// The terminal's columns, which tables fit; `nil` without a terminal.
  var columns: Int?

  /// The width of text.
  static let width = 80
}

enum OutputFormat: String, CaseIterable {
  case table
  case json
  case tsv
}
