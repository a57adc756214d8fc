internal import COpenSSL

/// The SHA-256 digest of `bytes`: 32 bytes.
public func sha256(_ bytes: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 32)
  let status = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
  precondition(status == 1, "the OpenSSL at hand has no SHA-256")
  return digest
}

/// Whether both are the same, found out in a time that depends on their lengths only.
public func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
