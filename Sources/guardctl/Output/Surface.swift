import CommandParsing
import ShiftDomain

/// Where an answer is shown.
struct Surface {
  /// A person reads it: tables are aligned and times are told relative to now.
  var isTerminal: Bool
  /// Colours, or none.
  var styling: Styling
  /// The time that relative times are told from.
  var now: Instant

  /// What everything on a terminal is laid out for, in characters.
  static let width = 80
}
