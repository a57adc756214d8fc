/// A value of a JSON text, or the name of a member: where it is. An array is followed by its
/// elements, an object by a name and a value for each member.
struct JSONToken {
  enum Kind: UInt8 {
    case null, `false`, `true`, integer, number
    /// A string without escape sequences.
    case plainString
    case escapedString
    case array, object
  }

  let kind: Kind
  /// The first byte of its text and the one behind it; of a string, without the quotes. Not
  /// meaningful for an array or object.
  let start, end: UInt32
  /// The place of the token behind it, and behind all that is in it.
  var next: UInt32

  /// The content of a string.
  func text(in bytes: [UInt8]) -> String {
    guard kind == .escapedString else {
      return String(decoding: bytes[Int(start)..<Int(end)], as: UTF8.self)
    }
    var reader = JSONReader(bytes)
    reader.position = Int(start)
    // It was read before, so there is no error in it.
    return (try? reader.escapedString(from: reader.position)) ?? ""
  }

  /// Whether the string has the content `text`, byte for byte.
  func isText(_ text: Span<UInt8>, in bytes: [UInt8]) -> Bool {
    if kind == .escapedString { return Array(self.text(in: bytes).utf8).span.isEqual(to: text) }
    guard Int(end - start) == text.count else { return false }
    return bytes.span.extracting(Int(start)..<Int(end)).isEqual(to: text)
  }

  /// An integer or a number.
  func number(in bytes: [UInt8]) -> JSONValue {
    if kind == .number,
      let number = shortDecimal(bytes.span.extracting(Int(start)..<Int(end)))
    {
      return .number(number)
    }
    let text = String(decoding: bytes[Int(start)..<Int(end)], as: UTF8.self)
    if kind == .integer, let integer = Int64(text) { return .integer(integer) }
    return .number(Double(text) ?? .infinity)
  }
}

/// The number whose text by JSON's grammar this is, if it has no exponent and up to 15 digits, as
/// positions have. Then both its digits and the power of ten are exact, and so dividing rounds
/// once, correctly.
func shortDecimal(_ text: Span<UInt8>) -> Double? {
  guard text.count <= 17 else { return nil }
  var (digits, power): (Int64, Int64) = (0, 1)
  var hasPoint = false
  for place in text.indices {
    let byte = text[place]
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
      if hasPoint { power *= 10 }
    case UInt8(ascii: "."): hasPoint = true
    case UInt8(ascii: "-"): break
    default: return nil
    }
  }
  guard digits < 1_000_000_000_000_000 else { return nil }
  let isNegative = text[0] == UInt8(ascii: "-")
  // Only with a fraction is there a negative zero.
  guard hasPoint else { return Double(isNegative ? -digits : digits) }
  let magnitude = Double(digits) / Double(power)
  return isNegative ? -magnitude : magnitude
}

extension Span<UInt8> {
  func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for place in indices where self[place] != other[place] { return false }
    return true
  }
}
