/// Base 64 with the alphabet for URLs and file names, without padding.
/// - Source: RFC 4648, section 5.
public enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  /// By the character's code; `nil` for those outside the alphabet.
  private static let groups = (UInt8.min...UInt8.max).map { code in
    alphabet.firstIndex(of: code).map { UInt8($0) }
  }

  /// The bytes as text: four characters for each three bytes.
  public static func encode(_ bytes: [UInt8]) -> String {
    String(
      decoding: BitGroups.split(bytes, width: 6).map { alphabet[Int($0)] }, as: UTF8.self)
  }

  /// The bytes that `text` stands for, or `nil` if ``encode(_:)`` could not have made it: padding,
  /// blanks, other characters and superfluous bits are refused.
  public static func decode(_ text: String) -> [UInt8]? {
    var found: [UInt8] = []
    found.reserveCapacity(text.utf8.count)
    for character in text.utf8 {
      guard let group = groups[Int(character)] else { return nil }
      found.append(group)
    }
    return BitGroups.join(found, width: 6)
  }
}
