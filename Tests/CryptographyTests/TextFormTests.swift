import Cryptography
import Testing

@Suite("Bytes as text") struct TextFormTests {
  /// RFC 4648, section 10, without the padding.
  static let base64 = [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
    ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
  ]

  @Test(arguments: base64) func `base 64 is encoded and decoded`(_ plain: String, _ text: String) {
    #expect(Base64URL.encode(Array(plain.utf8)) == text)
    #expect(Base64URL.decode(text) == Array(plain.utf8))
  }

  @Test func `base 64 uses the alphabet for URLs`() {
    #expect(Base64URL.encode([0xFB, 0xFF, 0xFE]) == "-__-")
    #expect(Base64URL.decode("-__-") == [0xFB, 0xFF, 0xFE])
  }

  @Test(arguments: ["Zg==", "Z", "Zm9v ", "+//+", "Zh", "Zm9", "Zm9vZ", "Zmé"])
  func `base 64 refuses text that it would not write`(_ text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test(arguments: 30...34) func `only a secret of 32 bytes is hashed`(_ count: Int) {
    let bytes = randomBytes(count)
    var text = Array(Base64URL.encode(bytes).utf8)
    #expect(Base64URL.hash(ofSecret: text.span) == (count == 32 ? sha256(bytes) : nil))
    text[20] = UInt8(ascii: "+")
    #expect(Base64URL.hash(ofSecret: text.span) == nil)
    // A superfluous bit.
    text = Array(repeating: UInt8(ascii: "A"), count: 42) + [UInt8(ascii: "B")]
    #expect(Base64URL.hash(ofSecret: text.span) == nil)
  }

  @Test(arguments: 0...40) func `any bytes survive encoding and decoding`(_ count: Int) {
    let bytes = randomBytes(count)
    #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    #expect(CrockfordBase32.decode(CrockfordBase32.encode(bytes)) == bytes)
  }

  /// Crockford's alphabet in place of RFC 4648's, on the same vectors.
  static let base32 = [
    ("", ""), ("f", "CR"), ("fo", "CSQG"), ("foo", "CSQPY"), ("foob", "CSQPYRG"),
    ("fooba", "CSQPYRK1"), ("foobar", "CSQPYRK1E8"),
  ]

  @Test(arguments: base32) func `base 32 is encoded and decoded`(_ plain: String, _ text: String) {
    #expect(CrockfordBase32.encode(Array(plain.utf8)) == text)
    #expect(CrockfordBase32.decode(text) == Array(plain.utf8))
  }

  @Test(arguments: ["CSQPYRK1", "csqpyrk1", "CSQP-YRK1", "csqp yrki", "-CSQPYRKl", "cSqPyRkL"])
  func `base 32 tolerates variants in typed text`(_ text: String) {
    #expect(CrockfordBase32.decode(text) == Array("fooba".utf8))
  }

  @Test(arguments: ["U", "CSQPYRKU", "CS=", "CSQPYRK1É", "C", "CT"])
  func `base 32 refuses text that encodes no bytes`(_ text: String) {
    #expect(CrockfordBase32.decode(text) == nil)
  }
}

@Suite("Enrolment code") struct EnrolmentCodeTests {
  @Test func `is shown in four groups of four and accepted as typed`() throws {
    for _ in 0..<100 {
      let code = EnrolmentCode.random()
      #expect(code.text.split(separator: "-").map(\.count) == [4, 4, 4, 4])
      let typed = try #require(EnrolmentCode(typed: code.text.lowercased() + " "))
      #expect(typed.text == code.text && typed.hash == code.hash)
    }
  }

  @Test func `accepts look-alike characters`() {
    #expect(EnrolmentCode(typed: "oil0-OIL0-abcd-efgh")?.text == "0110-0110-ABCD-EFGH")
  }

  @Test(arguments: [
    "", "ABCD", "ABCD-EFGH-JKMN-PQR", "ABCD-EFGH-JKMN-PQRS-T", "ABCD-EFGH-JKMN-PQRU",
    String(repeating: "-", count: 10_000),
  ]) func `refuses invalid codes`(_ text: String) {
    #expect(EnrolmentCode(typed: text) == nil)
  }

  @Test func `is not printed by accident`() {
    let code = EnrolmentCode.random()
    #expect(!"\(code)".contains(code.text))
  }
}
