import JSONText
import ShiftDomain
import Testing

@Suite("Fields of a body") struct FieldTests {
  private func fields(_ text: String) throws -> JSONFields {
    try JSONFields(JSONValue(parsing: Array(text.utf8)), at: "/pings/3")
  }

  @Test("an absent field and null are read alike")
  func absent() throws {
    for text in ["{}", #"{"a":null}"#] {
      let fields = try fields(text)
      #expect(try fields.text("a", max: 9) == nil)
      #expect(try fields.number("a") == nil)
      #expect(try fields.integer("a", in: 0...9) == nil)
      #expect(try fields.flag("a") == nil)
      #expect(try fields.instant("a") == nil)
      #expect(try fields.word("a", unknown: Switch.unknown) == nil)
      #expect(try fields.object("a") == nil)
      #expect(try fields.elements("a") == nil)
      #expect(throws: BodyFault(at: "/pings/3/a", "is missing")) {
        try fields.required("a", fields.number("a"))
      }
    }
  }

  typealias Reading = @Sendable (JSONFields) throws -> Void
  static let faults: [(text: String, detail: String, read: Reading)] = [
    (#"{"a/~":1}"#, "must be a string", { _ = try $0.text("a/~", max: 9) }),
    (#"{"a/~":"\u0000"}"#, "must not contain U+0000", { _ = try $0.text("a/~", max: 9) }),
    (#"{"a/~":"éééé"}"#, "must have 0 to 3 characters", { _ = try $0.text("a/~", max: 3) }),
    (#"{"a/~":""}"#, "must have 1 to 3 characters", { _ = try $0.text("a/~", min: 1, max: 3) }),
    (#"{"a/~":1e999}"#, "must be a finite 64-bit number", { _ = try $0.number("a/~") }),
    (#"{"a/~":"1"}"#, "must be a number", { _ = try $0.number("a/~") }),
    (
      #"{"a/~":1.5}"#, "must be a whole number from 0 to 9",
      { _ = try $0.integer("a/~", in: 0...9) }
    ),
    (
      #"{"a/~":10}"#, "must be a whole number from 0 to 9", { _ = try $0.integer("a/~", in: 0...9) }
    ),
    (
      #"{"a/~":1e300}"#, "must be a whole number from 0 to 9",
      { _ = try $0.integer("a/~", in: 0...9) }
    ),
    (#"{"a/~":1}"#, "must be true or false", { _ = try $0.flag("a/~") }),
    (
      #"{"a/~":1795167000}"#, "must be an RFC 3339 instant with an offset",
      { _ = try $0.instant("a/~") }
    ),
    (
      #"{"a/~":"2026-02-30T00:00:00Z"}"#, "must be an RFC 3339 instant with an offset",
      { _ = try $0.instant("a/~") }
    ),
    (#"{"a/~":true}"#, "must be a string", { _ = try $0.word("a/~", unknown: Switch.unknown) }),
    (#"{"a/~":[]}"#, "must be an object", { _ = try $0.object("a/~") }),
    (#"{"a/~":{}}"#, "must be an array", { _ = try $0.elements("a/~") }),
  ]

  @Test("an error names its place, escaped, and what was expected", arguments: faults)
  func fault(_ text: String, _ detail: String, _ read: Reading) throws {
    let fields = try fields(text)
    #expect(throws: BodyFault(at: "/pings/3/a~1~0", detail)) { try read(fields) }
  }

  @Test("an unrecognised word becomes `unknown`")  // R: B7
  func unknownWord() throws {
    let fields = try fields(#"{"a":"on","b":"ON","c":"granted_by_magic"}"#)
    #expect(try fields.word("a", unknown: Switch.unknown) == .on)
    #expect(try fields.word("b", unknown: Switch.unknown) == .unknown)
    #expect(try fields.word("c", unknown: Authorization.unknown) == .unknown)
  }

  @Test("a closed list accepts only its own words, and the error lists them")
  func knownWord() throws {
    let fields = try fields(#"{"a":"on","b":"ON","c":1,"d":null}"#)
    #expect(try fields.knownWord("a") == Switch.on)
    #expect(try fields.knownWord("d") == Switch?.none)
    for name in ["b", "c"] {
      #expect(throws: BodyFault(at: "/pings/3/\(name)", "must be one of unknown, off, on")) {
        let _: Switch? = try fields.knownWord(name)
      }
    }
    #expect(fields.names == ["a", "b", "c"])
  }

  @Test("a whole number may be written with a decimal point")
  func wholeNumber() throws {
    #expect(try fields(#"{"a":41.0}"#).integer("a", in: 0...100) == 41)
  }

  @Test("a body that is no object is refused", arguments: ["[]", "1", "\"a\"", "null", "true"])
  func noObject(_ text: String) throws {
    #expect(throws: BodyFault(at: "/pings/3", "must be an object")) { try fields(text) }
  }
}
