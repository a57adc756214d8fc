internal import COpenSSL

/// The UUID, in lower case, that `name` always has within `namespace`, another UUID's 16 bytes.
/// - Source: RFC 9562, section 5.5 (version 5).
public func nameUUID(_ name: String, in namespace: [UInt8]) -> String {
  precondition(namespace.count == 16, "a namespace is 16 bytes")
  let bytes = namespace + Array(name.utf8)
  var hash = [UInt8](repeating: 0, count: 20)
  let status = unsafe EVP_Digest(bytes, bytes.count, &hash, nil, EVP_sha1(), nil)
  precondition(status == 1, "the OpenSSL at hand has no SHA-1")
  hash[6] = hash[6] & 0x0F | 0x50
  hash[8] = hash[8] & 0x3F | 0x80
  let digits = hash.prefix(16).map { byte in
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
  return [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
    .map { $0.joined() }.joined(separator: "-")
}
