/// The one-time code for enrolling a phone: 80 random bits, so that guessing is hopeless even
/// without a limit on attempts. Has no `description`: a secret must not get into a log by accident.
public struct EnrolmentCode: Sendable {
  private static let byteCount = 10
  private let bytes: [UInt8]

  private init(bytes: [UInt8]) { self.bytes = bytes }

  public static func random() -> EnrolmentCode {
    EnrolmentCode(bytes: randomBytes(byteCount))
  }

  /// The typed code; ignores case, dashes, blanks and look-alike characters.
  public init?(typed text: String) {
    guard text.utf8.count <= 64, let bytes = CrockfordBase32.decode(text),
      bytes.count == Self.byteCount
    else { return nil }
    self.bytes = bytes
  }

  /// The code for display: four groups of four characters, separated by hyphens.
  public var text: String { CrockfordBase32.encode(bytes, groupLength: 4) }

  /// What is stored instead of the code: its SHA-256, 32 bytes. The code has too many bits to be
  /// guessed from it, so a slow hash is not needed.
  public var hash: [UInt8] { sha256(bytes) }
}
