/// An RSA key of at least 2,048 bits. Has no `description`, so that it is never logged.
public struct RSAPrivateKey: Sendable {
  private let der: [UInt8]

  /// The key of a PEM text without a passphrase, such as in Google's key files.
  public init?(pem: String) {
    guard let der = derBytes(pem: pem), let handle = KeyHandle(privateDER: der), handle.isRSA
    else { return nil }
    self.der = der
  }

  /// The RS256 signature of `bytes` for JSON Web Signatures.
  /// - Source: RFC 7518, section 3.3.
  public func signature(of bytes: [UInt8]) -> [UInt8] {
    guard let handle = KeyHandle(privateDER: der) else { preconditionFailure("read before") }
    return handle.sign(bytes)
  }
}
