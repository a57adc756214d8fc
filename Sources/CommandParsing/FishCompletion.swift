func fishCompletion(_ program: String, _ places: [CompletionPlace]) -> [String] {
  let function = "__\(program)_at"
  let paths = places.dropFirst().map(\.path.shellQuoted).joined(separator: " ")
  let walk = [
    "# fish completion for \(program)",
    "function \(function) --description 'Whether the command line is at this command'",
    "  set --local place",
    "  for word in (commandline --current-process --tokenize --cut-at-cursor)[2..-1]",
    "    if contains -- (string join -- ' ' $place $word) \(paths)",
    "      set place $place $word",
    "    end",
    "  end",
    "  test \"$place\" = \"$argv[1]\"",
    "end",
    "complete --command \(program) --no-files",
  ]
  return walk + places.flatMap { fishWords(program, function, $0) }
}

private func fishWords(
  _ program: String, _ function: String, _ place: CompletionPlace
) -> [String] {
  // The path holds names of commands only, which need no quotes within the quotes.
  let start = "complete --command \(program) --condition '\(function) \"\(place.path)\"'"
  let commands = place.command.subcommands.map {
    "\(start) --arguments \($0.name) --description \($0.summary.shellQuoted)"
  }
  let options = place.options.map { option in
    let value = option.kind.map { " " + fishValue($0) } ?? ""
    return "\(start) --long-option \(option.name)\(value)"
      + " --description \(option.summary.shellQuoted)"
  }
  return commands + options + fishArgument(start, place)
}

private func fishValue(_ kind: ValueKind) -> String {
  switch kind {
  case .text, .integer: "--exclusive"
  case .path: "--require-parameter --force-files"
  case .choice(let words):
    "--exclusive --arguments \(words.joined(separator: " ").shellQuoted)"
  }
}

private func fishArgument(_ start: String, _ place: CompletionPlace) -> [String] {
  switch place.firstArgument {
  case .text, .integer: []
  case .path: ["\(start) --force-files"]
  case .choice(let words):
    ["\(start) --arguments \(words.joined(separator: " ").shellQuoted)"]
  }
}
