public import ShiftDomain

/// Reads an object straight from its text, member by member, if it is as plain as most apps write
/// it: each name known, once and of ASCII; strings of ASCII without escapes; numbers of up to 15
/// digits without exponent. Anything else is unusual, also a fault; then `JSONValue(parsing:)`
/// decides. What is not unusual reads as that and `JSONFields` read it.
public struct PlainObjectReader {
  public enum Step: Sendable {
    /// A member, by the place of its name in the list. Its value is to be read now.
    case member(Int)
    case end
    case unusual
  }

  private var position = 0
  private var isWithin = false
  /// A bit for each name that was read.
  private var seen: UInt64 = 0

  public init() {}

  public mutating func next(of text: Span<UInt8>, among names: PlainNames) -> Step {
    if isWithin {
      skipSpace(of: text)
      if take("}", of: text) { return end(of: text) }
      guard take(",", of: text) else { return .unusual }
    } else {
      skipSpace(of: text)
      guard take("{", of: text) else { return .unusual }
      isWithin = true
    }
    skipSpace(of: text)
    guard let name = string(of: text), let index = names.index(of: text.extracting(name)),
      seen & 1 << UInt64(index) == 0
    else { return .unusual }
    seen |= 1 << UInt64(index)
    skipSpace(of: text)
    guard take(":", of: text) else { return .unusual }
    skipSpace(of: text)
    return .member(index)
  }

  private mutating func end(of text: Span<UInt8>) -> Step {
    skipSpace(of: text)
    return position == text.count ? .end : .unusual
  }

  /// Reads a number, or `null`, which leaves `value` as it is.
  /// - Returns: Whether it is one of these; the same holds below.
  public mutating func number(of text: Span<UInt8>, into value: inout Double?) -> Bool {
    if takeWord("null", of: text) { return true }
    let start = position
    _ = take("-", of: text)
    guard take("0", of: text) || takeDigits(of: text) else { return false }
    if take(".", of: text), !takeDigits(of: text) { return false }
    guard next(of: text) | 0x20 != UInt8(ascii: "e"),
      let number = shortDecimal(text.extracting(start..<position))
    else { return false }
    value = number
    return true
  }

  public mutating func flag(of text: Span<UInt8>, into value: inout Bool?) -> Bool {
    if takeWord("true", of: text) {
      value = true
    } else if takeWord("false", of: text) {
      value = false
    } else {
      return takeWord("null", of: text)
    }
    return true
  }

  /// Reads an RFC 3339 instant.
  public mutating func instant(of text: Span<UInt8>, into value: inout Instant?) -> Bool {
    guard let place = string(of: text) else { return takeWord("null", of: text) }
    guard let instant = Instant(rfc3339: text.extracting(place)) else { return false }
    value = instant
    return true
  }

  /// The content of a plain string.
  private mutating func string(of text: Span<UInt8>) -> Range<Int>? {
    guard take("\"", of: text) else { return nil }
    let start = position
    while (0x20..<0x7F).contains(next(of: text)) {
      switch next(of: text) {
      case UInt8(ascii: "\""):
        position += 1
        return start..<position - 1
      case UInt8(ascii: "\\"): return nil
      default: position += 1
      }
    }
    return nil
  }

  private mutating func takeDigits(of text: Span<UInt8>) -> Bool {
    let start = position
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next(of: text)) { position += 1 }
    return position > start
  }

  private mutating func takeWord(_ word: String, of text: Span<UInt8>) -> Bool {
    var end = position
    for byte in word.utf8 {
      guard end < text.count, text[end] == byte else { return false }
      end += 1
    }
    position = end
    return true
  }

  private mutating func take(_ mark: Unicode.Scalar, of text: Span<UInt8>) -> Bool {
    guard next(of: text) == UInt8(ascii: mark) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace(of text: Span<UInt8>) {
    while true {
      switch next(of: text) {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        position += 1
      default: return
      }
    }
  }

  /// The next byte; at the end 0, which is nowhere plain.
  private func next(of text: Span<UInt8>) -> UInt8 {
    position < text.count ? text[position] : 0
  }
}

/// The names of an object's members, of which a reader knows no others.
public struct PlainNames: Sendable {
  /// With their places in the list, by their lengths, by which most differ.
  private let byLength: [[(name: [UInt8], index: Int)]]

  /// Traps for more than 64 names.
  public init(_ names: [String]) {
    precondition(names.count <= UInt64.bitWidth, "too many names")
    var byLength: [[(name: [UInt8], index: Int)]] = []
    for (index, name) in names.enumerated() {
      while byLength.count <= name.utf8.count { byLength.append([]) }
      byLength[name.utf8.count].append((Array(name.utf8), index))
    }
    self.byLength = byLength
  }

  func index(of name: Span<UInt8>) -> Int? {
    guard name.count < byLength.count else { return nil }
    for known in byLength[name.count] where known.name.span.isEqual(to: name) {
      return known.index
    }
    return nil
  }
}
