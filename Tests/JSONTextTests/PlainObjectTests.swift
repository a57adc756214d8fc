import JSONText
import ShiftDomain
import TestNumbers
import Testing

/// An object of plain members, read straight from its text and as a value.
@Suite("Plain objects") struct PlainObjectTests {
  private static let names = PlainNames(["n", "f", "t", "longName"])

  /// What `n`, `f` and `t` say; `longName` is a number nobody needs.
  private struct Values: Equatable {
    var number: UInt64?
    var flag: Bool?
    var time: Instant?
  }

  private func plain(_ text: [UInt8]) -> Values? {
    var (number, flag, time, other): (Double?, Bool?, Instant?, Double?)
    var reader = PlainObjectReader()
    while true {
      switch reader.next(of: text.span, among: Self.names) {
      case .member(0): guard reader.number(of: text.span, into: &number) else { return nil }
      case .member(1): guard reader.flag(of: text.span, into: &flag) else { return nil }
      case .member(2): guard reader.instant(of: text.span, into: &time) else { return nil }
      case .member: guard reader.number(of: text.span, into: &other) else { return nil }
      case .end: return Values(number: number?.bitPattern, flag: flag, time: time)
      case .unusual: return nil
      }
    }
  }

  private func general(_ text: [UInt8]) throws -> Values {
    let fields = try JSONFields(JSONValue(parsing: text))
    _ = try fields.number("longName")
    return Values(
      number: try fields.number("n")?.bitPattern, flag: try fields.flag("f"),
      time: try fields.instant("t"))
  }

  static let usualTexts = [
    #"{"n":0}"#, #"{"n":-0}"#, #"{"n":-0.0}"#, #"{"n":52.520103}"#, #"{"n":-13.0000123}"#,
    #"{"n":999999999999999}"#, #"{"n":0.00000000000001}"#, #"{"n":null}"#, #"{"f":true}"#,
    #"{"f":false,"n":1}"#, #"{"f":null}"#, #"{"t":"2026-11-20T09:30:00.123456789+02:00"}"#,
    " {\n\"n\" :\t1 , \"longName\": 2,\r\"t\":null } ",
  ]

  @Test("that are usual are read, as in general", arguments: usualTexts)
  func usual(_ text: String) throws {
    let bytes = Array(text.utf8)
    #expect(try plain(bytes) == general(bytes))
    #expect(plain(bytes) != nil)
  }

  static let unusualTexts = [
    "", " ", "{}", "[]", "null", #"{"n":1"#, #"{"n":1}}"#, #"{"n":1,}"#, #"{,"n":1}"#,
    #"{"n":1 "f":true}"#, #"{"n" 1}"#, #"{"n":01}"#, #"{"n":1.}"#, #"{"n":.5}"#, #"{"n":-}"#,
    #"{"n":+1}"#, #"{"n":1e2}"#, #"{"n":1.5E2}"#, #"{"n":-null}"#, #"{"n":nu1}"#, #"{"n":"1"}"#,
    #"{"n":1000000000000000}"#, #"{"n":9999999999999.999}"#, #"{"n":1,"n":1}"#, #"{"\u006e":1}"#,
    #"{"x":1}"#, #"{"longNam":1}"#, #"{"longNames":1}"#, #"{"":1}"#, #"{"f":truee}"#,
    #"{"f":tru}"#, #"{"f":0}"#, #"{"t":"2026-11-20"}"#, #"{"t":7}"#, #"{"t":"2026\u002d11"}"#,
    #"{"n":1}é"#, "{\"n\":1}\0", #"{n:1}"#, #"{"n":[1]}"#, #"{"n":{}}"#, "\u{FEFF}{\"n\":1}",
  ]

  @Test("that are unusual are left to the general reader", arguments: unusualTexts)
  func unusual(_ text: String) { #expect(plain(Array(text.utf8)) == nil) }

  @Test("with any bytes replaced, removed or added read as in general, or are unusual")
  func mutated() throws {
    let seed =
      #"{"t":"2026-11-26T12:00:00.123Z","n":-45.1234567,"f":true, "longName":130000123.25}"#
    let marks = Array(#"{}[],:"\0-.eEn "#.utf8) + [0, 0x0A, 0x7F, 0x80, 0xFF]
    var random = SeededRandom(seed: 38)
    var read = 0
    for _ in 0..<20_000 {
      var bytes = Array(seed.utf8)
      for _ in 0...Int(random.below(2)) {
        let place = Int(random.below(Int64(bytes.count)))
        switch random.below(4) {
        case 0: bytes[place] = marks[Int(random.below(Int64(marks.count)))]
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(marks[Int(random.below(Int64(marks.count)))], at: place)
        default: bytes[place] = UInt8(ascii: "0") + UInt8(random.below(10))
        }
      }
      guard let values = plain(bytes) else { continue }
      read += 1
      #expect(try general(bytes) == values, "\(String(decoding: bytes, as: UTF8.self))")
    }
    // Otherwise the mutations would prove nothing.
    #expect(read > 2_000)
  }
}
