func zshCompletion(_ program: String, _ places: [CompletionPlace]) -> [String] {
  let function = "_\(program)"
  let paths = places.dropFirst().map(\.path.shellQuoted).joined(separator: "|")
  let walk = [
    "  local place='' next='' i",
    "  local -a choices",
    "  for ((i = 2; i < CURRENT; i++)); do",
    "    next=\"${place:+$place }${words[i]}\"",
    "    case $next in",
    "      \(paths.isEmpty ? "''" : paths)) place=$next ;;",
    "    esac",
    "  done",
    "  local option=${words[CURRENT - 1]}",
    "  # `--option=value` is one word here.",
    "  if [[ $PREFIX == --*=* ]]; then",
    "    option=${PREFIX%%=*}",
    "    compset -P 1 '*='",
    "  fi",
  ]
  let end = [
    "}",
    "# Read from a folder of functions it completes; read by `source` it registers itself.",
    "if [[ ${funcstack[1]} == \(function) ]]; then",
    "  \(function) \"$@\"",
    "else",
    "  compdef \(function) \(program)",
    "fi",
  ]
  return ["#compdef \(program)", "\(function)() {"] + walk
    + ["  case \"$place $option\" in"] + places.flatMap(zshValues) + ["  esac"]
    + ["  case $place in"] + places.flatMap(zshWords) + ["  esac"] + end
}

private func zshValues(_ place: CompletionPlace) -> [String] {
  place.options.compactMap { option in
    guard let kind = option.kind else { return nil }
    let pattern = "\(place.path) --\(option.name)".shellQuoted
    return "    \(pattern)) \(zshReply(kind, option.summary)); return ;;"
  }
}

private func zshReply(_ kind: ValueKind, _ summary: String) -> String {
  switch kind {
  case .text, .integer: "_message \(summary.shellQuoted)"
  case .path: "_files"
  case .choice(let words): "compadd -- \(words.map(\.shellQuoted).joined(separator: " "))"
  }
}

private func zshWords(_ place: CompletionPlace) -> [String] {
  let described = place.words.map { word, summary in
    // A colon divides word and description.
    "\(word):\(summary.split(separator: ":").joined(separator: "\\:"))".shellQuoted
  }
  var lines = ["    \(place.path.shellQuoted))"]
  if let argument = place.command.arguments.first {
    lines.append(
      "      [[ $PREFIX == -* ]] || \(zshReply(argument.kind, argument.summary))")
  }
  lines.append("      choices=(\(described.joined(separator: " ")))")
  lines.append("      _describe 'command or option' choices ;;")
  return lines
}
