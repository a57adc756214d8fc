/// A table as text.
/// - Source: RFC 4180; OWASP, "CSV Injection".
struct CSVText: Sendable {
  /// Lines so far, each with its end.
  private(set) var text = ""

  /// A table that begins with this line.
  init(_ names: [String]) { add(names) }

  /// Adds a line.
  mutating func add(_ fields: [String]) {
    text += fields.map(Self.field).joined(separator: ",") + "\r\n"
  }

  /// What has been added since it was last taken.
  mutating func take() -> [UInt8] {
    defer { text = "" }
    return Array(text.utf8)
  }

  /// A field: in quotes where it must be, and no formula. A spreadsheet takes what begins with one
  /// of these signs for one, even in quotes; a number of ours may begin with a minus.
  private static func field(_ text: String) -> String {
    let isFormula =
      text.unicodeScalars.first.map { formulaSigns.contains($0) } == true && Double(text) == nil
    let field = isFormula ? "'" + text : text
    guard field.utf8.contains(where: { quotedSigns.contains($0) }) else { return field }
    return "\"" + field.replacing("\"", with: "\"\"") + "\""
  }

  // Spreadsheets of East Asia read the full-width signs as the ASCII ones.
  private static let formulaSigns = Array(
    "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars)
  // Spreadsheets of half of Europe split at a semicolon.
  private static let quotedSigns = Array("\",;\r\n".utf8)
}
