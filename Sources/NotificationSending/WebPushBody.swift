import Cryptography

/// The maximum number of bytes: a body of 4,096 minus its header, its tag and its end mark.
let webPushBytesMax = 4_096 - 86 - 17

/// `bytes`, encrypted so that only the browser can read them, not the push service in between.
/// `secret` are the 16 bytes that the browser generated with its key; `key` is ours, for this
/// message only.
/// - Source: RFC 8291; RFC 8188.
func webPushBody(
  _ bytes: [UInt8], to browser: EllipticPublicKey, secret: [UInt8],
  key: EllipticPrivateKey = .random(), salt: [UInt8] = randomBytes(16)
) -> [UInt8] {
  let (theirs, ours) = (browser.point, key.publicKey.point)
  let shared = hkdfSHA256(
    secret: key.sharedSecret(with: browser), salt: secret,
    info: Array("WebPush: info\0".utf8) + theirs + ours, count: 32)
  let contentKey = hkdfSHA256(
    secret: shared, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), count: 16)
  let nonce = hkdfSHA256(
    secret: shared, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), count: 12)
  let recordSize: [UInt8] = [0, 0, 0x10, 0]
  let header = salt + recordSize + [UInt8(ours.count)] + ours
  // A 2 marks the end of the last record, which is the only one.
  return header + sealAES128GCM(bytes + [2], key: contentKey, nonce: nonce)
}
