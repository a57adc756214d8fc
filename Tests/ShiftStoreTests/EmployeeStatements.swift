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

  private static let day: TeamDay = {
    var day = TeamDay(team: TeamID(1), name: "Field", timeZone: "UTC")
    day.span = Interval(from: now - .hours(24), to: now)
    return day
  }()

  private static let action = ClockActionRow(
    device: DeviceID(employee: employee, number: 1), number: 1, at: now, receivedAt: now,
    outcome: .blocked, shift: nil, report: nil,
    decision: Decision(blocking: .init(.denied), warning: [], informing: []), policyVersion: 1,
    needsReview: true, review: nil)

  private static let times = RecordedTimes(
    shift: ShiftID(employee: employee, number: 1), team: TeamID(1), startedAt: now - .hours(8),
    endedAt: now, breaks: .zero, corrections: 0, needsReview: false, approval: nil,
    confirmedAt: nil)

  static let period = ReportPeriod(teams: [day], days: 0...0, employee: nil)
  private static let place = CivilPlace(team: TeamID(1), timeZone: "UTC", day: 20_000)
  private static let timeSheets: [(String, SQL)] =
    [
      ("selectRecordedTimes", selectRecordedTimes(in: period)),
      ("selectPastTimes", selectPastTimes(in: period)),
      ("selectRecordedTimes of one", selectRecordedTimes(of: employee, [1])),
      ("selectPastTimes of one", selectPastTimes(of: employee, [1])),
      ("confirm times", confirm(times, at: now)),
      ("object", object(to: times, Objection(at: now, reason: "x"))),
      (
        "quarantine",
        quarantine(
          QuarantinedMessage(receivedAt: now, app: .overland, reason: "x", byteCount: 1),
          hash: Array(repeating: 0, count: 32), body: "x",
          of: DeviceID(employee: employee, number: 1))
      ),
      ("shortenQuarantine", shortenQuarantine(of: DeviceID(employee: employee, number: 1))),
      ("selectTracker", selectTracker(DeviceID(employee: employee, number: 1))),
      ("setArrival", setArrival(now, of: DeviceID(employee: employee, number: 1))),
      (
        "setPresence",
        setPresence(
          RegionPresence([RegionPresence.Crossing(of: 1, at: now, isArrival: true)]),
          of: DeviceID(employee: employee, number: 1))
      ),
      ("holdPayrollSettings", holdPayrollSettings),
      ("put payroll settings", put(PayrollSettings.standard)),
    ]
    + put(ShiftApproval(by: "x", at: now), on: [1: place], paidBy: PayRule(), of: employee)
    .map { ("approve", $0) }
    + remove(TeamID(1)).map { ("remove team", $0) }
    + reopen([1], of: employee).map { ("reopen", $0) }
    + deactivate(employee, at: now).map { ("deactivate", $0) }

  private static let plannedShift = PlannedShift(
    id: 1, employee: employee, span: Interval(from: now, to: now + .hours(8)), createdBy: "x")

  private static let absence = Absence(
    id: 1, employee: employee, span: Interval(from: now, to: now + .hours(8)), note: "x",
    createdBy: "x")

  private static let absences: [(String, SQL)] = [
    ("insert absence", insert(absence, at: now)),
    ("deleteAbsence", deleteAbsence(1, of: employee)),
    ("deleteAbsences", deleteAbsences(before: now)),
    ("selectFirstAbsence", selectFirstAbsence(of: employee, touching: absence.span)),
    ("selectPlannedShifts", selectPlannedShifts(ListFilter(in: TeamScope()), limit: 1)),
    ("selectAbsences", selectAbsences(ListFilter(in: TeamScope()), limit: 1)),
    ("selectChecklist", selectChecklist()), ("dismissChecklist", dismissChecklist(at: now)),
    ("selectUse", selectUse(of: TeamID(1))),
    ("unname site", unname(1, of: TeamID(1), at: Instant(milliseconds: 0))),
    ("unnameSites", unnameSites(of: [employee])),
    (
      "selectClockInPlans of one",
      selectClockInPlans(of: [employee], at: now...now, ahead: .hours(12))
    ),
    (
      "selectClockInPlans",
      selectClockInPlans(of: [employee, EmployeeID(8)], at: now...now, ahead: .hours(12))
    ),
  ]

  static let writes: [(String, SQL)] =
    [
      ("selectPracticeTeam", selectPracticeTeam),
      ("selectPracticeEmployees", selectPracticeEmployees),
      ("selectEndedRehearsals", selectEndedRehearsals(at: nil)),
      (
        "insertPracticeEmployee",
        insertPracticeEmployee(employee, for: .hours(1), to: TeamID(1), now: nil)
      ),
      ("selectFirstLoss", selectFirstLoss(of: employee)),
      (
        "selectFirstRestoration",
        selectFirstRestoration(of: ShiftID(employee: employee, number: 1), after: now)
      ),
      ("change employee", change(record, to: record)),
      (
        "plan",
        plan(.policy(of: .strict), of: TeamID(1), from: now, after: 1, by: "Mira", now: nil)
      ),
      ("deletePlannedPolicy", deletePlannedPolicy(of: TeamID(1))),
      ("deleteReview", deleteReview(of: action, from: now)),
      ("reactivate", reactivate(employee)),
      ("hold", hold(employee)), ("bumpVersion", bumpVersion(of: employee)),
      ("bumpVersionOffShift", bumpVersionOffShift(of: employee)),
      ("change team", change(team, to: team)),
      ("keep retention", keep(.fixes, days: 30)),
      ("addOrBumpVersions", addOrBumpVersions(of: [employee])),
      ("selectErasedNumbers", selectErasedNumbers(among: [employee])),
      ("selectHighestNumber", selectHighestNumber), ("selectNumberInGap", selectNumberInGap),
      ("deleteRows", deleteRows(of: [ShiftID(employee: employee, number: 1)], from: "shift_note")),
      ("deletePastShifts", deletePastShifts(before: now)),
      ("deleteAuditEntries", deleteAuditEntries(before: now)),
      ("insert privacy notice", insert(PrivacyNotice(version: 1, text: "x", createdAt: now))),
      ("insert planned shifts", insert([plannedShift], at: now)),
      ("change planned shift", change(plannedShift, to: plannedShift, at: now)),
      ("holdAgainstErasure", holdAgainstErasure(of: employee)),
      ("updateHiddenReminder", updateHiddenReminder(of: employee, at: now)),
      ("note late", note(.late, of: plannedShift, at: now)),
      ("note no-show", note(.noShow, of: plannedShift, at: now)),
      ("deletePlannedShift", deletePlannedShift(1, of: employee)),
      ("deletePlannedShifts", deletePlannedShifts(before: now)),
      ("keepRead", keepRead(1, on: DeviceID(employee: employee, number: 1), at: now)),
    ]
    + timeSheets + absences + endAbsences(of: employee, at: now).map { ("endAbsences", $0) }
    + erase(employee).map { ("erase", $0) }
    + deleteCoverage(of: [ShiftID(employee: employee, number: 1)]).map { ("deleteCoverage", $0) }
    + deleteDataOutsideShifts(before: now).map { ("deleteDataOutsideShifts", $0) }
    + KeptKind.allCases.flatMap { kind in
      [("selectOutlived", selectOutlived(kind, from: now, to: now))]
        + deletionStatements(of: kind, before: now).map { ("deletionStatements", $0) }
    }
}
