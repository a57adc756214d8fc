// Names come from administrators, models and versions from phones. None may move the cursor,
// colour the screen, reverse the reading direction or break a line.

extension Unicode.Scalar {
  /// Whether showing the character would affect the terminal or its line.
  var isUnshowable: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Joiners are part of names and of emoji; the rest of this category only hides or reorders.
    case .format: value != 0x200C && value != 0x200D
    default: false
    }
  }
}

extension String {
  /// The same text with U+FFFD for characters that a line cannot safely show.
  var showable: String {
    guard unicodeScalars.contains(where: \.isUnshowable) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars { result.append(scalar.isUnshowable ? "\u{FFFD}" : scalar) }
    return String(result)
  }

  /// The text broken at spaces into lines of at most `width` characters, at least one line. A
  /// longer word gets its own line.
  func wrapped(to width: Int) -> [String] {
    var lines = [""]
    for word in split(separator: " ") {
      let last = lines.count - 1
      if lines[last].isEmpty {
        lines[last] = String(word)
      } else if lines[last].count + 1 + word.count <= width {
        lines[last] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// `prefix` with the text after it, broken at the screen's width; further lines are indented to
  /// the text.
  func hanging(after prefix: String) -> [String] {
    let indent = String(repeating: " ", count: prefix.count)
    return wrapped(to: Surface.width - prefix.count).enumerated()
      .map { index, line in (index == 0 ? prefix : indent) + line }
  }

  /// The text padded with spaces to at least `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
