func bashCompletion(_ program: String, _ places: [CompletionPlace]) -> [String] {
  let function = "_\(program)"
  let paths = places.dropFirst().map(\.path.shellQuoted).joined(separator: "|")
  let walk = [
    "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}",
    "  local place='' words='' i",
    "  # Bash splits `--option=value` at the sign.",
    "  [[ $current != = ]] || current=''",
    "  [[ $previous != = ]] || previous=${COMP_WORDS[COMP_CWORD - 2]}",
    "  for ((i = 1; i < COMP_CWORD; i++)); do",
    "    case \"${place:+$place }${COMP_WORDS[i]}\" in",
    "      \(paths.isEmpty ? "''" : paths)) place=\"${place:+$place }${COMP_WORDS[i]}\" ;;",
    "    esac",
    "  done",
  ]
  let answer = [
    "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")",
    "}",
    "complete -F \(function) \(program)",
  ]
  return ["# bash completion for \(program)", "\(function)() {"] + walk
    + ["  case \"$place $previous\" in"] + places.flatMap(bashValues) + ["  esac"]
    + ["  case $place in"] + places.flatMap(bashWords) + ["  esac"] + answer
}

/// After an option that takes a value, only values are completed.
private func bashValues(_ place: CompletionPlace) -> [String] {
  place.options.compactMap { option in
    guard let kind = option.kind else { return nil }
    return "    \("\(place.path) --\(option.name)".shellQuoted)) \(bashReply(kind)) return ;;"
  }
}

private func bashReply(_ kind: ValueKind) -> String {
  switch kind {
  case .text, .integer: ""
  case .path:
    "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\");"
  case .choice(let words):
    "mapfile -t COMPREPLY < "
      + "<(compgen -W \(words.joined(separator: " ").shellQuoted) -- \"$current\");"
  }
}

private func bashWords(_ place: CompletionPlace) -> [String] {
  var words = place.words.map(\.word)
  var files = ""
  switch place.firstArgument {
  case .choice(let choices): words = choices + words
  case .path:
    files = " [[ $current == -* ]] || { \(bashReply(.path)) return; };"
  case .text, .integer: break
  }
  let quoted = words.joined(separator: " ").shellQuoted
  return ["    \(place.path.shellQuoted))\(files) words=\(quoted) ;;"]
}
