import CommandParsing
import ShiftDomain

struct Surface {
  /// Whether a person reads it: tables are aligned and times are relative to now.
  var isTerminal: Bool
  var styling: Styling
  var now: Instant

  static let width = 80
}
