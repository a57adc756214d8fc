/// Words that this project does not use, because the field has an established term.
///
/// Every text file of the project is held to it: sources, tests, SQL, scripts and documents.
enum WordRule {
  /// Each with what to write instead. In lower case and singular.
  static let instead = [
    "desk": "routes or controller", "door": "client or entry point", "bell": "wake-up",
    "nudge": "wake-up", "hint": "wake-up", "ear": "listener", "wish": "request",
    "officer": "actor or principal", "office": "managers", "crew": "team",
    "headquarters": "managers", "telling": "delivery", "rung": "escalation step",
    "ladder": "escalation policy", "roster": "rota", "settlement": "review", "handset": "phone",
    "bury": "dead letter", "redrive": "retry", "mend": "fix", "anew": "again",
    "whereby": "by which", "deed": "action",
  ]

  static func objections(to text: String, path: String) -> [Objection] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { line in
      parts(line.element).compactMap { part in
        let word = part.lowercased()
        let singular = word.hasSuffix("s") ? String(word.dropLast()) : word
        return (instead[word] ?? instead[singular]).map {
          Objection(path: path, line: line.offset + 1, message: "`\(part)`: write \($0)")
        }
      }
    }
  }

  /// The words of names and sentences: `bestRung`, `RungState` and `a rung` all hold `rung`. Reads
  /// bytes, because characters take ten times as long.
  private static func parts(_ line: Substring) -> [String] {
    var parts: [String] = []
    var part: [UInt8] = []
    for byte in line.utf8 {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      let wasLower = part.last.map { $0 >= UInt8(ascii: "a") } ?? false
      if !part.isEmpty, !isUpper && !isLower || isUpper && wasLower {
        parts.append(String(decoding: part, as: UTF8.self))
        part = []
      }
      if isUpper || isLower { part.append(byte) }
    }
    if !part.isEmpty { parts.append(String(decoding: part, as: UTF8.self)) }
    return parts
  }
}
