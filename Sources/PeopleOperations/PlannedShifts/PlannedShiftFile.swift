import CivilTime
import ReadModels
import ShiftDomain

/// A date and a time of day, as a clock shows them.
package struct WallTime: Hashable {
  let date: CivilDate
  let hour: Int
  let minute: Int

  /// `2026-11-20 08:00` or `2026-11-20T08:00`; 24:00 is the end of the day.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard bytes.count == 16, bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "T"),
      bytes[13] == UInt8(ascii: ":"), let date = CivilDate(String(text.prefix(10))),
      [11, 12, 14, 15].allSatisfy({ digits.contains(bytes[$0]) })
    else { return nil }
    func number(at place: Int) -> Int {
      10 * Int(bytes[place] - digits.lowerBound) + Int(bytes[place + 1] - digits.lowerBound)
    }
    (self.date, hour, minute) = (date, number(at: 11), number(at: 14))
    guard hour * 60 + minute <= 24 * 60, minute < 60 else { return nil }
  }

  /// What a clock in this time zone shows.
  init(_ instant: Instant, by time: CivilTime) {
    let minutes = time.secondsOfDay(at: instant) / 60
    self.init(date: time.date(of: instant), hour: minutes / 60, minute: minutes % 60)
  }

  private init(date: CivilDate, hour: Int, minute: Int) {
    (self.date, self.hour, self.minute) = (date, hour, minute)
  }

  package func advanced(by days: Int) -> WallTime {
    WallTime(date: date.advanced(by: days), hour: hour, minute: minute)
  }

  func instant(by time: CivilTime) -> Instant {
    time.instant(of: date, hour: hour, minute: minute)
  }

  /// An end that comes no later than the start only because the clock goes forward keeps its
  /// distance from it.
  package static func span(_ start: WallTime, _ end: WallTime, by time: CivilTime) -> (
    start: Instant, end: Instant
  ) {
    let (from, to) = (start.instant(by: time), end.instant(by: time))
    guard to <= from, start.minutes < end.minutes else { return (from, to) }
    return (from, from + .minutes(end.minutes - start.minutes))
  }

  /// Since the first midnight of 1970.
  private var minutes: Int64 { Int64(date.daysSince1970 * 1_440 + hour * 60 + minute) }
}

/// The planned shifts of a file: `employee`, `start`, `end` and, perhaps, `sites`.
struct PlannedShiftFile: CSVFile {
  struct Line {
    let line: Int
    let employee: EmployeeID
    let start: WallTime
    let end: WallTime
    /// In order; `nil`: the line says nothing of them.
    let sites: [Int16]?
  }

  private(set) var lines: [Line] = []
  var faults = LineFaults()

  mutating func read(_ csv: [UInt8]) async {
    await readRows(of: csv, required: ["employee", "start", "end"], optional: ["sites"])
    lines.sort { $0.employee.rawValue < $1.employee.rawValue }
  }

  mutating func read(_ row: CSVTable.Row) {
    let number = row["employee"].flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
    if number == nil {
      faults.add(row.line, "`employee` must be a number from 1 to \(Int32.max)")
    }
    let times = ["start", "end"].map { column in
      let time = WallTime(row[column] ?? "")
      if time == nil { faults.add(row.line, "`\(column)` must have the form 2026-11-20 08:00") }
      return time
    }
    let text = row["sites"] ?? ""
    let sites = [Int16](siteNumbers: text)
    if sites == nil {
      faults.add(
        row.line,
        "`sites` must be at most \(PlannedShift.sitesMax) numbers, separated by spaces")
    }
    guard let number, let start = times[0], let end = times[1], let sites else { return }
    lines.append(
      Line(
        line: row.line, employee: EmployeeID(number), start: start, end: end,
        sites: sites.isEmpty ? nil : sites))
  }
}

extension [Int16] {
  /// The numbers of sites that a planned shift names, as files and people write them: `3 12`. In
  /// order and each once; `nil` for anything else.
  package init?(siteNumbers text: String) {
    guard text.utf8.count <= 200 else { return nil }
    let parts = text.split(separator: " ")
    let numbers = parts.compactMap { Int16($0) }.filter { $0 > 0 }
    guard numbers.count == parts.count, Set(numbers).count <= PlannedShift.sitesMax else {
      return nil
    }
    self = Set(numbers).sorted()
  }

  /// As `init(siteNumbers:)` reads it.
  package var siteNumbers: String { map(String.init).joined(separator: " ") }
}
