import Cryptography
import Foundation
import OperationCore

package enum PasswordFault: Hashable, Sendable {
  /// Under 12 characters.
  case tooShort
  /// Over 1,024 bytes.
  case tooLong
  /// It is the account's address or name, or most of it.
  case guessable

  /// - Parameter pointer: The password's field in the request.
  func refusal(at pointer: String) -> Refusal {
    switch self {
    case .tooShort:
      .invalid(pointer, "the password must have at least \(Password.charactersMin) characters")
    case .tooLong: .invalid(pointer, "the password must have at most \(Password.bytesMax) bytes")
    case .guessable: .invalid(pointer, "this password is too easy to guess; choose another")
    }
  }
}

/// A password as typed. It has no description, so it gets into no log.
package struct Password: Sendable, CustomStringConvertible, CustomReflectable {
  package static let charactersMin = 12
  package static let bytesMax = 1_024

  private let text: String

  /// Any text; `fault` says whether it is acceptable.
  package init(_ text: String) { self.text = text }

  /// A new random password, to be shown once: 100 random bits in groups of four characters.
  package static func randomText() -> String {
    String(CrockfordBase32.encode(randomBytes(13), groupLength: 4).prefix(24))
  }

  package var description: String { "a password" }
  package var customMirror: Mirror { Mirror(self, children: []) }

  /// The bytes to hash: the same for every keyboard.
  /// - Source: NIST SP 800-63B: Unicode is normalized by NFKC.
  var bytes: [UInt8] { Array(text.precomposedStringWithCompatibilityMapping.utf8) }

  /// Whether it can be anybody's password; longer ones are not worth the time.
  var isPossible: Bool { text.utf8.count <= Self.bytesMax && bytes.count <= 4 * Self.bytesMax }

  /// Why it is not acceptable; `nil` when it is. There are no rules about character classes.
  func fault(email: String, name: String) -> PasswordFault? {
    guard text.count >= Self.charactersMin else { return .tooShort }
    guard isPossible else { return .tooLong }
    let plain = text.lowercased()
    let mailbox = email.prefix { $0 != "@" }
    let own = [email, name.lowercased(), String(mailbox)]
    let isOwn = own.contains { word in
      plain == word || (word.count >= 4 && plain.replacingOccurrences(of: word, with: "").count < 4)
    }
    // One or two characters repeated.
    return isOwn || Set(plain).count < 3 ? .guessable : nil
  }
}
