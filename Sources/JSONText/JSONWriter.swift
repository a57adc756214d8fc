extension JSONValue {
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes, sorted: false)
    return bytes
  }

  /// With members sorted by name, so that equal bodies have the same bytes.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes, sorted: true)
    return bytes
  }

  private func write(to bytes: inout [UInt8], sorted: Bool) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let isTrue): bytes.append(contentsOf: (isTrue ? "true" : "false").utf8)
    case .integer(let integer): bytes.append(contentsOf: integer.description.utf8)
    // JSON cannot express infinity.
    case .number(let number):
      bytes.append(contentsOf: (number.isFinite ? number.description : "null").utf8)
    case .string(let text): append(quoted: text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes, sorted: sorted)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      let members = sorted ? object.members.sorted { $0.name < $1.name } : object.members
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(quoted: member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes, sorted: sorted)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}

private func append(quoted text: String, to bytes: inout [UInt8]) {
  bytes.append(UInt8(ascii: "\""))
  defer { bytes.append(UInt8(ascii: "\"")) }
  // Most texts can simply be copied.
  guard text.withUTF8Span({ $0.hasAny(where: mustBeEscaped) }) else {
    bytes.append(contentsOf: text.utf8)
    return
  }
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0..<0x20:
      bytes.append(contentsOf: "\\u00".utf8)
      bytes.append(hexDigit(byte >> 4))
      bytes.append(hexDigit(byte & 15))
    default: bytes.append(byte)
    }
  }
}

private func mustBeEscaped(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

extension Span<UInt8> {
  fileprivate func hasAny(where isSought: (UInt8) -> Bool) -> Bool {
    for place in indices where isSought(self[place]) { return true }
    return false
  }
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

/// A name as one step of a JSON Pointer (RFC 6901).
func escapedForPointer(_ name: String) -> String {
  guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
    return name
  }
  return name.reduce(into: "") { text, character in
    switch character {
    case "~": text += "~0"
    case "/": text += "~1"
    default: text.append(character)
    }
  }
}
