/// Base 64 with padding.
/// - Source: RFC 4648, section 4.
public enum Base64 {
  private static let alphabet = SixBitAlphabet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

  /// The bytes as text: four characters for each three bytes, the last four padded with `=`.
  public static func encode(_ bytes: [UInt8]) -> String {
    alphabet.encode(bytes) + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
  }

  /// The bytes that `text` stands for, or `nil` if ``encode(_:)`` could not have made it: missing
  /// padding, blanks, other characters and superfluous bits are refused.
  public static func decode(_ text: String) -> [UInt8]? {
    guard text.utf8.count % 4 == 0 else { return nil }
    let characters = Array(text.utf8)
    let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2 else { return nil }
    return alphabet.decode(characters.span.extracting(..<(characters.count - padding)))
  }
}

/// 64 characters that stand for six bits each.
struct SixBitAlphabet: Sendable {
  private let characters: [UInt8]
  /// By the character's code; `nil` for those outside the alphabet.
  private let groups: [UInt8?]

  init(_ text: String) {
    let characters = Array(text.utf8)
    self.characters = characters
    groups = (UInt8.min...UInt8.max).map { code in
      characters.firstIndex(of: code).map { UInt8($0) }
    }
  }

  func encode(_ bytes: [UInt8]) -> String {
    String(
      decoding: BitGroups.split(bytes, width: 6).map { characters[Int($0)] }, as: UTF8.self)
  }

  func decode(_ text: Span<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 6 / 8)
    return decode(text, { bytes.append($0) }) ? bytes : nil
  }

  /// - Parameter take: Gets the bytes that `text` stands for, one by one.
  /// - Returns: Whether it stands for these and no others.
  func decode(_ text: Span<UInt8>, _ take: (UInt8) -> Void) -> Bool {
    var joiner = BitGroups.Joiner(width: 6)
    for place in text.indices {
      guard let group = groups[Int(text[place])] else { return false }
      if let byte = joiner.add(group) { take(byte) }
    }
    return joiner.isAtEnd
  }
}
