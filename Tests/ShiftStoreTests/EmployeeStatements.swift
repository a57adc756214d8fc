import GuardRules
import Postgres
import ReadModels
import ShiftDomain

@testable import ShiftStore

/// The statements about employees, their stored data and their planned shifts.
enum EmployeeStatements {
  private static let now = Instant(milliseconds: 1_772_438_400_000)
  private static let employee = EmployeeID(7)
  private static let record = EmployeeProfile(employee, name: "Ada", email: nil, team: TeamID(1))
  private static let team = TeamRow(
    team: TeamID(1), name: "Field", timeZone: "UTC", policyVersion: 1, preset: .standard,
    employees: 0)

  static let writes: [(String, SQL)] =
    [
      ("change employee", change(record, to: record)),
      ("bumpVersionOffShift", bumpVersionOffShift(of: employee)),
      ("change team", change(team, name: "Depot", timeZone: "UTC")),
      ("keep retention", keep(.fixes, days: 30)),
      ("addOrBumpVersions", addOrBumpVersions(of: [employee])),
      ("deleteRows", deleteRows(of: [ShiftID(employee: employee, number: 1)], from: "shift_note")),
      ("deletePastShifts", deletePastShifts(before: now)),
      ("deleteAuditEntries", deleteAuditEntries(before: now)),
      ("insert privacy notice", insert(PrivacyNotice(version: 1, text: "x", createdAt: now))),
      (
        "insert planned shifts",
        insert(
          [
            PlannedShift(
              id: 1, employee: employee, span: Interval(from: now, to: now + .hours(8)),
              createdBy: "x")
          ], at: now)
      ),
      ("deletePlannedShift", deletePlannedShift(1, of: employee)),
      ("deletePlannedShifts", deletePlannedShifts(before: now)),
      ("keepRead", keepRead(1, on: DeviceID(employee: employee, number: 1), at: now)),
    ]
    + erase(employee).map { ("erase", $0) }
    + deleteCoverage(of: [ShiftID(employee: employee, number: 1)]).map { ("deleteCoverage", $0) }
    + deleteDataOutsideShifts(before: now).map { ("deleteDataOutsideShifts", $0) }
    + KeptKind.allCases.flatMap { kind in
      deletionStatements(of: kind, before: now).map { ("deletionStatements", $0) }
    }
}
