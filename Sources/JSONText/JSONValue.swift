public import ShiftDomain

/// One JSON value, for reading and writing.
public enum JSONValue: Hashable, Sendable {
  /// `null`; for every field of ours the same as leaving it out.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction or exponent that fits in 64 bits.
  case integer(Int64)
  /// Any other number. Infinite when too large for a `Double`; readers must reject that.
  case number(Double)
  /// A string; may hold U+0000.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object(JSONObject)
}

/// A JSON object with its members in the order written. If a name occurs twice, the first counts.
public struct JSONObject: Hashable, Sendable {
  /// One name with its value.
  public struct Member: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// `value`, called `name`.
    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Every member.
  public var members: [Member]

  /// An object of these members.
  public init(_ members: [Member] = []) { self.members = members }

  /// The value of `name`, or `nil` where there is none. Bodies have few members, so this looks
  /// through them.
  public subscript(name: String) -> JSONValue? {
    members.first { $0.name == name }?.value
  }

  /// The members of this object followed by those of `other`.
  public func adding(_ other: JSONObject) -> JSONObject {
    JSONObject(members + other.members)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object as a literal; a member whose value is `nil` is left out.
  public init(dictionaryLiteral elements: (String, JSONValue?)...) {
    members = []
    members.reserveCapacity(elements.count)
    for (name, value) in elements {
      if let value { members.append(Member(name: name, value: value)) }
    }
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// An object as a literal, in the order written.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(name: $0, value: $1) }))
  }

  /// An array as a literal.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByStringLiteral {
  /// A string.
  public init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue {
  /// A number of any of our integer types.
  public init(_ number: some FixedWidthInteger & SignedInteger) {
    self = .integer(Int64(clamping: number))
  }

  /// A code of a closed list.
  public init(word: some Coded) { self = .string(word.code) }

  /// An instant as RFC 3339, in UTC with milliseconds.
  public init(_ instant: Instant) { self = .string(instant.rfc3339) }

  /// One value for each element.
  public init<Element>(_ elements: [Element], each: (Element) -> JSONObject) {
    self = .array(elements.map { .object(each($0)) })
  }
}
