import ShiftDomain

/// A JSON text without errors, and where its values are.
final class CheckedText: Sendable {
  let bytes: [UInt8]
  let tokens: [JSONToken]

  convenience init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
    try self.init(bytes) { (reader) throws(JSONSyntaxError) in try reader.document() }
  }

  /// The value at `place`, which is moved behind it.
  convenience init(_ bytes: [UInt8], at place: inout Int) throws(JSONSyntaxError) {
    var end = place
    try self.init(bytes) { (reader) throws(JSONSyntaxError) in
      reader.position = end
      try reader.value(depth: 0)
      end = reader.position
    }
    place = end
  }

  private init(
    _ bytes: [UInt8], _ read: (inout JSONReader) throws(JSONSyntaxError) -> Void
  ) throws(JSONSyntaxError) {
    guard bytes.count <= UInt32.max else { throw JSONSyntaxError("the text is too long", at: 0) }
    var reader = JSONReader(bytes)
    try read(&reader)
    self.bytes = bytes
    tokens = reader.tokens
  }

  func value(at place: Int) -> JSONValue {
    let token = tokens[place]
    switch token.kind {
    case .null: return .null
    case .false: return .bool(false)
    case .true: return .bool(true)
    case .integer, .number: return token.number(in: bytes)
    case .plainString, .escapedString: return .string(token.text(in: bytes))
    case .array:
      var elements: [JSONValue] = []
      forEachChild(of: place) { elements.append(value(at: $0)) }
      return .array(elements)
    case .object:
      var members: [JSONObject.Member] = []
      // As many as a ping has.
      members.reserveCapacity(8)
      forEachChild(of: place) { child in
        members.append(
          .init(name: tokens[child - 1].text(in: bytes), value: value(at: child)))
      }
      return .object(JSONObject(members))
    }
  }

  /// Calls `body` with the place of each element of an array, or of each value of an object, which
  /// is behind its name.
  func forEachChild(of place: Int, _ body: (Int) -> Void) {
    let parent = tokens[place]
    guard parent.kind == .array || parent.kind == .object else { return }
    let step = parent.kind == .object ? 1 : 0
    var child = place + 1
    while child < parent.next {
      body(child + step)
      child = Int(tokens[child + step].next)
    }
  }

  /// The place of the value of the first member called `name`.
  func place(of name: String, in object: Int) -> Int? {
    let parent = tokens[object]
    guard parent.kind == .object else { return nil }
    return name.withUTF8Span { name in
      var child = object + 1
      while child < parent.next {
        if tokens[child].isText(name, in: bytes) { return child + 1 }
        child = Int(tokens[child + 1].next)
      }
      return nil
    }
  }

  func instant(at place: Int) -> Instant? {
    let token = tokens[place]
    guard token.kind == .plainString else { return nil }
    let bytes = self.bytes
    return Instant(rfc3339: bytes.span.extracting(Int(token.start)..<Int(token.end)))
  }
}
