import JSONText
import ShiftDomain

extension JSONValue {
  /// The value of `name`; `nil` where there is none.
  subscript(name: String) -> JSONValue? {
    guard case .object(let object) = self else { return nil }
    return object[name]
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  var array: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

  var integer: Int? { if case .integer(let number) = self { Int(number) } else { nil } }

  var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  var instant: Instant? { text.flatMap { Instant(rfc3339: $0) } }

  var isTrue: Bool { self == .bool(true) }

  /// As JSON text.
  var written: String { String(decoding: bytes, as: UTF8.self) }

  /// A copy with `name`, unless it is present; a member that is `null` is removed.
  func adding(_ name: String, _ value: JSONValue) -> JSONValue {
    guard case .object(let object) = self else { return self }
    let rest = object.members.filter { $0.name != name || $0.value != .null }
    let isThere = object.members.contains { $0.name == name }
    return .object(
      JSONObject(isThere ? rest : rest + [JSONObject.Member(name: name, value: value)]))
  }

  /// A copy with each string replaced for which `change` returns a replacement.
  func replacing(_ change: (String) -> String?) -> JSONValue {
    switch self {
    case .string(let text): .string(change(text) ?? text)
    case .array(let elements): .array(elements.map { $0.replacing(change) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { .init(name: $0.name, value: $0.value.replacing(change)) }))
    default: self
    }
  }

  /// The first place where this lacks something of `subset`, as pointer, wanted and found.
  func lack(of subset: JSONValue, at pointer: String = "") -> String? {
    switch (subset, self) {
    case (.object(let wanted), .object(let found)):
      for member in wanted.members {
        let place = "\(pointer)/\(member.name)"
        guard let value = found[member.name] else {
          if member.value == .null { continue }
          return "\(place) \(member.value.written), found nothing"
        }
        if let lack = value.lack(of: member.value, at: place) { return lack }
      }
      return nil
    case (.array(let wanted), .array(let found)):
      guard wanted.count == found.count else { break }
      for (index, (one, other)) in zip(wanted, found).enumerated() {
        if let lack = other.lack(of: one, at: "\(pointer)/\(index)") { return lack }
      }
      return nil
    case (.string(let wanted), .string(let found)):
      if wanted == found { return nil }
      if let one = subset.instant, let other = instant, one == other { return nil }
    default:
      if self == subset { return nil }
      if let wanted = subset.double, let found = double, wanted == found { return nil }
    }
    return "\(pointer.isEmpty ? "the body" : pointer) \(subset.written), found \(shortened)"
  }

  /// The JSON text, cut to a line or two for a failure message.
  var shortened: String {
    let text = written
    return text.count > 300 ? "\(text.prefix(300))…" : text
  }
}
