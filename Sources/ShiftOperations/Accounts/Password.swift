import Cryptography
internal import Foundation

/// Why a password is none.
public enum PasswordFault: Hashable, Sendable {
  /// Under 12 characters.
  case tooShort
  /// Over 1,024 bytes.
  case tooLong
  /// It is the account's address or name, or most of it.
  case guessable
}

/// What somebody typed as their password. It has no description, so it gets into no log.
public struct Password: Sendable, CustomStringConvertible, CustomReflectable {
  /// The fewest characters.
  public static let charactersMin = 12
  /// The most bytes.
  public static let bytesMax = 1_024

  private let text: String

  /// Any text; whether it may be set, `fault` says.
  public init(_ text: String) { self.text = text }

  /// A password that nobody has had, to be told once: 100 random bits in groups of four characters.
  public static func randomText() -> String {
    String(CrockfordBase32.encode(randomBytes(13), groupLength: 4).prefix(24))
  }

  /// Nothing of it.
  public var description: String { "a password" }
  /// Nothing of it.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// What is hashed: the same whatever keyboard made it.
  /// - Source: NIST SP 800-63B: Unicode is normalized by NFKC.
  var bytes: [UInt8] { Array(text.precomposedStringWithCompatibilityMapping.utf8) }

  /// Whether somebody can have set it; longer ones are not worth the time.
  var isPossible: Bool { text.utf8.count <= Self.bytesMax && bytes.count <= 4 * Self.bytesMax }

  /// Why it may not be set; `nil` when it may. Which characters it has is nobody's business.
  func fault(email: String, name: String) -> PasswordFault? {
    guard text.count >= Self.charactersMin else { return .tooShort }
    guard isPossible else { return .tooLong }
    let plain = text.lowercased()
    let mailbox = email.prefix { $0 != "@" }
    let own = [email, name.lowercased(), String(mailbox)]
    let isOwn = own.contains { word in
      plain == word || (word.count >= 4 && plain.replacingOccurrences(of: word, with: "").count < 4)
    }
    // One character over and over.
    return isOwn || Set(plain).count < 3 ? .guessable : nil
  }
}
