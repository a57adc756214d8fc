/// Base 64 with the alphabet for URLs and file names, without padding.
/// - Source: RFC 4648, section 5.
public enum Base64URL {
  private static let alphabet = SixBitAlphabet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  public static func encode(_ bytes: [UInt8]) -> String { alphabet.encode(bytes) }

  /// The bytes that `text` stands for, or `nil` if ``encode(_:)`` could not have made it: padding,
  /// blanks, other characters and superfluous bits are refused.
  public static func decode(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    return decode(characters.span)
  }

  /// The same of the bytes of the text.
  public static func decode(_ text: Span<UInt8>) -> [UInt8]? { alphabet.decode(text) }

  /// The SHA-256 of the 32 bytes that `text` stands for; `nil` if it stands for anything else.
  public static func hash(ofSecret text: Span<UInt8>) -> [UInt8]? {
    guard text.count == 43 else { return nil }
    var secret = InlineArray<32, UInt8>(repeating: 0)
    var count = 0
    let isText = alphabet.decode(text) { byte in
      secret[count] = byte
      count += 1
    }
    return isText ? sha256(secret.span) : nil
  }
}
