extension JSONReader {
  /// A number by RFC 8259's grammar.
  mutating func number() throws(JSONSyntaxError) -> JSONValue {
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
    if !isInteger, let number = shortDecimal(from: start) { return .number(number) }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    return .number(Double(text) ?? .infinity)
  }

  /// The number from `start` to here, if it has no exponent and up to 15 digits, as positions have.
  /// Then both its digits and the power of ten are exact, and so dividing rounds once, correctly.
  private func shortDecimal(from start: Int) -> Double? {
    guard position - start <= 17 else { return nil }
    var (digits, power): (Int64, Int64) = (0, 0)
    for byte in bytes[start..<position] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
        power *= 10
      case UInt8(ascii: "."): power = 1
      case UInt8(ascii: "-"): break
      default: return nil
      }
    }
    guard digits < 1_000_000_000_000_000 else { return nil }
    let magnitude = Double(digits) / Double(power)
    return bytes[start] == UInt8(ascii: "-") ? -magnitude : magnitude
  }

  private mutating func digits() throws(JSONSyntaxError) {
    let start = position
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
    guard position > start else { throw failure("a digit is missing in a number") }
  }

  mutating func string() throws(JSONSyntaxError) -> String {
    position += 1
    let start = position
    var isASCII = true
    while true {
      switch next {
      case UInt8(ascii: "\""):
        let content = bytes[start..<position]
        // Nothing to validate in ASCII, and decoding is quicker.
        let text =
          isASCII ? String(decoding: content, as: UTF8.self) : try utf8(content, from: start)
        position += 1
        return text
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case 0..<0x20: throw failure("a string is not closed")
      case 0x80...: isASCII = false
      default: break
      }
      position += 1
    }
  }

  /// The rest of a string in which a backslash occurs.
  private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
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
