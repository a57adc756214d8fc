public import ShiftDomain

/// A JSON text that was checked as a whole, or a value in it. Only what is asked for becomes a
/// `JSONValue`: quicker for long bodies of which we need little.
public struct LazyJSON: Sendable {
  private let text: CheckedText
  private let place: Int

  private init(_ text: CheckedText, at place: Int = 0) {
    self.text = text
    self.place = place
  }

  /// As `JSONValue(parsing:)`.
  public init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    self.init(try CheckedText(bytes))
  }

  /// As `JSONValue(parsing:at:)`.
  public init(parsing bytes: [UInt8], at place: inout Int) throws(JSONSyntaxError) {
    self.init(try CheckedText(bytes, at: &place))
  }

  public var value: JSONValue { text.value(at: place) }

  public var isNull: Bool { text.tokens[place].kind == .null }
  public var isObject: Bool { text.tokens[place].kind == .object }
  public var isArray: Bool { text.tokens[place].kind == .array }

  /// The elements of an array, or the values of an object's members.
  public var children: [LazyJSON] {
    var children: [LazyJSON] = []
    text.forEachChild(of: place) { children.append(LazyJSON(text, at: $0)) }
    return children
  }

  /// The value of the first member called `name`; `nil` also if this is no object.
  public subscript(name: String) -> LazyJSON? {
    text.place(of: name, in: place).map { LazyJSON(text, at: $0) }
  }

  /// `self[name]?.value`, and quicker.
  public func value(of name: String) -> JSONValue? {
    text.place(of: name, in: place).map { text.value(at: $0) }
  }

  /// The instant that is the value of `name`, if that is a string of RFC 3339.
  public func instant(of name: String) -> Instant? {
    text.place(of: name, in: place).flatMap { text.instant(at: $0) }
  }
}
