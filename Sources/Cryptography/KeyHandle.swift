internal import COpenSSL

/// A key in OpenSSL's form for one call: our API's keys are bytes, which threads can share.
@safe struct KeyHandle: ~Copyable {
  private let raw: OpaquePointer

  /// A private key from its DER: PKCS #8, or the older form. `nil` if it is invalid.
  init?(privateDER der: [UInt8]) {
    let key = unsafe der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return unsafe d2i_AutoPrivateKey(nil, &start, bytes.count)
    }
    guard let key = unsafe key else { return nil }
    unsafe raw = key
  }

  /// A public key from its DER (`SubjectPublicKeyInfo`), or `nil` if it is invalid.
  init?(publicDER der: [UInt8]) {
    let key = unsafe der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return unsafe d2i_PUBKEY(nil, &start, bytes.count)
    }
    guard let key = unsafe key else { return nil }
    unsafe raw = key
  }

  deinit { unsafe EVP_PKEY_free(raw) }

  var isRSA: Bool {
    unsafe EVP_PKEY_get_base_id(raw) == EVP_PKEY_RSA && EVP_PKEY_get_bits(raw) >= 2_048
  }

  var isP256: Bool {
    var name = [CChar](repeating: 0, count: 32)
    var count = 0
    guard unsafe EVP_PKEY_get_base_id(raw) == EVP_PKEY_EC,
      unsafe EVP_PKEY_get_group_name(raw, &name, name.count, &count) == 1
    else { return false }
    return name.prefix(count).elementsEqual("prime256v1".utf8.map { CChar($0) })
  }

  var publicPoint: [UInt8] {
    var point = [UInt8](repeating: 0, count: 65)
    var count = 0
    let status = unsafe EVP_PKEY_get_octet_string_param(
      raw, OSSL_PKEY_PARAM_PUB_KEY, &point, point.count, &count)
    precondition(status == 1 && count == point.count, "no point")
    return point
  }

  /// The signature of the SHA-256 of `bytes`: PKCS #1 for RSA, or DER for a curve.
  func sign(_ bytes: [UInt8]) -> [UInt8] {
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    var count = Int(unsafe EVP_PKEY_get_size(raw))
    var signature = [UInt8](repeating: 0, count: count)
    let isSigned =
      unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, raw) == 1
      && EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
    precondition(isSigned, "the key cannot sign")
    return Array(signature.prefix(count))
  }

  /// The shared secret of this private key and the other side's public key: 32 bytes on P-256.
  func agree(with other: borrowing KeyHandle) -> [UInt8] {
    let context = unsafe EVP_PKEY_CTX_new(raw, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var secret = [UInt8](repeating: 0, count: 32)
    var count = secret.count
    let hasAgreed =
      unsafe EVP_PKEY_derive_init(context) == 1
      && EVP_PKEY_derive_set_peer(context, other.raw) == 1
      && EVP_PKEY_derive(context, &secret, &count) == 1
    precondition(hasAgreed && count == secret.count, "the keys are of different kinds")
    return secret
  }
}

/// The bytes within the first block of a PEM text, or `nil` if there is none or it is encrypted.
func derBytes(pem: String) -> [UInt8]? {
  let lines = pem.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isWhitespace } }
  guard let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN") }),
    let end = lines[begin...].firstIndex(where: { $0.hasPrefix("-----END") })
  else { return nil }
  return Base64.decode(lines[begin + 1..<end].joined())
}
