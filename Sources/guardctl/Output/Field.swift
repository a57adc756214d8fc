import JSONText
import ShiftDomain

/// One named value, defined once for the screen, a pipe and JSON.
struct Field: Equatable, Sendable {
  /// The name for people: a table heading, or the words before the value.
  var label: String
  var key: String
  var value: FieldValue
  /// Whether tables on a terminal leave the field out to save width.
  var isDetail: Bool

  init(_ label: String, _ key: String, _ value: FieldValue, isDetail: Bool = false) {
    self.label = label
    self.key = key
    self.value = value
    self.isDetail = isDetail
  }

  /// The same field, also shown in tables.
  var shown: Field { Field(label, key, value) }
}

enum FieldValue: Equatable, Sendable {
  case absent
  case text(String)
  case number(Int64)
  case instant(Instant)
  case truth(Bool)
  /// A length of time in whole seconds; a number of seconds in JSON.
  case span(TimeSpan)
  /// A measured length of time; a number of milliseconds for programs.
  case length(TimeSpan)
  /// Codes from a fixed list.
  case words([String])

  init(_ text: String?) { self = text.map(FieldValue.text) ?? .absent }

  init(_ number: some BinaryInteger) { self = .number(Int64(clamping: number)) }

  init(_ instant: Instant?) { self = instant.map(FieldValue.instant) ?? .absent }

  /// The value in a table cell, which has room for one form of a time.
  func cell(at now: Instant) -> String {
    if case .instant(let instant) = self { return instant.relative(to: now) }
    return words(at: now)
  }

  func words(at now: Instant) -> String {
    switch self {
    case .absent: "-"
    case .text(let text): text.showable
    case .number(let number): "\(number)"
    case .instant(let instant): instant.text(at: now)
    case .truth(let truth): truth ? "yes" : "no"
    case .span(let span): span.typed
    case .length(let span): span.exactly
    case .words(let words): words.isEmpty ? "-" : words.joined(separator: ", ")
    }
  }

  /// Whether a narrow table may shorten it.
  var isWords: Bool {
    switch self {
    case .absent, .text, .words: true
    case .number, .instant, .truth, .span, .length: false
    }
  }

  /// The value for a pipe; an absent value is empty.
  var piped: String {
    switch self {
    case .absent: ""
    case .text(let text): text.showable
    case .number(let number): "\(number)"
    case .instant(let instant): instant.rfc3339
    case .truth(let truth): truth ? "yes" : "no"
    case .span(let span): span.typed
    case .length(let span): "\(span.milliseconds)"
    case .words(let words): words.joined(separator: ",")
    }
  }

  var json: JSONValue {
    switch self {
    case .absent: .null
    case .text(let text): .string(text)
    case .number(let number): .integer(number)
    case .instant(let instant): .string(instant.rfc3339)
    case .truth(let truth): .bool(truth)
    case .span(let span): .integer(span.seconds)
    case .length(let span): .integer(span.milliseconds)
    case .words(let words): .array(words.map(JSONValue.string))
    }
  }
}

extension [Field] {
  var json: JSONValue { .object(jsonObject) }

  /// The same, for adding members.
  var jsonObject: JSONObject {
    JSONObject(map { JSONObject.Member(name: $0.key, value: $0.value.json) })
  }

  /// One line per field with aligned values; `key<TAB>value` in a pipe.
  func lines(on surface: Surface) -> [String] {
    guard surface.isTable else { return map { "\($0.key)\t\($0.value.piped)" } }
    let width = map(\.label.count).max() ?? 0
    return flatMap { field in
      field.value.words(at: surface.now).hanging(after: field.label.padded(to: width) + "  ")
    }
  }
}
