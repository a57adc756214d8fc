internal import COpenSSL

public struct EllipticPublicKey: Hashable, Sendable {
  /// Its point, uncompressed: 65 bytes, the first of them 4.
  public let point: [UInt8]

  /// `SubjectPublicKeyInfo` of a key on P-256, up to its point.
  private static let der: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
    0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]

  /// The key with this point, or `nil` unless it is one of the curve, in 65 bytes.
  public init?(point: [UInt8]) {
    guard point.count == 65, point.first == 4, KeyHandle(publicDER: Self.der + point) != nil
    else { return nil }
    self.point = point
  }

  fileprivate var der: [UInt8] { Self.der + point }
}

/// A private key on the curve P-256. Has no `description`, so that it is never logged by accident.
public struct EllipticPrivateKey: Sendable {
  /// PKCS #8, or the older form; known to be on the curve.
  private let der: [UInt8]
  public let publicKey: EllipticPublicKey

  /// PKCS #8 of a key on P-256, up to its number; OpenSSL computes the point.
  private static let derStart: [UInt8] = [
    0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02,
    0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x04, 0x27, 0x30, 0x25,
    0x02, 0x01, 0x01, 0x04, 0x20,
  ]
  /// The number of points on the curve; a key's number is lower.
  private static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63,
    0x25, 0x51,
  ]

  private init?(der: [UInt8]) {
    guard let handle = KeyHandle(privateDER: der), handle.isP256,
      let publicKey = EllipticPublicKey(point: handle.publicPoint)
    else { return nil }
    self.der = der
    self.publicKey = publicKey
  }

  /// The key of a PEM text without a passphrase, such as Apple's `.p8` files; otherwise `nil`.
  public init?(pem: String) {
    guard let der = derBytes(pem: pem) else { return nil }
    self.init(der: der)
  }

  /// The key with this number: 32 bytes, most significant first, as Web Push libraries write it.
  public init?(number: [UInt8]) {
    guard number.count == 32, number.contains(where: { $0 != 0 }),
      number.lexicographicallyPrecedes(Self.order)
    else { return nil }
    self.init(der: Self.derStart + number)
  }

  public static func random() -> EllipticPrivateKey { randomWithNumber().key }

  /// The number of a new key, to be stored.
  public static func randomNumber() -> [UInt8] { randomWithNumber().number }

  private static func randomWithNumber() -> (key: EllipticPrivateKey, number: [UInt8]) {
    while true {
      // One number in four billion is not valid on the curve.
      let number = randomBytes(32)
      if let key = EllipticPrivateKey(number: number) { return (key, number) }
    }
  }

  /// The ES256 signature of `bytes`: two numbers of 32 bytes, different each time.
  /// - Source: RFC 7518, section 3.4.
  public func signature(of bytes: [UInt8]) -> [UInt8] {
    let der = handle { $0.sign(bytes) }
    let pair = unsafe der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return unsafe d2i_ECDSA_SIG(nil, &start, bytes.count)
    }
    defer { unsafe ECDSA_SIG_free(pair) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let isWhole = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe BN_bn2binpad(ECDSA_SIG_get0_r(pair), start, 32) == 32
        && BN_bn2binpad(ECDSA_SIG_get0_s(pair), start + 32, 32) == 32
    }
    precondition(isWhole, "a signature of two numbers")
    return bytes
  }

  /// The shared secret of this key and `other`: 32 bytes, for deriving keys.
  public func sharedSecret(with other: EllipticPublicKey) -> [UInt8] {
    guard let other = KeyHandle(publicDER: other.der) else {
      preconditionFailure("a point of the curve")
    }
    return handle { $0.agree(with: other) }
  }

  private func handle<Result>(_ body: (borrowing KeyHandle) -> Result) -> Result {
    guard let handle = KeyHandle(privateDER: der) else { preconditionFailure("read before") }
    return body(handle)
  }
}
