/// JSON whose members keep the order in which they are meant to be read.
indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Int64)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// One `"name": value` of an object.
  struct Member: Equatable, Sendable {
    var name: String
    var value: JSONValue
  }

  /// The value as lines, two spaces a level.
  var lines: [String] {
    switch self {
    case .null: ["null"]
    case .bool(let value): ["\(value)"]
    case .number(let value): ["\(value)"]
    case .string(let value): [quoted(value)]
    case .array(let items): enclosed("[", items.map(\.lines), "]")
    case .object(let members):
      enclosed(
        "{",
        members.map { member in
          let lines = member.value.lines
          return ["\(quoted(member.name)): \(lines[0])"] + lines.dropFirst()
        }, "}")
    }
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }

  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// The text, or `null`.
  init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
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

/// Control characters are escaped beyond what JSON asks (DEL and C1 too): the text may come from a
/// phone and the JSON may be shown on a terminal.
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
