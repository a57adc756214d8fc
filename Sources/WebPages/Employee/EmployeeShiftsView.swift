import GuardRules
import HTTPAPI
import HTTPServing
import InsightOperations
import ManagerCore
import PeopleOperations
import ReadModels
import ShiftDomain

/// The tab *Shifts*: those that are planned, absences, and those that were worked.
struct EmployeeShiftsView: Sendable {
  var frame: EmployeeFrame
  var clock: TeamClock
  var now: Instant
  /// The newest first.
  var shifts: [ShiftRow]
  /// Planned shifts from today on, in order.
  var plannedShifts: [PlannedShift]
  /// Of those that have begun, by id.
  var attendances: [Int64: Attendance] = [:]
  var refused: RefusedPlannedShift?
  /// Absences from today on, in order.
  var absences: [Absence] = []
  var refusedAbsence: RefusedAbsence?
  /// Those of the team.
  var sites: [Site] = []

  var page: Page {
    frame.page(
      .shifts, fault: unplaced,
      """
      <div class="columns">
      <div>\(list)</div>
      <div>\(planned)\(absent)</div>
      </div>
      """)
  }

  /// The refusal of a form that the page does not show any more.
  private var unplaced: HTML? {
    refused.flatMap { refused in
      refused.id.flatMap { id in
        plannedShifts.contains { $0.id == id } ? nil : refused.fault
      }
    }
  }

  private var list: HTML {
    let rows = shifts.map { shift -> HTML in
      let end: HTML = shift.endedAt.map { "\(clock.hourAndMinute($0))" } ?? "open"
      let length = ((shift.endedAt ?? now) - shift.startedAt).words
      return """
        <tr><th scope="row"><a href="\(frame.path)/shifts/\(shift.shift.number)">\
        \(clock.shortDay(shift.startedAt))</a>\
        <td>\(clock.hourAndMinute(shift.startedAt))–\(end)<td class="number">\(length)\
        <td>\(shift.remark)

        """
    }
    let none: HTML = "<p class=\"aside\">No shift yet.</p>"
    let table: HTML = """
      <table><thead><tr><th scope="col">Day<th scope="col">Time\
      <th scope="col" class="number">Length<th scope="col">Remark</thead>\(rows)</table>
      """
    return """
      <section aria-labelledby="shifts"><h2 id="shifts">Shifts</h2>\(rows.isEmpty ? none : table)
      </section>
      """
  }
}

/// A form for a planned shift that changed nothing, and why.
struct RefusedPlannedShift: Sendable {
  /// The planned shift to be changed; `nil`: a new one.
  var id: Int64?
  var fields: FormFields
  var fault: HTML
}

/// A form for an absence that changed nothing, and why.
struct RefusedAbsence: Sendable {
  var fields: FormFields
  var fault: HTML
}

extension PageController {
  func employeeShiftsView(of employee: EmployeeAndTeam, for principal: Principal) async throws
    -> EmployeeShiftsView
  {
    let (id, now) = (employee.row.employee, settings.now())
    let clock = try TeamClock(zone: employee.team.timeZone, now: now)
    var present = ListFilter(in: TeamScope())
    (present.employee, present.from) = (id, clock.day.start)
    return EmployeeShiftsView(
      frame: EmployeeFrame(employee, for: principal), clock: clock, now: now,
      shifts: try await operations.insight.shifts(of: id, openOnly: false, limit: Self.shiftsMax),
      plannedShifts: try await operations.people.plannedShifts(of: id, from: clock.day.start),
      attendances: try await operations.people.attendances(of: id, since: clock.day.start),
      absences: try await operations.people.absences(present, limit: Self.absencesMax).rows,
      sites: try await operations.people.sites(of: employee.team.team))
  }
}
