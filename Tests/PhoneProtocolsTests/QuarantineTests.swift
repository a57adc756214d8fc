import ShiftDomain
import Testing

@testable import PhoneProtocols

/// What is not understood costs no more than what is kept of it.
@Suite("What is quarantined") struct QuarantineTests {
  private static let token = "sg_7_2_abcabcabcabd"

  private func overland(_ body: String) -> PhoneRequest {
    PhoneRequest(
      headers: [NamedValue("Authorization", "Bearer \(Self.token)")], body: Array(body.utf8),
      receivedAt: Instant(milliseconds: 1_767_600_000_000))
  }

  @Test("has no token in it, wherever that stood")
  func redacted() {
    let body = #"{"a":"abc\#(Self.token)\#(Self.token)abcabc"}"#
    let pieces = Overland.readWithoutToken(overland(body)).quarantined
    #expect(pieces.map(\.content.text) == [#"{"a":"abc******abcabc"}"#])
  }

  @Test("is the first hundred pieces of a body, however many there are")
  func first() {
    let items = (0..<5_000).map { #"{"a":\#($0)}"# }
    let reading = Overland.readWithoutToken(
      overland(#"{"locations":[\#(items.joined(separator: ","))]}"#))
    #expect(reading.quarantined.map(\.content.text) == Array(items.prefix(100)))
  }

  @Test("is searched only where it may be stored", arguments: [16_384, 16_385, 2_000_000])
  func searched(_ count: Int) {
    var reading = Overland.read(overland(String(repeating: "A", count: count)))
    #expect(reading.quarantined.map(\.content.count) == [count])
    #expect(reading.redact(Self.token) == (count <= 16_384 ? count : 0))
  }

  @Test("is searched as by any other search, but in one pass")
  func search() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<2_000 {
      let letters = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        UInt8.random(in: 97...98, using: &random)
      }
      let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        UInt8.random(in: 97...98, using: &random)
      }
      let search = TextSearch(for: String(decoding: text, as: UTF8.self))
      #expect(search.replaced(in: letters, by: "***") == letters.replacing(text, with: "***".utf8))
    }
    #expect(TextSearch(for: "").replaced(in: [97], by: "*") == [97])
  }
}
