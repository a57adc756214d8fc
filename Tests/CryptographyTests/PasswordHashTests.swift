import Testing

@testable import Cryptography

@Suite("Passwords") struct PasswordHashTests {
  private static let cheap = ScryptCost(logN: 4, blockSize: 8, rounds: 1)

  // R: W11
  @Test("are derived as RFC 7914 specifies")
  func vectors() throws {
    let rows: [(String, String, ScryptCost, String)] = [
      (
        "password", "NaCl", ScryptCost(logN: 10, blockSize: 8, rounds: 16),
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
          + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
      ),
      (
        "pleaseletmein", "SodiumChloride", ScryptCost(logN: 14, blockSize: 8, rounds: 1),
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
          + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
      ),
      (
        "", "", ScryptCost(logN: 4, blockSize: 1, rounds: 1),
        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
          + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
      ),
    ]
    for (password, salt, cost, expected) in rows {
      let key = try scrypt(Array(password.utf8), salt: Array(salt.utf8), cost: cost, count: 64)
      let hex = key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      #expect(hex == expected, "\(password)")
    }
  }

  @Test("match their stored hash, and no other password does")
  func roundTrip() throws {
    let hash = try PasswordHash(of: Array("correct horse".utf8), cost: Self.cheap)
    let read = try #require(PasswordHash(text: hash.text))
    #expect(read == hash && read.cost == Self.cheap)
    #expect(try read.matches(Array("correct horse".utf8)))
    #expect(try !read.matches(Array("correct horsf".utf8)))
    #expect(try !read.matches([]))
    #expect(try PasswordHash(of: [1], cost: Self.cheap) != PasswordHash(of: [1], cost: Self.cheap))
  }

  @Test("cost what OWASP recommends")
  func usual() throws {
    #expect(ScryptCost.usual == ScryptCost(logN: 15, blockSize: 8, rounds: 3))
    let hash = try PasswordHash(of: [1, 2, 3])
    #expect(hash.text.hasPrefix("$scrypt$ln=15,r=8,p=3$"))
    #expect(try hash.matches([1, 2, 3]))
  }

  @Test(
    "are not read from malformed hashes",
    arguments: [
      "", "$", "$scrypt$ln=15,r=8,p=3$$", "$scrypt$ln=99,r=8,p=3$AAAA$AAAA",
      "$scrypt$ln=15,r=0,p=3$AAAA$" + String(repeating: "A", count: 43),
      "$bcrypt$ln=15,r=8,p=3$AAAA$" + String(repeating: "A", count: 43),
    ])
  func malformed(_ text: String) {
    #expect(PasswordHash(text: text) == nil)
  }
}
