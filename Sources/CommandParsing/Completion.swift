/// A shell that can complete command lines.
public enum Shell: String, CaseIterable, Sendable {
  /// GNU Bash 4.4 or later.
  case bash
  /// Zsh 5 or later.
  case zsh
  /// Fish 3 or later.
  case fish
}

/// The lines of a script that teaches `shell` to complete the program's command lines.
public func completionScript(for program: Command, shell: Shell) -> [String] {
  let places = program.places(path: [])
  switch shell {
  case .bash: return bashCompletion(program.name, places)
  case .zsh: return zshCompletion(program.name, places)
  case .fish: return fishCompletion(program.name, places)
  }
}

/// A place in the tree of commands and what may follow there.
struct CompletionPlace {
  /// The commands' names, joined by spaces, without the program's; empty for the program itself.
  var path: String
  var command: Command

  /// Subcommands and options, each with its summary.
  var words: [(word: String, summary: String)] {
    command.subcommands.map { ($0.name, $0.summary) } + options.map { ("--\($0.name)", $0.summary) }
  }

  var options: [Option] {
    command.options + [.flag("help", "show how to use it")]
      + (command.version == nil ? [] : [.flag("version", "show the program's version")])
  }

  /// What the first argument may be, where that is known.
  var firstArgument: ValueKind { command.arguments.first?.kind ?? .text }
}

extension Command {
  fileprivate func places(path: [String]) -> [CompletionPlace] {
    [CompletionPlace(path: path.joined(separator: " "), command: self)]
      + subcommands.flatMap { $0.places(path: path + [$0.name]) }
  }
}

extension String {
  /// The text as one word of a shell, whatever it holds.
  var shellQuoted: String {
    // Fish alone reads a backslash within single quotes; no summary needs one.
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
