/// Base 32 for reading aloud and typing: no letter that looks like a digit.
/// - Source: https://www.crockford.com/base32.html (without its check symbol).
public enum CrockfordBase32 {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Eight upper-case characters for each five bytes, with a dash after each `groupLength`.
  public static func encode(_ bytes: [UInt8], groupLength: Int? = nil) -> String {
    precondition(groupLength ?? 1 > 0)
    var text: [UInt8] = []
    for (index, group) in BitGroups.split(bytes, width: 5).enumerated() {
      if let groupLength, index > 0, index % groupLength == 0 { text.append(UInt8(ascii: "-")) }
      text.append(alphabet[Int(group)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that `text` encodes, or `nil` if it is invalid. Accepts common variants of
  /// typing: either case, O for 0, I and L for 1, dashes and spaces anywhere.
  public static func decode(_ text: String) -> [UInt8]? {
    var groups: [UInt8] = []
    for character in text.uppercased().utf8 {
      switch character {
      case UInt8(ascii: "-"), UInt8(ascii: " "): continue
      case UInt8(ascii: "O"): groups.append(0)
      case UInt8(ascii: "I"), UInt8(ascii: "L"): groups.append(1)
      default:
        guard let group = alphabet.firstIndex(of: character) else { return nil }
        groups.append(UInt8(group))
      }
    }
    return BitGroups.join(groups, width: 5)
  }
}
