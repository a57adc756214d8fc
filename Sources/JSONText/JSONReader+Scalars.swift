extension JSONReader {
  /// A number by RFC 8259's grammar.
  mutating func number() throws(JSONSyntaxError) {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if next == UInt8(ascii: "0") { position += 1 } else { try digits() }
    var isInteger = true
    if take(UInt8(ascii: ".")) {
      isInteger = false
      try digits()
    }
    if next | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    add(isInteger ? .integer : .number, from: start)
  }

  private mutating func digits() throws(JSONSyntaxError) {
    let start = position
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
    guard position > start else { throw failure("a digit is missing in a number") }
  }

  mutating func string() throws(JSONSyntaxError) {
    position += 1
    let start = position
    skipPlainText()
    var isASCII = true
    while true {
      switch next {
      case UInt8(ascii: "\""):
        // Nothing to validate in ASCII.
        if !isASCII { _ = try utf8(bytes[start..<position], from: start) }
        add(.plainString, from: start)
        position += 1
        return
      case UInt8(ascii: "\\"):
        _ = try escapedString(from: start)
        add(.escapedString, from: start)
        return
      case 0..<0x20: throw failure("a string is not closed")
      case 0x80...: isASCII = false
      default: break
      }
      position += 1
    }
  }

  /// Goes to the first byte that a string needs a closer look at.
  private mutating func skipPlainText() {
    var place = position
    while place < bytes.count {
      let byte = bytes[place]
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        break
      }
      place += 1
    }
    position = place
  }

  /// The content of the string from `start`, of which everything before here is plain.
  mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
    var text = Array(bytes[start..<position])
    while true {
      switch next {
      case UInt8(ascii: "\""):
        position += 1
        return try utf8(text[...], from: start)
      case UInt8(ascii: "\\"):
        position += 1
        text.append(contentsOf: try escape().utf8)
      case 0..<0x20: throw failure("a string is not closed")
      default:
        text.append(next)
        position += 1
      }
    }
  }

  /// The rest of an escape sequence, after the backslash.
  private mutating func escape() throws(JSONSyntaxError) -> String {
    let byte = next
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return String(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return String(try escapedScalar())
    default: throw failure("unknown escape sequence")
    }
  }

  /// `\u` and four hexadecimal digits, twice for a character above U+FFFF.
  private mutating func escapedScalar() throws(JSONSyntaxError) -> Unicode.Scalar {
    var code = try hexadecimal()
    if (0xD800..<0xDC00).contains(code), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
      let low = try hexadecimal()
      guard (0xDC00..<0xE000).contains(low) else { throw failure("unpaired surrogate") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw failure("unpaired surrogate") }
    return scalar
  }

  private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else {
        throw failure("a hexadecimal digit is missing in an escape sequence")
      }
      code = code << 4 + UInt32(digit)
      position += 1
    }
    return code
  }

  private func utf8(
    _ bytes: ArraySlice<UInt8>, from start: Int
  ) throws(JSONSyntaxError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw JSONSyntaxError("a string is not valid UTF-8", at: start)
    }
    return text
  }
}
