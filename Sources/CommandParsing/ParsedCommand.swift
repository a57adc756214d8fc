/// What a command line asks for.
public enum ParseOutcome: Sendable, Equatable {
  /// To do this.
  case run(ParsedCommand)
  /// To be told how, or which version this is; the text fits 80 columns and has no newline at its
  /// end.
  case help(String)
  /// Something that cannot be followed; the program should end with ``usageStatus``.
  case failure(message: String)
}

/// The exit status for a command line that cannot be followed.
/// - Source: `EX_USAGE` in sysexits.h.
public let usageStatus: Int32 = 64

/// A command with its values, all of which its tree allows.
public struct ParsedCommand: Sendable, Equatable {
  /// The command's name and those above it, without the program's own: `["team", "add"]`.
  public var path: [String]
  var values: [String: [String]] = [:]
  var flags: Set<String> = []

  /// The value of an option or argument; `nil` when there is none and no default.
  public func string(_ name: String) -> String? { values[name]?.first }

  /// The values of an option that may be repeated, in the order given; empty when there are none.
  public func strings(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of an option or argument declared as a whole number, within its range; `nil` when
  /// there is none and no default.
  public func int(_ name: String) -> Int? { string(name).flatMap { Int($0) } }

  /// Whether the flag was given.
  public func flag(_ name: String) -> Bool { flags.contains(name) }
}
