import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package struct EmployeeImport: Hashable, Sendable {
  package var isTrial: Bool
  package var added = 0
  package var changed = 0
  /// Those among them who get another team.
  package var moved = 0
  package var unchanged = 0

  package var total: Int { added + changed + unchanged }
}

/// The outcome of importing a file.
package enum ImportOutcome<Done: Hashable & Sendable>: Hashable, Sendable {
  /// Imported, or possible to import.
  case done(Done)
  /// Nothing was written.
  case faulty(LineFaults)
}

/// The maximum size of a file in bytes: far over 100,000 employees.
package let importBytesMax = 16 << 20

extension PeopleOperations {
  private static let batch = 5_000

  /// Adds and changes employees from a CSV file, all or none: a header, then one line per employee
  /// with `employee` (their number), `name`, `team` (number or name) and, if the header has it,
  /// `email` and `phoneNumber`. Employees who are not in the file stay. The same file again
  /// changes nothing.
  /// - Parameters:
  ///   - csv: UTF-8, at most `importBytesMax`.
  ///   - mayReuse: Whether new employees may have numbers that erased ones had.
  package func importEmployees(
    _ csv: [UInt8], isTrial: Bool, mayReuse: Bool = false, by principal: Principal
  ) async throws(OperationError) -> ImportOutcome<EmployeeImport> {
    guard csv.count <= importBytesMax else {
      throw .invalid("a file may have at most \(importBytesMax >> 20) MiB")
    }
    var reading = EmployeeFile(teams: try await teams())
    await reading.read(csv)
    let (lines, faults, at) = (reading.lines, reading.faults, core.now())
    return try await core.transact(within: .seconds(300)) { (session) throws(PostgresError) in
      let plan = try EmployeeImportPlan(
        lines, faults, batch: Self.batch, isTrial: isTrial, mayReuse: mayReuse, on: &session)
      guard plan.faults.isEmpty else { return .done(.faulty(plan.faults)) }
      guard !isTrial, plan.result.unchanged < lines.count else { return .done(.done(plan.result)) }
      guard try plan.write(batch: Self.batch, on: &session) else { return .lost }
      try audit(
        .employeesImported, by: principal, at: at,
        reason: "\(plan.result.added) added, \(plan.result.changed) changed", on: &session)
      return .done(.done(plan.result))
    }
  }
}

private struct EmployeeImportPlan {
  private(set) var result: EmployeeImport
  /// With those of lines that cannot be read.
  private(set) var faults: LineFaults
  private var records: [EmployeeProfile] = []
  /// Employees who are new or get another team.
  private var affected: [EmployeeID] = []
  /// The teams of those who get another one.
  private var formerTeams: [EmployeeID: TeamID] = [:]
  /// The numbers in the file that erased employees had.
  private var erased: Set<EmployeeID> = []
  private let mayReuse: Bool

  init(
    _ lines: [EmployeeFile.Line], _ faults: LineFaults, batch: Int, isTrial: Bool, mayReuse: Bool,
    on session: inout Session
  ) throws(PostgresError) {
    result = EmployeeImport(isTrial: isTrial)
    (self.faults, self.mayReuse) = (faults, mayReuse)
    for start in stride(from: 0, to: lines.count, by: batch) {
      let part = lines[start..<min(start + batch, lines.count)]
      // First: `write` finds employees who are erased after this.
      erased.formUnion(try erasedNumbers(among: part.map(\.employee), on: &session))
      let present = Dictionary(
        try employeeProfiles(part.map(\.employee), on: &session).map { ($0.employee, $0) }
      ) { first, _ in first }
      for line in part { add(line, after: present[line.employee]) }
    }
  }

  private mutating func add(_ line: EmployeeFile.Line, after old: EmployeeProfile?) {
    // An empty field removes what was there.
    let email = line.email.map { $0.isEmpty ? nil : $0 } ?? old?.email
    let phoneNumber = line.phoneNumber.map { $0.isEmpty ? nil : $0 } ?? old?.phoneNumber
    guard old?.practiceUntil == nil else {
      return faults.add(line.line, "`employee` is the number of a practice employee")
    }
    let new = EmployeeProfile(
      line.employee, name: line.name, email: email, phoneNumber: phoneNumber, team: line.team,
      openShift: old?.openShift, deactivatedAt: old?.deactivatedAt)
    guard new != old else { return result.unchanged += 1 }
    if old == nil, !mayReuse, erased.contains(line.employee) {
      return faults.add(
        line.line, "`employee` is the number of an employee who was erased; allow to reuse it")
    }
    records.append(new)
    guard let old else {
      affected.append(line.employee)
      return result.added += 1
    }
    result.changed += 1
    guard old.team != new.team else { return }
    if old.openShift != nil {
      faults.add(line.line, "the team cannot be changed until the open shift ends")
    }
    affected.append(line.employee)
    formerTeams[line.employee] = old.team
    result.moved += 1
  }

  /// - Returns: `false` if an employee who gets another team has started a shift since, or one of
  ///   these was erased since.
  func write(batch: Int, on session: inout Session) throws(PostgresError) -> Bool {
    for start in stride(from: 0, to: records.count, by: batch) {
      let part = Array(records[start..<min(start + batch, records.count)])
      try session.execute(keep(part))
      let numbers = part.map(\.employee)
      guard try erasedNumbers(among: numbers, on: &session).isSubset(of: erased) else {
        return false
      }
    }
    for start in stride(from: 0, to: affected.count, by: batch) {
      let part = Array(affected[start..<min(start + batch, affected.count)])
      guard try session.execute(addOrBumpVersions(of: part)) == part.count else { return false }
      try session.execute(unnameSites(of: part))
      for (employee, digests) in try takeDigests(waitingWith: part, on: &session) {
        guard let team = formerTeams[employee] else { continue }
        try passOn(digests, of: team, on: &session)
      }
    }
    return true
  }
}
