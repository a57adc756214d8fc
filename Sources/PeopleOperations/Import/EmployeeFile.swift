import ManagerCore
import ReadModels
import ShiftDomain

/// The employees of a file: `employee`, `name`, `team` and optionally `email` and `phoneNumber`.
struct EmployeeFile: CSVFile {
  struct Line {
    let line: Int
    let employee: EmployeeID
    let name: String
    let team: TeamID
    /// `nil`: the file has no such column, and the address stays; empty: it is removed.
    let email: String?
    /// As for `email`.
    let phoneNumber: String?
  }

  /// Sorted by number, each number once.
  private(set) var lines: [Line] = []
  var faults = LineFaults()
  private var seen: [Int32: Int] = [:]
  private let teams: [String: TeamID]
  private let numbers: Set<Int32>

  init(teams: [TeamRow]) {
    self.teams = Dictionary(teams.map { ($0.name, $0.team) }) { first, _ in first }
    numbers = Set(teams.map(\.team.rawValue))
  }

  mutating func read(_ csv: [UInt8]) async {
    await readRows(
      of: csv, required: ["employee", "name", "team"], optional: ["email", "phoneNumber"])
    lines.sort { $0.employee.rawValue < $1.employee.rawValue }
  }

  mutating func read(_ row: CSVTable.Row) {
    let before = faults.count
    guard let number = row["employee"].flatMap({ Int32($0) }), number > 0 else {
      return faults.add(row.line, "`employee` must be a number from 1 to \(Int32.max)")
    }
    if let first = seen.updateValue(row.line, forKey: number) {
      faults.add(row.line, "`employee` is already in line \(first)")
    }
    let name = row["name"] ?? ""
    if name.isEmpty || name.unicodeScalars.count > 100 {
      faults.add(row.line, "`name` must have 1 to 100 characters")
    }
    let team = team(row["team"] ?? "")
    if team == nil { faults.add(row.line, "`team` must be the number or name of a team") }
    let email = row["email"]
    if let email, !email.isEmpty, !isAddress(email) {
      faults.add(row.line, "`email` is not an e-mail address")
    }
    let phoneNumber = row["phoneNumber"]
    if let phoneNumber, !phoneNumber.isEmpty, !isPhoneNumber(phoneNumber) {
      faults.add(row.line, "`phoneNumber` is not a phone number")
    }
    guard faults.count == before, let team else { return }
    lines.append(
      Line(
        line: row.line, employee: EmployeeID(number), name: name, team: team, email: email,
        phoneNumber: phoneNumber))
  }

  private func team(_ text: String) -> TeamID? {
    if let team = teams[text] { return team }
    return Int32(text).flatMap { numbers.contains($0) ? TeamID($0) : nil }
  }
}
