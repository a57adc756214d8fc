/// A table as CSV text.
/// - Source: RFC 4180; OWASP, "CSV Injection".
struct CSVText: Sendable {
  /// The lines so far, with line ends.
  private(set) var text = ""

  /// Without a line of names, for the lines that follow others.
  init() {}

  init(_ names: [String]) { add(names) }

  mutating func add(_ fields: [String]) {
    text += fields.map(Self.field).joined(separator: ",") + "\r\n"
  }

  /// Returns and removes what was added since the last call.
  mutating func take() -> [UInt8] {
    defer { text = "" }
    return Array(text.utf8)
  }

  /// A field, quoted where necessary and never a formula. Spreadsheets read a field that begins
  /// with one of these signs as a formula, even in quotes; our own numbers may begin with a minus.
  private static func field(_ text: String) -> String {
    let isFormula =
      text.unicodeScalars.first.map { formulaSigns.contains($0) } == true && Double(text) == nil
    let field = isFormula ? "'" + text : text
    guard field.utf8.contains(where: { quotedSigns.contains($0) }) else { return field }
    return "\"" + field.replacing("\"", with: "\"\"") + "\""
  }

  // East Asian spreadsheets read the full-width signs as the ASCII ones.
  private static let formulaSigns = Array(
    "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars)
  // In many European locales, spreadsheets split at a semicolon.
  private static let quotedSigns = Array("\",;\r\n".utf8)
}
