package struct CSVRecord: Hashable, Sendable {
  /// The line that it begins on, from 1.
  package var line: Int
  /// Its fields in order, without quotes.
  package var fields: [String]
}

package struct CSVFault: Error, Hashable, Sendable {
  /// The line that the record begins on, from 1.
  package var line: Int
  /// What is wrong, for people; quotes nothing of the file.
  package var detail: String

  package init(line: Int, _ detail: String) {
    self.line = line
    self.detail = detail
  }
}

/// Reads a CSV file record by record, by RFC 4180. Lines end with CR LF or LF; empty ones and a
/// byte order mark are skipped. After a fault it goes on with the next line, so that all are found.
package struct CSVReader: Sendable {
  private let bytes: [UInt8]
  private let separator: UInt8
  private var position: Int
  private var line = 1

  /// `bytes` are UTF-8. If the first line has semicolons and no comma, as spreadsheets in many
  /// countries write it, semicolons separate.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes.prefix { $0 != .lineFeed }
    separator = first.contains(.semicolon) && !first.contains(.comma) ? .semicolon : .comma
  }

  /// The next record, or what is wrong with it; `nil` behind the last one.
  package mutating func next() -> Result<CSVRecord, CSVFault>? {
    skipEmptyLines()
    guard position < bytes.count else { return nil }
    let start = line
    do throws(CSVFault) {
      var fields = [try field(of: start)]
      while position < bytes.count, bytes[position] == separator {
        position += 1
        fields.append(try field(of: start))
      }
      try endLine(of: start)
      return .success(CSVRecord(line: start, fields: fields))
    } catch {
      skipLine()
      return .failure(error)
    }
  }

  private mutating func field(of record: Int) throws(CSVFault) -> String {
    guard position < bytes.count, bytes[position] == .quote else {
      return try plainField(of: record)
    }
    position += 1
    var text: [UInt8] = []
    let (opened, openedLine) = (position, line)
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == .lineFeed { line += 1 }
      if byte == .quote {
        guard position < bytes.count, bytes[position] == .quote else {
          return try string(text[...], of: record)
        }
        position += 1
      }
      text.append(byte)
    }
    // The quote was never meant to open; what follows it are lines of their own.
    (position, line) = (opened, openedLine)
    throw CSVFault(line: record, "has a quote that is never closed")
  }

  private mutating func plainField(of record: Int) throws(CSVFault) -> String {
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case separator, .lineFeed, .carriageReturn:
        return try string(bytes[start..<position], of: record)
      case .quote: throw CSVFault(line: record, "has a quote inside a field without quotes")
      default: position += 1
      }
    }
    return try string(bytes[start...], of: record)
  }

  private mutating func endLine(of record: Int) throws(CSVFault) {
    guard position < bytes.count else { return }
    let isReturn = bytes[position] == .carriageReturn
    if isReturn, position + 1 < bytes.count { position += 1 }
    guard bytes[position] == .lineFeed else {
      throw CSVFault(
        line: record,
        isReturn ? "has a carriage return without a line feed" : "has text after a closing quote")
    }
    position += 1
    line += 1
  }

  private mutating func skipEmptyLines() {
    while position < bytes.count {
      let rest = bytes[position...].prefix(2)
      if rest.first == .lineFeed {
        position += 1
      } else if rest.elementsEqual([.carriageReturn, .lineFeed]) {
        position += 2
      } else {
        return
      }
      line += 1
    }
  }

  private mutating func skipLine() {
    while position < bytes.count, bytes[position] != .lineFeed { position += 1 }
    guard position < bytes.count else { return }
    position += 1
    line += 1
  }

  private func string(_ text: ArraySlice<UInt8>, of record: Int) throws(CSVFault) -> String {
    guard !text.contains(0), let text = String(validating: text, as: UTF8.self) else {
      throw CSVFault(line: record, "is not UTF-8 text")
    }
    return text
  }
}

extension UInt8 {
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
  fileprivate static let quote = UInt8(ascii: "\"")
  fileprivate static let comma = UInt8(ascii: ",")
  fileprivate static let semicolon = UInt8(ascii: ";")
}
