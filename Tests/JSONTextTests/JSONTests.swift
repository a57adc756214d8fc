import JSONText
import TestNumbers
import Testing

@Suite("JSON") struct JSONTests {
  static let good: [(text: String, value: JSONValue)] = [
    ("{}", .object([:])),
    (" [ ] ", .array([])),
    ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
    ("0", .integer(0)), ("-0", .integer(0)), ("-12", .integer(-12)),
    ("9223372036854775807", .integer(.max)),
    ("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ("1.5e2", .number(150)), ("1E-2", .number(0.01)), ("1e999", .number(.infinity)),
    ("-1e999", .number(-.infinity)), ("1e-999", .number(0)),
    (#""a\"\\\/\b\f\n\r\t""#, .string("a\"\\/\u{8}\u{C}\n\r\t")),
    (#""\u00e9\uD83D\uDE00""#, .string("é😀")),
    (#""\u0000""#, .string("\0")),
    ("\"Zoë 😀\"", .string("Zoë 😀")),
    (
      #"{"a":1,"b":[null,{"c":"d"}]}"#,
      .object(["a": .integer(1), "b": .array([.null, .object(["c": .string("d")])])])
    ),
  ]

  @Test("reads what RFC 8259 allows", arguments: good)
  func reads(_ text: String, _ value: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == value)
  }

  @Test("reads decimals of any length to the nearest number, as Swift does")
  func decimals() throws {
    for text in ["0.1", "-0.3", "4.35", "0.000001", "90.0", "-179.99999999999997", "-0.0"] {
      #expect(try JSONValue(parsing: Array(text.utf8)) == .number(Double(text)!), "\(text)")
    }
    for round in 0..<20_000 {
      // 1 to 18 digits, the point anywhere between them.
      var digits = Array(String(Int.random(in: 1...Int.max)).prefix(2 + round % 17))
      digits.insert(".", at: Int.random(in: 1..<digits.count))
      let text = (round.isMultiple(of: 2) ? "" : "-") + String(digits)
      let value = try JSONValue(parsing: Array(text.utf8))
      guard value != .number(Double(text)!) else { continue }
      Issue.record("\(text) was read as \(value)")
    }
  }

  @Test("reads back what it wrote", arguments: good.map(\.value))
  func roundTrip(_ value: JSONValue) throws {
    guard value != .number(.infinity), value != .number(-.infinity) else { return }
    #expect(try JSONValue(parsing: value.bytes) == value)
  }

  static let bad: [(text: String, pointer: String, detail: String)] = [
    ("", "", "the body is empty"),
    ("  \n", "", "the body is empty"),
    ("{", "", "a member's name is missing"),
    ("{\"a\"}", "", "a colon is missing"),
    ("{\"a\":1,}", "", "a member's name is missing"),
    ("[1,]", "/1", "a value is expected"),
    ("[1 2]", "", "an array is not closed"),
    ("{} {}", "", "unexpected text after the JSON value"),
    ("{\"a\":NaN}", "/a", "a value is expected"),
    (
      "{\"pings\":[{},{\"latitude\":-Infinity}]}", "/pings/1/latitude",
      "a digit is missing in a number"
    ),
    ("{\"a/b~c\":.5}", "/a~1b~0c", "a value is expected"),
    ("01", "", "unexpected text after the JSON value"),
    ("1.", "", "a digit is missing in a number"),
    ("1e", "", "a digit is missing in a number"),
    ("nul", "", "a value is expected"),
    ("'a'", "", "a value is expected"),
    ("\"a", "", "a string is not closed"),
    ("\"a\nb\"", "", "a string is not closed"),
    ("\"\\x\"", "", "unknown escape sequence"),
    ("\"\\u12G4\"", "", "a hexadecimal digit is missing in an escape sequence"),
    ("\"\\uD83D\"", "", "unpaired surrogate"),
    ("\"\\uD83D\\u0041\"", "", "unpaired surrogate"),
    ("\"\\uDE00\"", "", "unpaired surrogate"),
    ("\u{FEFF}{}", "", "a value is expected"),
    ("{}\0", "", "unexpected text after the JSON value"),
  ]

  @Test("reports where and why it cannot read", arguments: bad)
  func refuses(_ text: String, _ pointer: String, _ detail: String) {
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONValue(parsing: Array(text.utf8))
    }
    #expect(error?.pointer == pointer)
    #expect(error?.detail == detail)
  }

  @Test(
    "refuses bytes that are not UTF-8",
    arguments: [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3],
    ] as [[UInt8]])
  func refusesBadUTF8(_ bytes: [UInt8]) {
    let body = Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: body) }
    #expect(error?.pointer == "/a")
    #expect(error?.detail == "a string is not valid UTF-8")
  }

  @Test("reads 32 levels and refuses the 33rd, however many follow")
  func depth() throws {
    func nested(_ levels: Int) -> [UInt8] {
      Array(String(repeating: "[", count: levels).utf8)
        + Array(String(repeating: "]", count: levels).utf8)
    }
    _ = try JSONValue(parsing: nested(32))
    for levels in [33, 500_000] {
      let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(levels)) }
      #expect(error?.detail == "nested deeper than 32 levels")
    }
    let objects = String(repeating: "{\"a\":", count: 100_000)
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: Array(objects.utf8)) }
  }

  @Test("never crashes, whatever the bytes, and can write and read again what it has read")
  func survivesMutations() throws {
    var random = SeededRandom(seed: 7)
    let original = Array(
      #"{"sentAt":"2026-11-20T09:30:00Z","pings":[{"latitude":-1.5e3,"a":"\u00e9\\"},null,true]}"#
        .utf8)
    var (read, refused) = (0, 0)
    for _ in 0..<50_000 {
      var body = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<body.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: body[place] = UInt8.random(in: 0...255, using: &random)
        case 1: body.remove(at: place)
        default: body.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
      }
      guard let value = try? JSONValue(parsing: body) else {
        refused += 1
        continue
      }
      read += 1
      let bytes = value.canonicalBytes
      #expect(try JSONValue(parsing: bytes).canonicalBytes == bytes)
    }
    #expect(read > 1_000 && refused > 1_000)
  }

  @Test("reads one value out of a text that is no JSON as a whole")
  func oneValue() throws {
    let text = Array(#"x,{"a":[1]} ],"#.utf8)
    var place = 2
    #expect(try JSONValue(parsing: text, at: &place) == .object(["a": .array([.integer(1)])]))
    #expect(text[place...].elementsEqual(" ],".utf8))
    for start in [0, 1, 11, text.count] {
      place = start
      #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text, at: &place) }
      #expect(place == start)
    }
  }

  @Test("writes two equivalent bodies as the same bytes")
  func canonical() throws {
    let one = try JSONValue(parsing: Array(#"{"b":{"y":1,"x":"é"},"a":[1.50]}"#.utf8))
    let other = try JSONValue(parsing: Array(#"{ "a": [1.5], "b": {"x":"\u00e9", "y":1} }"#.utf8))
    #expect(one.canonicalBytes == other.canonicalBytes)
    #expect(
      String(decoding: one.canonicalBytes, as: UTF8.self) == #"{"a":[1.5],"b":{"x":"é","y":1}}"#)
  }

  @Test("escapes what a string must not contain")
  func escapes() {
    #expect(
      String(decoding: JSONValue.string("\"\\\n\0\u{1F}é").bytes, as: UTF8.self)
        == #""\"\\\u000a\u0000\u001fé""#)
  }
}
