package enum ParseOutcome: Sendable, Equatable {
  case run(ParsedCommand)
  /// Show this help or version; the text fits 80 columns and has no final newline.
  case help(String)
  /// An invalid command line; the program should end with ``usageStatus``.
  case failure(message: String)
}

/// The exit status for an invalid command line.
/// - Source: `EX_USAGE` in sysexits.h.
package let usageStatus: Int32 = 64

/// A command with its values, checked against the command tree.
package struct ParsedCommand: Sendable, Equatable {
  /// The names of the groups and the command, without the program: `["team", "add"]`.
  package var path: [String]
  var values: [String: [String]] = [:]
  var flags: Set<String> = []

  /// The value of an option or argument; `nil` without a value and a default.
  package func string(_ name: String) -> String? { values[name]?.first }

  package func strings(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of a whole number, within its range; `nil` without a value and a default.
  package func int(_ name: String) -> Int? { string(name).flatMap { Int($0) } }

  package func flag(_ name: String) -> Bool { flags.contains(name) }
}
