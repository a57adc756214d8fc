internal import COpenSSL

/// The HMAC-SHA-256 of `bytes` under `key`: 32 bytes.
/// - Source: RFC 2104.
public func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
  var hash = [UInt8](repeating: 0, count: 32)
  let made = unsafe HMAC(
    EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &hash, nil)
  precondition(unsafe made != nil, "the OpenSSL at hand has no HMAC with SHA-256")
  return hash
}

/// A key of `count` bytes, at most 8,160, derived from `secret`. `salt` need not be secret; `info`
/// is the purpose, different for each use of the secret.
/// - Source: RFC 5869.
public func hkdfSHA256(
  secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int
) -> [UInt8] {
  precondition((0...255 * 32).contains(count), "more bytes than HKDF gives")
  let extracted = hmacSHA256(key: salt, secret)
  var key: [UInt8] = []
  var block: [UInt8] = []
  var number: UInt8 = 0
  while key.count < count {
    number += 1
    block = hmacSHA256(key: extracted, block + info + [number])
    key += block
  }
  return Array(key.prefix(count))
}
