import Cryptography
import Testing

@Suite("Hashes and random bytes") struct HashTests {
  /// NIST's examples for SHA-256, and the empty message.
  static let hashes = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: hashes.indices) func `SHA-256 of known messages is correct`(_ index: Int) {
    let (message, hex) = Self.hashes[index]
    let found = sha256(Array(message.utf8)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #expect(found.joined() == hex)
  }

  @Test func `equality covers every byte and the length`() {
    #expect(constantTimeEqual([], []))
    #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
    #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
    #expect(!constantTimeEqual([1, 2, 3], [0, 2, 3]))
    #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
  }

  @Test(arguments: [0, 1, 7, 8, 9, 32, 1_000]) func `random bytes come in the requested number`(
    _ count: Int
  ) {
    #expect(randomBytes(count).count == count)
  }

  @Test func `random bytes use every bit and do not repeat`() {
    let many = (0..<2_000).map { _ in randomBytes(16) }
    #expect(Set(many).count == 2_000)
    #expect(Set((0..<2_000).map { _ in randomUInt64() }).count == 2_000)
    for position in 0..<16 {
      #expect(many.reduce(0) { $0 | $1[position] } == 0xFF)
      #expect(many.reduce(0xFF) { $0 & $1[position] } == 0)
    }
  }
}
