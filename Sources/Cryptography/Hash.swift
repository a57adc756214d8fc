internal import COpenSSL

public func sha256(_ bytes: [UInt8]) -> [UInt8] { sha256(bytes.span) }

func sha256(_ bytes: Span<UInt8>) -> [UInt8] {
  unsafe [UInt8](unsafeUninitializedCapacity: 32) { hash, count in
    let status = unsafe bytes.withUnsafeBytes { bytes in
      unsafe EVP_Digest(
        bytes.baseAddress, bytes.count, hash.baseAddress, nil, fetchedSHA256, nil)
    }
    precondition(status == 1, "the OpenSSL at hand has no SHA-256")
    count = 32
  }
}

/// The first twelve hex digits of the SHA-256 of `bytes`, which name a version of a file.
package func versionText(of bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: sha256(bytes).prefix(6).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
    as: UTF8.self)
}

/// Looked up once, because OpenSSL searches its providers at every use. Never changed or freed.
nonisolated(unsafe) private let fetchedSHA256 = unsafe EVP_MD_fetch(nil, "SHA2-256", nil)

/// Whether both are equal, in a time that depends only on their lengths.
public func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
