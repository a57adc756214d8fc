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

  func line(at milliseconds: Int64, _ level: Log.Level, _ event: String, _ fields: Log.Fields)
    -> String
  {
    var line = self == .json ? "{" : ""
    let head: Log.Fields = [
      "time": timestamp(milliseconds), "level": level.rawValue, "event": event,
    ]
    for (index, field) in (Array(head) + fields.prefix(Self.fieldsMax)).enumerated() {
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

/// RFC 3339 in UTC with milliseconds. The server's clock never shows years outside 0…9999.
func timestamp(_ milliseconds: Int64) -> String {
  func floorDivide(_ number: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let remainder = (number % divisor + divisor) % divisor
    return ((number - remainder) / divisor, remainder)
  }
  func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
  let (day, ofDay) = floorDivide(milliseconds, 86_400_000)
  // Days to a date, counted in eras of 400 years that begin on 1 March:
  // https://howardhinnant.github.io/date_algorithms.html#civil_from_days
  let (era, dayOfEra) = floorDivide(day + 719_468, 146_097)
  let yearOfEra =
    (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let marchMonth = (5 * dayOfYear + 2) / 153
  let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  let date = [
    padded(year, 4), padded(month, 2), padded(dayOfYear - (153 * marchMonth + 2) / 5 + 1, 2),
  ]
  let time = [
    padded(ofDay / 3_600_000, 2), padded(ofDay / 60_000 % 60, 2), padded(ofDay / 1_000 % 60, 2),
  ]
  return
    "\(date.joined(separator: "-"))T\(time.joined(separator: ":")).\(padded(ofDay % 1_000, 3))Z"
}
