public import ShiftDomain

public enum JSONValue: Hashable, Sendable {
  /// `null`; for every field of ours the same as leaving it out.
  case null
  case bool(Bool)
  /// A number without fraction or exponent that fits in 64 bits.
  case integer(Int64)
  /// Any other number. Infinite when too large for a `Double`; readers must reject that.
  case number(Double)
  /// A string; may hold U+0000.
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// A JSON object with its members in the order written. If a name occurs twice, the first counts.
public struct JSONObject: Hashable, Sendable {
  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSONValue

    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  public var members: [Member]

  public init(_ members: [Member] = []) { self.members = members }

  /// The value of `name`. Bodies have few members, so this looks through them.
  public subscript(name: String) -> JSONValue? {
    // Most names differ in length, which is quickly seen.
    let length = name.utf8.count
    for member in members where member.name.utf8.count == length && member.name == name {
      return member.value
    }
    return nil
  }

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
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(name: $0, value: $1) }))
  }

  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue {
  public init(_ number: some FixedWidthInteger & SignedInteger) {
    self = .integer(Int64(clamping: number))
  }

  public init(word: some Coded) { self = .string(word.code) }

  public init(_ instant: Instant) { self = .string(instant.rfc3339) }

  public init<Element>(_ elements: [Element], each: (Element) -> JSONObject) {
    self = .array(elements.map { .object(each($0)) })
  }
}
