/// Words that this project does not use, because the field has an established term.
///
/// It applies to names and comments, not to the contents of strings: SQL and JSON have other names.
enum WordRule {
  /// Each with what to write instead. In lower case and singular.
  static let instead = [
    "desk": "routes or controller", "door": "client or entry point", "bell": "wake-up",
    "nudge": "wake-up", "hint": "wake-up", "ear": "listener", "wish": "request",
    "officer": "actor or principal", "office": "managers", "crew": "team",
    "headquarters": "managers", "telling": "delivery", "rung": "escalation step",
    "ladder": "escalation policy", "roster": "rota", "settlement": "review", "handset": "phone",
    "bury": "dead letter", "redrive": "retry", "mend": "fix", "anew": "again",
    "whereby": "by which",
  ]

  static func objections(to file: SourceFile) -> [Objection] {
    file.lines.indices.flatMap { index in
      let text = file.lines[index].drop { $0 == " " }
      let spoken = text.hasPrefix("//") ? String(text) : file.code[index]
      return parts(spoken).compactMap { part in
        let word = part.lowercased()
        let singular = word.hasSuffix("s") ? String(word.dropLast()) : word
        return (instead[word] ?? instead[singular]).map {
          Objection(path: file.path, line: index + 1, message: "`\(part)`: write \($0)")
        }
      }
    }
  }

  /// The words of names and sentences: `bestRung`, `RungState` and `a rung` all hold `rung`.
  private static func parts(_ line: String) -> [String] {
    var parts: [String] = []
    var before: Character = " "
    for letter in line {
      if letter.isLetter, !before.isLetter || letter.isUppercase && before.isLowercase {
        parts.append("")
      }
      if letter.isLetter { parts[parts.count - 1].append(letter) }
      before = letter
    }
    return parts
  }
}
