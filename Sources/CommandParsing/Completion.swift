package enum Shell: String, CaseIterable, Sendable {
  /// GNU Bash 4.4 or later.
  case bash
  /// Zsh 5 or later.
  case zsh
  /// Fish 3 or later.
  case fish
}

package func completionScript(for program: Command, shell: Shell) -> [String] {
  let places = program.places(path: []) { [$0.name] + $0.aliases }
  switch shell {
  case .bash: return bashCompletion(program.name, places)
  case .zsh: return zshCompletion(program.name, places)
  case .fish: return fishCompletion(program.name, places)
  }
}

/// The texts about itself that a program can print: the shells' completion scripts, and `man`, its
/// manual page.
package let printableTexts = Shell.allCases.map(\.rawValue) + ["man"]

package func printedText(
  _ name: String, of program: Command, sections: [ManualSection]
) -> [String] {
  Shell(rawValue: name).map { completionScript(for: program, shell: $0) }
    ?? manualPage(for: program, sections: sections)
}

struct CompletionPlace {
  /// The names of groups and command, joined by spaces; empty for the program itself.
  var path: String
  var command: Command

  var words: [(word: String, summary: String)] {
    command.subcommands.map { ($0.name, $0.summary) } + options.map { ("--\($0.name)", $0.summary) }
  }

  var options: [Option] {
    command.named + [.flag("help", "show the help")]
      + (command.version == nil ? [] : [.flag("version", "show the program's version")])
  }

  var firstArgument: ValueKind { command.arguments.first?.kind ?? .text }
}

extension Command {
  /// - Parameter named: The words that lead to a command: its name, or its aliases too.
  func places(
    path: [String], named words: (Command) -> [String] = { [$0.name] }
  ) -> [CompletionPlace] {
    [CompletionPlace(path: path.joined(separator: " "), command: self)]
      + subcommands.flatMap { command in
        words(command).flatMap { command.places(path: path + [$0], named: words) }
      }
  }
}

extension String {
  var shellQuoted: String {
    // Only Fish interprets a backslash within single quotes; no summary contains one.
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
