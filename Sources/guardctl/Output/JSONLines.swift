import JSONText

extension JSONValue {
  /// The value as lines, indented by two spaces per level.
  var lines: [String] {
    switch self {
    case .null: ["null"]
    case .bool(let value): ["\(value)"]
    case .integer(let value): ["\(value)"]
    case .number(let value): ["\(value)"]
    case .string(let value): [quoted(value)]
    case .array(let items): enclosed("[", items.map(\.lines), "]")
    case .object(let object):
      enclosed(
        "{",
        object.members.map { member in
          let lines = member.value.lines
          return ["\(quoted(member.name)): \(lines[0])"] + lines.dropFirst()
        }, "}")
    }
  }
}

private func enclosed(_ open: String, _ items: [[String]], _ close: String) -> [String] {
  guard !items.isEmpty else { return [open + close] }
  var lines = [open]
  for (index, item) in items.enumerated() {
    lines += item.map { "  \($0)" }
    if index < items.count - 1 { lines[lines.count - 1] += "," }
  }
  return lines + [close]
}

/// Escapes more control characters than JSON requires (DEL and C1 too): the text may come from a
/// phone, and the JSON may be shown on a terminal.
private func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    case _ where scalar.isUnshowable && scalar.value <= 0xFFFF:
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
