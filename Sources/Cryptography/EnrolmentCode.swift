/// The one-time code with which a phone enrols: 80 random bits, so that guessing is hopeless even
/// without a limit on attempts. Has no `description`: a secret must not get into a log by accident.
public struct EnrolmentCode: Sendable {
  private static let byteCount = 10
  private let bytes: [UInt8]

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// A new code that nobody has seen.
  public static func random() -> EnrolmentCode {
    EnrolmentCode(bytes: randomBytes(byteCount))
  }

  /// The code that somebody typed, or `nil` if no code looks so. Forgives case, dashes, blanks and
  /// look-alikes.
  public init?(typed text: String) {
    guard text.utf8.count <= 64, let bytes = CrockfordBase32.decode(text),
      bytes.count == Self.byteCount
    else { return nil }
    self.bytes = bytes
  }

  /// The code as shown to people: four groups of four characters, with hyphens between.
  public var text: String { CrockfordBase32.encode(bytes, groupLength: 4) }

  /// What is stored in place of the code: its SHA-256, 32 bytes. The code has too many bits to be
  /// found from it, so it needs no slow hash.
  public var digest: [UInt8] { sha256(bytes) }
}
