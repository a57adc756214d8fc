public struct JSONSyntaxError: Error, Hashable, Sendable {
  /// JSON Pointer to the innermost value that could not be read.
  public private(set) var pointer: String
  /// What is wrong, in words; quotes nothing of the body.
  public let detail: String
  public let offset: Int

  /// The same error, with its pointer extended by one outer level.
  func inside(_ step: String) -> JSONSyntaxError {
    var error = self
    error.pointer = "/" + escapedForPointer(step) + pointer
    return error
  }

  init(_ detail: String, at offset: Int) {
    pointer = ""
    self.detail = detail
    self.offset = offset
  }
}

extension JSONValue {
  /// The maximum nesting depth; our own bodies need four levels.
  public static let depthMax = 32

  /// Reads one JSON text strictly by RFC 8259: no comments, no NaN, no trailing comma, and valid
  /// UTF-8 throughout. Every input gives a value or an error, whatever its size or depth.
  public init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    var reader = JSONReader(bytes)
    self = try reader.document()
  }

  /// Reads the value that begins at `place`, whatever follows it, and moves `place` behind it. For
  /// texts that are no JSON as a whole.
  public init(parsing bytes: [UInt8], at place: inout Int) throws(JSONSyntaxError) {
    var reader = JSONReader(bytes)
    reader.position = place
    self = try reader.value(depth: 0)
    place = reader.position
  }
}

// Hand-written instead of using Foundation's decoder, which does not give the position of a
// malformed number, rejects a whole upload for one bad item, and would need a first pass to limit
// the depth.
struct JSONReader {
  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next byte; at the end 0, which is not a JSON token.
  var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  mutating func document() throws(JSONSyntaxError) -> JSONValue {
    skipSpace()
    guard position < bytes.count else { throw failure("the body is empty") }
    let value = try value(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw failure("unexpected text after the JSON value") }
    return value
  }

  mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    switch next {
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: throw failure("a value is expected")
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONObject {
    try open(depth)
    var members: [JSONObject.Member] = []
    if take(UInt8(ascii: "}")) { return JSONObject() }
    // As many as a ping has.
    members.reserveCapacity(8)
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("a member's name is missing") }
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("a colon is missing") }
      skipSpace()
      do { members.append(.init(name: name, value: try value(depth: depth))) } catch {
        throw error.inside(name)
      }
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw failure("an object is not closed") }
    return JSONObject(members)
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
    try open(depth)
    var elements: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return elements }
    repeat {
      skipSpace()
      do { elements.append(try value(depth: depth)) } catch {
        throw error.inside(String(elements.count))
      }
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw failure("an array is not closed") }
    return elements
  }

  private mutating func open(_ depth: Int) throws(JSONSyntaxError) {
    guard depth <= JSONValue.depthMax else {
      throw failure("nested deeper than \(JSONValue.depthMax) levels")
    }
    position += 1
    skipSpace()
  }

  private mutating func literal(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    for byte in word.description.utf8 {
      guard take(byte) else { throw failure("a value is expected") }
    }
    return value
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte, position < bytes.count else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while true {
      switch next {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        position += 1
      default: return
      }
    }
  }

  func failure(_ detail: String) -> JSONSyntaxError { JSONSyntaxError(detail, at: position) }
}
