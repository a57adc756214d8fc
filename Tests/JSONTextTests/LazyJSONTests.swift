import JSONText
import ShiftDomain
import Testing

@Suite("Lazy JSON") struct LazyJSONTests {
  private func read(_ text: String) throws -> LazyJSON { try LazyJSON(parsing: Array(text.utf8)) }

  @Test("has the value that the whole text has", arguments: JSONTests.good)
  func values(_ text: String, _ value: JSONValue) throws {
    #expect(try read(text).value == value)
    #expect(try read(#"{"a":[],"b":[7,\#(text)],"c":{}}"#)["b"]?.children.last?.value == value)
  }

  @Test("is refused where and why the whole text is", arguments: JSONTests.bad)
  func refuses(_ text: String, _ pointer: String, _ detail: String) {
    let error = #expect(throws: JSONSyntaxError.self) { try read(text) }
    #expect(error?.pointer == pointer && error?.detail == detail)
  }

  @Test("finds members by name: the first of that name, and none of another value")
  func members() throws {
    let json = try read(
      #"{"x":{"a":0,"b":[{"a":0}]},"a":1,"a":2,"Zo\u00eb":3,"\"a":4,"b":null,"é":5,"":6}"#)
    let found: [(name: String, value: JSONValue?)] = [
      ("a", .integer(1)), ("Zoë", .integer(3)), ("\"a", .integer(4)), ("b", .null),
      ("é", .integer(5)), ("", .integer(6)), ("e\u{301}", nil), ("c", nil), ("Zo", nil),
      ("\\\"a", nil),
    ]
    for (name, value) in found {
      #expect(json.value(of: name) == value, "\(name)")
      #expect(json[name]?.value == value, "\(name)")
    }
    #expect(json["x"]?["b"]?.children.first?["a"]?.value == .integer(0))
    #expect(json["x"]?["x"] == nil && json["a"]?["a"] == nil && json["x"]?["b"]?["a"] == nil)
    #expect(json.isObject && !json.isArray && json["x"]?["b"]?.isArray == true)
    #expect(json["b"]?.isNull == true && json["a"]?.isNull == false)
    #expect(json.children.count == 8 && json["a"]?.children.isEmpty == true)
  }

  @Test("reads instants without a text in between")
  func instants() throws {
    let json = try read(
      #"{"a":"2026-01-05T08:00:00.5Z","b":"2026-01-05","c":7,"d":"\u0032026-01-05T08:00:00Z"}"#)
    #expect(json.instant(of: "a") == Instant(milliseconds: 1_767_600_000_500))
    for name in ["b", "c", "d", "e"] { #expect(json.instant(of: name) == nil) }
  }
}
