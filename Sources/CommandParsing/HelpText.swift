private let width = 80
/// The longest list of commands or options that is shown in one column with space around it.
private let rowsMax = 16

private func padded(_ text: String, to length: Int) -> String {
  text + String(repeating: " ", count: max(0, length - text.count))
}

extension Command {
  /// For 80 columns; `fullName` has the names of the program, its groups and the command.
  func help(fullName: String) -> String {
    var lines = wrapped("\(fullName): \(summary)", indent: 2)
    // Long lists need the line to fit the screen.
    let isLong = max(subcommands.count, options.count) > rowsMax
    lines += isLong ? [] : [""]
    lines += wrapped("Usage: \(usage(fullName: fullName))", indent: 9)
    lines += commandSection
    lines += section(isLong ? nil : "Arguments", arguments.map { ($0.spelling, $0.explanation) })
    lines += subcommands.isEmpty ? optionSection : []
    if !subcommands.isEmpty {
      let more = "Help for a command: \(fullName) COMMAND --help"
      lines += ["", version == nil ? more : "\(more); version: \(fullName) --version"]
    }
    if let footer {
      // The help of a group already has a separate line before the footer.
      if subcommands.isEmpty { lines.append("") }
      for line in footer.split(separator: "\n", omittingEmptySubsequences: false) {
        lines += wrapped(String(line), indent: 0)
      }
    }
    return lines.joined(separator: "\n")
  }

  private var commandSection: [String] {
    let words = subcommands.map { command in
      ([command.name] + command.aliases).joined(separator: ", ")
    }
    guard subcommands.count > rowsMax else {
      return section(nil, zip(words, subcommands).map { ($0, $1.summary) })
    }
    let column = (subcommands.map(\.name.count).max() ?? 0) + 2
    let cells = subcommands.map { padded($0.name, to: column) + ($0.brief ?? $0.summary) }
    let rows = (cells.count + 1) / 2
    return [""]
      + (0..<rows).map { row in
        let right = row + rows < cells.count ? cells[row + rows] : ""
        let left = "  \(cells[row])"
        return right.isEmpty ? left : padded(left, to: width / 2 + 1) + right
      }
  }

  private var optionSection: [String] {
    let help = (left: "-h, --help", right: "show this help")
    let common = options.filter(\.isCommon)
    let rows = options.filter { !$0.isCommon }.map { (left: $0.spelling, right: $0.explanation) }
    guard !common.isEmpty else { return section("Options", rows + [help]) }
    let names = common.map(\.shortSpelling) + [help.left]
    return section(options.count > rowsMax ? nil : "Options", rows)
      + [""] + wrapped("Common: \(names.joined(separator: "; "))", indent: 8)
  }

  func usage(fullName: String) -> String {
    guard subcommands.isEmpty else { return "\(fullName) COMMAND …" }
    // With a prefix, the environment or a file may give every option.
    let needed = environmentPrefix == nil ? options.filter(\.isNeeded) : []
    let required = needed.map(\.spelling)
    let others = needed.count == options.count ? [] : ["[options]"]
    let places = arguments.map { $0.isRequired ? $0.spelling : "[\($0.spelling)]" }
    return ([fullName] + required + others + places).joined(separator: " ")
  }

  /// - Parameter title: `nil` when the usage line above is enough.
  private func section(_ title: String?, _ rows: [(left: String, right: String)]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let column = min(rows.map(\.left.count).max() ?? 0, 30) + 4
    return [""] + (title.map { ["\($0):"] } ?? [])
      + rows.flatMap { row in
        let left = "  \(row.left)"
        let gap = String(repeating: " ", count: max(2, column - left.count))
        return wrapped(left + gap + row.right, indent: column)
      }
  }
}

extension Option {
  /// `--employee N`: the option as written on a command line.
  var spelling: String {
    let names = (letter.map { "-\($0), " } ?? "") + "--\(name)"
    return switch kind {
    case nil: names
    case .integer: "\(names) N"
    case .text, .choice, .path: "\(names) \(placeholder ?? lastWord)"
    }
  }

  /// The same by its letter, if it has one.
  fileprivate var shortSpelling: String {
    letter.map { "-\($0) \(placeholder ?? lastWord)" } ?? spelling
  }

  private var lastWord: String { name.split(separator: "-").last?.uppercased() ?? "TEXT" }

  fileprivate var isNeeded: Bool { isRequired && defaultValue == nil && environment == nil }

  var explanation: String {
    let notes = [
      kind?.note, defaultValue.map { "default \($0)" }, environment.map { "or $\($0)" },
      isRepeatable ? "may be repeated" : nil,
    ].compactMap(\.self)
    return notes.isEmpty ? summary : "\(summary) (\(notes.joined(separator: "; ")))"
  }
}

extension Argument {
  var spelling: String { name.uppercased() }

  var explanation: String { kind.note.map { "\(summary) (\($0))" } ?? summary }
}

/// The text in lines of at most 80 characters, broken at spaces; all but the first are indented.
/// A longer word gets its own line. Spaces within a line stay.
private func wrapped(_ text: String, indent: Int) -> [String] {
  var lines: [String] = []
  var rest = text[...]
  while rest.count > width {
    let head = rest.prefix(width + 1)
    let begin = head.index(head.startIndex, offsetBy: indent)
    guard
      let space = head[begin...].lastIndex(of: " ") ?? rest[head.endIndex...].firstIndex(of: " ")
    else { break }
    lines.append(String(rest[..<space]))
    rest = (String(repeating: " ", count: indent) + rest[space...].drop { $0 == " " })[...]
  }
  return lines + [String(rest)]
}
