import CommandParsing
import ShiftDomain

/// Where an answer is shown.
struct Surface {
  /// Whether a person reads it: tables are aligned and times are relative to now.
  var isTerminal: Bool
  var styling: Styling
  /// The reference for relative times.
  var now: Instant

  /// The width of all output for a terminal, in characters.
  static let width = 80
}
