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
    self = try CheckedText(bytes).value(at: 0)
  }

  /// Reads the value that begins at `place`, whatever follows it, and moves `place` behind it. For
  /// texts that are no JSON as a whole.
  public init(parsing bytes: [UInt8], at place: inout Int) throws(JSONSyntaxError) {
    self = try CheckedText(bytes, at: &place).value(at: 0)
  }
}

// Hand-written instead of using Foundation's decoder, which does not give the position of a
// malformed number, rejects a whole upload for one bad item, and would need a first pass to limit
// the depth.
struct JSONReader {
  let bytes: [UInt8]
  var position = 0
  /// What was read, in the order of the text.
  var tokens: [JSONToken] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next byte; at the end 0, which is not a JSON token.
  var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  mutating func document() throws(JSONSyntaxError) {
    skipSpace()
    guard position < bytes.count else { throw failure("the body is empty") }
    // About as many as the bodies of phones have.
    tokens.reserveCapacity(bytes.count / 8)
    try value(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw failure("unexpected text after the JSON value") }
  }

  mutating func value(depth: Int) throws(JSONSyntaxError) {
    switch next {
    case UInt8(ascii: "{"): try object(depth: depth + 1)
    case UInt8(ascii: "["): try array(depth: depth + 1)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    case UInt8(ascii: "t"): try literal("true", .true)
    case UInt8(ascii: "f"): try literal("false", .false)
    case UInt8(ascii: "n"): try literal("null", .null)
    default: throw failure("a value is expected")
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) {
    let place = try open(.object, depth)
    defer { close(place) }
    if take(UInt8(ascii: "}")) { return }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("a member's name is missing") }
      let name = tokens.count
      try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("a colon is missing") }
      skipSpace()
      do { try value(depth: depth) } catch { throw error.inside(tokens[name].text(in: bytes)) }
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw failure("an object is not closed") }
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) {
    let place = try open(.array, depth)
    defer { close(place) }
    if take(UInt8(ascii: "]")) { return }
    var count = 0
    repeat {
      skipSpace()
      do { try value(depth: depth) } catch { throw error.inside(String(count)) }
      count += 1
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw failure("an array is not closed") }
  }

  /// Adds the token of an array or object whose end is not known yet.
  private mutating func open(_ kind: JSONToken.Kind, _ depth: Int) throws(JSONSyntaxError) -> Int {
    guard depth <= JSONValue.depthMax else {
      throw failure("nested deeper than \(JSONValue.depthMax) levels")
    }
    add(kind, from: position)
    position += 1
    skipSpace()
    return tokens.count - 1
  }

  private mutating func close(_ place: Int) { tokens[place].next = UInt32(tokens.count) }

  /// Adds the token of what lies between `start` and here.
  mutating func add(_ kind: JSONToken.Kind, from start: Int) {
    tokens.append(
      JSONToken(
        kind: kind, start: UInt32(start), end: UInt32(position), next: UInt32(tokens.count + 1)))
  }

  private mutating func literal(
    _ word: StaticString, _ kind: JSONToken.Kind
  ) throws(JSONSyntaxError) {
    let start = position
    for byte in word.description.utf8 {
      guard take(byte) else { throw failure("a value is expected") }
    }
    add(kind, from: start)
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte, position < bytes.count else { return false }
    position += 1
    return true
  }

  @inline(__always) private mutating func skipSpace() {
    // Most bodies have none.
    if next <= UInt8(ascii: " ") { skipSpaces() }
  }

  private mutating func skipSpaces() {
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
