import Cryptography
import Testing

@Suite("Keys, signatures and secrets") struct KeyTests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.utf8.count, by: 2).compactMap { start in
      UInt8(hex.dropFirst(start).prefix(2), radix: 16)
    }
  }

  @Test func `HMAC-SHA-256 of known messages matches RFC 4231`() {
    #expect(
      hex(hmacSHA256(key: Array(repeating: 0x0B, count: 20), Array("Hi There".utf8)))
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    #expect(
      hex(hmacSHA256(key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      hex(hmacSHA256(key: [], []))
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  @Test func `HKDF of a known secret matches RFC 5869 A1`() {
    let secret = [UInt8](repeating: 0x0B, count: 22)
    let found = hkdfSHA256(
      secret: secret, salt: Array(0x00...0x0C), info: Array(0xF0...0xF9), count: 42)
    #expect(
      hex(found)
        == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
    #expect(hkdfSHA256(secret: secret, salt: [], info: [], count: 0) == [])
  }

  @Test func `AES-128-GCM of known bytes is correct and ends with its tag`() {
    let (key, nonce) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 12))
    #expect(
      hex(sealAES128GCM([], key: key, nonce: nonce)) == "58e2fccefa7e3061367f1d57a4e7455a")
    #expect(
      hex(sealAES128GCM(Array(repeating: 0, count: 16), key: key, nonce: nonce))
        == "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf")
  }

  @Test func `RS256 signs like another library`() throws {
    let key = try #require(RSAPrivateKey(pem: SampleKeys.rsa))
    #expect(hex(key.signature(of: Array("abc".utf8))) == SampleKeys.rsaSignature)
  }

  @Test func `a key on the curve is read from both PEM forms and from its number`() throws {
    let key = try #require(EllipticPrivateKey(pem: SampleKeys.elliptic))
    let old = try #require(EllipticPrivateKey(pem: SampleKeys.ellipticInOldForm))
    let plain = try #require(EllipticPrivateKey(number: bytes(SampleKeys.ellipticNumber)))
    for key in [key, old, plain] {
      #expect(hex(key.publicKey.point) == SampleKeys.ellipticPoint)
    }
  }

  @Test func `two keys share one secret, whichever side computes it`() {
    let (one, other) = (EllipticPrivateKey.random(), EllipticPrivateKey.random())
    let secret = one.sharedSecret(with: other.publicKey)
    #expect(secret.count == 32)
    #expect(secret == other.sharedSecret(with: one.publicKey))
    #expect(secret != one.sharedSecret(with: one.publicKey))
  }

  @Test func `the shared secret of known keys matches RFC 8291 appendix A`() throws {
    let number = try #require(Base64URL.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    let point = try #require(
      Base64URL.decode(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx"
          + "aOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"))
    let key = try #require(EllipticPrivateKey(number: number))
    let other = try #require(EllipticPublicKey(point: point))
    #expect(
      Base64URL.encode(key.sharedSecret(with: other))
        == "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs")
  }

  @Test func `ES256 signatures have 64 bytes and never repeat`() {
    let key = EllipticPrivateKey.random()
    let signatures = (0..<64).map { _ in key.signature(of: [1, 2, 3]) }
    #expect(signatures.allSatisfy { $0.count == 64 })
    #expect(Set(signatures).count == 64)
  }

  @Test(arguments: [
    "", "nonsense", "-----BEGIN PRIVATE KEY-----", SampleKeys.otherCurve, SampleKeys.rsa,
    SampleKeys.elliptic.replacing("MIGH", with: "MIGI"),
    SampleKeys.elliptic.replacing("IJHS", with: "IJ"),
    SampleKeys.elliptic.replacing("IJHS", with: "IJHT"),
  ]) func `an invalid key on the curve is refused`(_ pem: String) {
    #expect(EllipticPrivateKey(pem: pem) == nil)
  }

  @Test func `numbers and points off the curve are refused`() {
    #expect(EllipticPrivateKey(number: Array(repeating: 0, count: 32)) == nil)
    #expect(EllipticPrivateKey(number: Array(repeating: 1, count: 31)) == nil)
    #expect(EllipticPrivateKey(number: Array(repeating: 0xFF, count: 32)) == nil)
    let order = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    #expect(EllipticPrivateKey(number: order) == nil)
    #expect(EllipticPrivateKey(number: order.dropLast() + [0x50]) != nil)
    let point = EllipticPrivateKey.random().publicKey.point
    #expect(EllipticPublicKey(point: point) != nil)
    #expect(EllipticPublicKey(point: point.dropLast() + [point[64] ^ 1]) == nil)
    #expect(EllipticPublicKey(point: point.dropLast()) == nil)
    #expect(EllipticPublicKey(point: [2] + point[1...32]) == nil)
    #expect(EllipticPublicKey(point: []) == nil)
  }

  @Test(arguments: ["", SampleKeys.elliptic, SampleKeys.rsa.replacing("HSrTXof3S6", with: "")])
  func `an invalid RSA key is refused`(_ pem: String) {
    #expect(RSAPrivateKey(pem: pem) == nil)
  }

  @Test func `the UUID of a name matches RFC 9562 A4`() {
    let domains = bytes("6ba7b8109dad11d180b400c04fd430c8")
    #expect(
      nameUUID("www.example.com", in: domains) == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
  }

  @Test(arguments: ["": [], "Zg==": [0x66], "Zm8=": [0x66, 0x6F], "+/+/": [0xFB, 0xFF, 0xBF]])
  func `base 64 with padding is encoded and decoded`(_ text: String, _ bytes: [UInt8]) {
    #expect(Base64.encode(bytes) == text)
    #expect(Base64.decode(text) == bytes)
  }

  @Test(arguments: ["Zg", "Zg=", "Z===", "====", "=", "Zh==", "Zm9v=", "Z g=", "-_-_", "Zg==Zg=="])
  func `base 64 that no encoder writes is refused`(_ text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
