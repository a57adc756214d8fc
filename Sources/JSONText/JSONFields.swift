public import ShiftDomain

/// A field of a body that is missing, of another type or out of range.
public struct BodyFault: Error, Hashable, Sendable {
  /// JSON Pointer (RFC 6901) to the field; empty for the body itself.
  public var pointer: String
  /// What it must be, in words; quotes nothing of the body.
  public var detail: String

  public init(at pointer: String, _ detail: String) {
    self.pointer = pointer
    self.detail = detail
  }
}

/// The fields of one object of a body. Reading throws at the first fault, with its place; a field
/// that is absent or `null` reads as `nil`, an unknown one is ignored.
public struct JSONFields: Sendable {
  private let object: JSONObject
  private let pointer: String

  public init(_ value: JSONValue, at pointer: String = "") throws(BodyFault) {
    guard case .object(let object) = value else {
      throw BodyFault(at: pointer, "must be an object")
    }
    self.object = object
    self.pointer = pointer
  }

  public func place(_ name: String, _ index: Int? = nil) -> String {
    let place = pointer + "/" + escapedForPointer(name)
    return index.map { "\(place)/\($0)" } ?? place
  }

  /// The names of the fields, in the order written; those that are `null` are absent.
  public var names: [String] {
    object.members.filter { $0.value != .null }.map(\.name)
  }

  /// The field's value; `nil` when absent or `null`.
  public subscript(name: String) -> JSONValue? {
    let value = object[name]
    return value == .null ? nil : value
  }

  public func required<Value>(_ name: String, _ value: Value?) throws(BodyFault) -> Value {
    guard let value else { throw BodyFault(at: place(name), "is missing") }
    return value
  }

  /// A string of `min` to `max` Unicode scalars without U+0000, which Postgres cannot hold.
  public func text(_ name: String, min: Int = 0, max: Int) throws(BodyFault) -> String? {
    guard let value = self[name] else { return nil }
    guard case .string(let text) = value else {
      throw BodyFault(at: place(name), "must be a string")
    }
    guard !text.unicodeScalars.contains("\0") else {
      throw BodyFault(at: place(name), "must not contain U+0000")
    }
    guard (min...max).contains(text.unicodeScalars.count) else {
      throw BodyFault(at: place(name), "must have \(min) to \(max) characters")
    }
    return text
  }

  /// A code of a closed list; `unknown` for any other, which a newer phone may send.
  public func word<Word: Coded>(_ name: String, unknown: Word) throws(BodyFault) -> Word? {
    guard let value = self[name] else { return nil }
    guard case .string(let text) = value else {
      throw BodyFault(at: place(name), "must be a string")
    }
    return Word(code: text) ?? unknown
  }

  /// A code of a closed list; any other is a fault, because the sender has to know the list.
  public func knownWord<Word: Coded>(_ name: String, of words: [Word] = Array(Word.allCases))
    throws(BodyFault) -> Word?
  {
    guard let value = self[name] else { return nil }
    guard case .string(let text) = value, let word = words.first(where: { $0.code == text }) else {
      let codes = words.map(\.code).joined(separator: ", ")
      throw BodyFault(at: place(name), "must be one of \(codes)")
    }
    return word
  }

  /// An RFC 3339 instant.
  public func instant(_ name: String) throws(BodyFault) -> Instant? {
    guard let value = self[name] else { return nil }
    guard case .string(let text) = value, let instant = Instant(rfc3339: text) else {
      throw BodyFault(at: place(name), "must be an RFC 3339 instant with an offset")
    }
    return instant
  }

  public func number(_ name: String) throws(BodyFault) -> Double? {
    switch self[name] {
    case nil: return nil
    case .integer(let integer): return Double(integer)
    case .number(let number) where number.isFinite: return number
    case .number: throw BodyFault(at: place(name), "must be a finite 64-bit number")
    default: throw BodyFault(at: place(name), "must be a number")
    }
  }

  public func integer(_ name: String, in range: ClosedRange<Int64>) throws(BodyFault) -> Int64? {
    guard let value = self[name] else { return nil }
    guard let integer = value.wholeNumber, range.contains(integer) else {
      throw BodyFault(
        at: place(name), "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  public func flag(_ name: String) throws(BodyFault) -> Bool? {
    guard let value = self[name] else { return nil }
    guard case .bool(let isTrue) = value else {
      throw BodyFault(at: place(name), "must be true or false")
    }
    return isTrue
  }

  public func object(_ name: String) throws(BodyFault) -> JSONFields? {
    guard let value = self[name] else { return nil }
    return try JSONFields(value, at: place(name))
  }

  public func elements(_ name: String) throws(BodyFault) -> [JSONValue]? {
    guard let value = self[name] else { return nil }
    guard case .array(let elements) = value else {
      throw BodyFault(at: place(name), "must be an array")
    }
    return elements
  }
}

extension JSONValue {
  /// The number, when it is whole and fits in 64 bits; `1.0` is whole.
  public var wholeNumber: Int64? {
    switch self {
    case .integer(let integer): integer
    case .number(let number): Int64(exactly: number)
    default: nil
    }
  }

  public var boolean: Bool? {
    if case .bool(let isTrue) = self { isTrue } else { nil }
  }
}
