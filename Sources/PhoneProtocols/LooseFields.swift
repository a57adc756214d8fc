import GuardRules
import JSONText
import ShiftDomain

/// The fields of a record that another program wrote. A field that a record can do without reads as
/// `nil` when it is absent, of another type or out of range: a position with an odd speed is still
/// a position.
struct LooseFields {
  /// `nil`: no fields at all.
  private let object: LazyJSON?

  static let none = LooseFields(object: nil)

  private init(object: LazyJSON?) { self.object = object }

  init(_ json: LazyJSON) throws(QuarantineReason) {
    guard json.isObject else { throw QuarantineReason(.notAnObject) }
    object = json
  }

  /// The fields of a form, which are all strings.
  init(_ pairs: [NamedValue]) {
    let object = JSONObject(pairs.map { .init(name: $0.name, value: .string($0.value)) })
    self.init(object: try? LazyJSON(parsing: JSONValue.object(object).bytes))
  }

  /// `nil` when absent or `null`.
  subscript(name: String) -> JSONValue? {
    let value = object?.value(of: name)
    return value == .null ? nil : value
  }

  func has(_ name: String) -> Bool { object?[name] != nil }

  /// Whether it is neither absent nor `null`.
  func isGiven(_ name: String) -> Bool { object?[name].map { !$0.isNull } ?? false }

  func fields(_ name: String) -> LooseFields? {
    object?[name].flatMap { $0.isObject ? LooseFields(object: $0) : nil }
  }

  func elements(_ name: String) -> [LazyJSON]? {
    object?[name].flatMap { $0.isArray ? $0.children : nil }
  }

  func text(_ name: String) -> String? {
    guard case .string(let text)? = self[name] else { return nil }
    return text
  }

  /// A number; also as text.
  func number(_ name: String) -> Double? { self[name]?.looseNumber }

  /// `true`, `1` or their texts.
  func flag(_ name: String) -> Bool {
    switch self[name] {
    case .bool(let isTrue): isTrue
    case .string(let text): text == "true" || text == "1"
    case let value: value?.wholeNumber == 1
    }
  }

  /// Whether a list of words has this one and no other.
  func isOnly(_ word: String, in name: String) -> Bool {
    elements(name)?.map(\.value) == [.string(word)]
  }

  /// The words of a list.
  func texts(_ name: String) -> [String]? {
    elements(name)?.compactMap { if case .string(let text) = $0.value { text } else { nil } }
  }

  /// One line of up to `max` characters about the phone.
  func line(_ name: String, max: Int) -> String? {
    guard let text = text(name) else { return nil }
    let scalars = text.unicodeScalars.filter {
      ![.control, .format, .lineSeparator, .paragraphSeparator]
        .contains($0.properties.generalCategory)
    }
    return String(String.UnicodeScalarView(scalars.prefix(max))).trimmed.ifNotEmpty
  }

  /// The id of a message: up to 64 letters, digits and hyphens.
  func messageID(_ name: String) -> String? {
    guard let text = text(name), !text.isEmpty, text.utf8.count <= 64, text.isWord else {
      return nil
    }
    return text
  }

  /// The time in the first of `names` that is present; `nil`: none is.
  func instant(_ names: StaticString...) throws(QuarantineReason) -> Instant? {
    for name in names {
      // As nearly all apps write it.
      if let instant = object?.instant(of: name.description) { return instant }
      guard let value = self[name.description], value != .string("") else { continue }
      guard let instant = Instant(loose: value) else {
        throw QuarantineReason(.unreadable, name)
      }
      return instant
    }
    return nil
  }

  /// The field, as far as `read` understands it.
  func raw<Value>(_ name: String, _ read: (JSONValue) -> Value?) -> RawField<Value> {
    guard let value = self[name] else { return .absent }
    return read(value).map { .given($0) } ?? .unreadable
  }

  /// The fields `names` as they are stored for support, as far as they are words, whole numbers or
  /// flags: so nothing can be a position.
  func stored(_ names: [String]) -> String? {
    let members: [JSONObject.Member] = names.compactMap { name in
      switch self[name] {
      case .some(let value) where value.isPlain: .init(name: name, value: value)
      case .string: .init(name: name, value: "?")
      default: nil
      }
    }
    guard !members.isEmpty else { return nil }
    return String(decoding: JSONValue.object(JSONObject(members)).bytes, as: UTF8.self)
  }
}

extension LazyJSON {
  /// The JSON of an app; `nil` if it is none. A wrong character costs the value that it is in, not
  /// the message: bytes that are not UTF-8, and halves of a surrogate pair, which JavaScript leaves
  /// when it cuts a text, become U+FFFD.
  init?(repairing body: [UInt8]) {
    let read = try? LazyJSON(parsing: body)
    guard let json = read ?? (try? LazyJSON(parsing: body.withWholeCharacters)) else { return nil }
    self = json
  }
}

extension [UInt8] {
  fileprivate var withWholeCharacters: [UInt8] {
    var bytes = Array(String(decoding: self, as: UTF8.self).utf8)
    var index = 0
    while index < bytes.count - 1 {
      guard bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      let isPair = bytes.isSurrogate(0xDC00, at: index + 6)
      if bytes.isSurrogate(0xD800, at: index), isPair {
        index += 12
      } else if bytes.isSurrogate(0xD800, at: index) || bytes.isSurrogate(0xDC00, at: index) {
        bytes.replaceSubrange(index + 2..<index + 6, with: "fffd".utf8)
        index += 6
      } else {
        index += 2
      }
    }
    return bytes
  }

  /// Whether one of the 1,024 escapes from `first` on begins at `index`.
  private func isSurrogate(_ first: UInt32, at index: Int) -> Bool {
    guard index + 6 <= count, self[index] == UInt8(ascii: "\\"),
      self[index + 1] == UInt8(ascii: "u"),
      let unit = UInt32(String(decoding: self[index + 2..<index + 6], as: UTF8.self), radix: 16)
    else { return false }
    return (first..<first + 0x400).contains(unit)
  }
}

extension JSONValue {
  /// A number, also as text. One that is too large is infinite, and so out of range.
  var looseNumber: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .string(let text): decimalNumber(text)
    default: nil
    }
  }

  /// Whether it is a flag, a whole number or the code of a library.
  fileprivate var isPlain: Bool {
    switch self {
    case .bool, .integer: true
    case .string(let text): text.utf8.count <= 64 && text.isWord
    default: false
    }
  }
}

extension String {
  /// Whether all of it is letters, digits, `_` and `-`.
  var isWord: Bool {
    utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }
}
