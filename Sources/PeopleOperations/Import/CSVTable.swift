import CSVReading

/// A CSV file with a header, whose columns may have any order.
struct CSVTable {
  struct Row {
    let line: Int
    fileprivate let fields: [String]
    fileprivate let columns: [String: Int]

    /// The field without surrounding white space; `nil` if the column is absent.
    subscript(column: String) -> String? {
      columns[column].map { fields[$0].trimmed }
    }
  }

  private var reader: CSVReader
  private let columns: [String: Int]

  /// Empty columns at the end, which spreadsheets write, are no columns.
  /// - Parameter optional: No other columns are allowed, so that a misspelt one is noticed.
  init(_ bytes: [UInt8], required: [String], optional: [String]) throws(LineFaults) {
    reader = CSVReader(bytes)
    let known = required + optional
    let wanted = "the first line must name the columns \(known.joined(separator: ", "))"
    let header: CSVRecord
    switch reader.next() {
    case .success(let record): header = record
    case .failure(let fault): throw LineFaults(LineFault(line: fault.line, fault.detail))
    case nil: throw LineFaults(LineFault(line: 1, wanted))
    }
    var columns: [String: Int] = [:]
    for (index, field) in header.fields.filled(from: 0).enumerated() {
      let text = field.trimmed.lowercased()
      guard let name = known.first(where: { $0.lowercased() == text }),
        columns.updateValue(index, forKey: name) == nil
      else {
        throw LineFaults(
          LineFault(line: header.line, "column \(index + 1) is unknown or repeated: \(wanted)"))
      }
    }
    if let missing = required.first(where: { columns[$0] == nil }) {
      throw LineFaults(LineFault(line: header.line, "column `\(missing)` is missing: \(wanted)"))
    }
    self.columns = columns
  }

  /// The next row that has anything in it, or what is wrong with it; `nil` after the last.
  mutating func next() -> Result<Row, CSVFault>? {
    while let result = reader.next() {
      let record: CSVRecord
      switch result {
      case .success(let next): record = next
      case .failure(let fault): return .failure(fault)
      }
      let fields = record.fields.filled(from: columns.count)
      if fields.allSatisfy(\.trimmed.isEmpty) { continue }
      guard fields.count == columns.count else {
        return .failure(
          CSVFault(
            line: record.line,
            "has \(fields.count) fields where the header has \(columns.count)"))
      }
      return .success(Row(line: record.line, fields: fields, columns: columns))
    }
    return nil
  }
}

extension [String] {
  /// Without the empty fields at its end; the first `count` stay.
  fileprivate func filled(from count: Int) -> [String] {
    var fields = self
    while fields.count > count, fields.last?.trimmed.isEmpty ?? false { fields.removeLast() }
    return fields
  }
}

extension LineFaults: Error {}

extension String {
  fileprivate var trimmed: String {
    guard let start = firstIndex(where: { !$0.isWhitespace }),
      let end = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[start...end])
  }
}

protocol CSVFile {
  var faults: LineFaults { get set }

  mutating func read(_ row: CSVTable.Row)
}

extension CSVFile {
  /// Reads every row; yields to other tasks now and then.
  mutating func readRows(of csv: [UInt8], required: [String], optional: [String] = []) async {
    do throws(LineFaults) {
      var table = try CSVTable(csv, required: required, optional: optional)
      var count = 0
      while let next = table.next() {
        switch next {
        case .success(let row): read(row)
        case .failure(let fault): faults.add(fault.line, fault.detail)
        }
        count += 1
        if count.isMultiple(of: 1_000) { await Task.yield() }
      }
    } catch {
      faults = error
    }
  }
}
