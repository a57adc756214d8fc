import ShiftDomain

/// Always one line of valid UTF-8 of at most about 8 KiB, whatever the values are.
public enum LogFormat: String, CaseIterable, Sendable {
  /// `time=… level=info event=listening address=127.0.0.1:8080`, for people.
  case logfmt
  /// One JSON object per line, for machines.
  case json

  /// Limits of one line: the rest is cut off and replaced by `…`.
  static let fieldsMax = 32
  static let keyBytesMax = 64
  static let valueBytesMax = 1_024
  static let lineBytesMax = 8_192

  /// - Source: the names of the ids are OpenTelemetry's for logs in other formats.
  func line(
    at milliseconds: Int64, _ level: Log.Level, _ event: String, _ fields: Log.Fields,
    of trace: TraceContext? = nil
  ) -> String {
    var line = self == .json ? "{" : ""
    let head: Log.Fields = [
      "time": Instant(milliseconds: milliseconds).rfc3339, "level": level.rawValue, "event": event,
    ]
    let ids: Log.Fields =
      trace.map { ["trace_id": $0.traceText, "span_id": $0.spanText] } ?? [:]
    for (index, field) in (Array(head) + fields.prefix(Self.fieldsMax) + ids).enumerated() {
      let written = write(field.key, field.value)
      // A value is at most six times its limit, when every character is escaped.
      guard line.utf8.count + written.utf8.count < Self.lineBytesMax else { break }
      if index > 0 { line += self == .json ? "," : " " }
      line += written
    }
    return line + (self == .json ? "}\n" : "\n")
  }

  private func write(_ key: String, _ value: any CustomStringConvertible) -> String {
    let text = clipped(value.description, to: Self.valueBytesMax)
    let key = key.isEmpty ? "_" : clipped(key, to: Self.keyBytesMax)
    switch self {
    case .logfmt:
      let key = String(key.map { isPlain($0) ? $0 : "_" })
      return "\(key)=\(!text.isEmpty && text.allSatisfy(isPlain) ? text : quoted(text))"
    case .json:
      return "\(quoted(key)):\(isJSONLiteral(value) ? text : quoted(text))"
    }
  }

  /// Whether the description is valid JSON without quotes; NaN and infinity are not.
  private func isJSONLiteral(_ value: any CustomStringConvertible) -> Bool {
    if let number = value as? Double { return number.isFinite }
    return value is any FixedWidthInteger || value is Bool
  }

  private func isPlain(_ character: Character) -> Bool {
    character.isASCII && character > " " && character != "\u{7F}" && character != "\""
      && character != "=" && character != "\\"
  }

  private func clipped(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return text[..<end] + "…"
  }

  /// The text as a JSON string, which logfmt readers accept too.
  private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      // Control characters move a terminal's cursor; some readers end a line at U+2028 and U+2029.
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
