import CommandParsing
import ShiftDomain

/// One named value, for the screen and a pipe.
struct Field: Equatable, Sendable {
  /// The name: a table heading, or the words before the value.
  var label: String
  var value: FieldValue
  /// Whether tables on a terminal leave the field out to save width.
  var isDetail: Bool

  init(_ label: String, _ value: FieldValue, isDetail: Bool = false) {
    self.label = label
    self.value = value
    self.isDetail = isDetail
  }

  /// The same field, also shown in tables.
  var shown: Field { Field(label, value) }
}

enum FieldValue: Equatable, Sendable {
  case absent
  case text(String)
  case number(Int64)
  case instant(Instant)
  case truth(Bool)
  /// A length of time in whole seconds.
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
}

extension [Field] {
  /// One line per field with aligned values; `label<TAB>value` in a pipe.
  func lines(on surface: Surface) -> [String] {
    guard surface.isTable else { return map { "\($0.label)\t\($0.value.piped)" } }
    let width = map(\.label.count).max() ?? 0
    return flatMap { field in
      field.value.words(at: surface.now).hanging(after: field.label.padded(to: width) + "  ")
    }
  }
}

extension [[Field]] {
  /// Rows of one kind, one line each: a table on a terminal, tab-separated in a pipe, below the
  /// labels.
  /// - Parameter whenEmpty: Shown on a terminal without rows.
  func lines(on surface: Surface, whenEmpty: String = "") -> [String] {
    guard let first = first else {
      return surface.isTable ? whenEmpty.wrapped(to: Surface.width) : []
    }
    guard surface.isTable else {
      return [first.map(\.label).joined(separator: "\t")]
        + map { row in row.map(\.value.piped).joined(separator: "\t") }
    }
    let shown = first.indices.filter { !first[$0].isDetail }
    // The first column identifies the row.
    var table = TextTable(
      columns: shown.map { first[$0].label },
      shortened: Set(
        shown.indices.dropFirst().filter { column in
          allSatisfy { $0[shown[column]].value.isWords }
        }))
    for row in self { table.append(shown.map { row[$0].value.cell(at: surface.now) }) }
    guard let columns = surface.columns else { return table.lines }
    let lines = table.lines(fitting: columns)
    if lines.allSatisfy({ $0.count <= columns }) { return lines }
    return [String](
      map { row in shown.map { row[$0] }.lines(on: surface) }.joined(separator: [""]))
  }
}
