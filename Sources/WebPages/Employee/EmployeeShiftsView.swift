import GuardRules
import HTTPAPI
import HTTPServing
import InsightOperations
import ManagerCore
import PeopleOperations
import ReadModels
import ShiftDomain

/// The tab *Shifts*: those that are planned, absences, and those that were worked.
struct EmployeeShiftsView: PlanningView {
  var frame: EmployeeFrame
  var clock: TeamClock
  var now: Instant
  /// The newest first.
  var shifts: [ShiftRow]
  /// From today on.
  var forms: PlanningForms
  var refusedAddition: RefusedFields?

  var page: Page {
    frame.page(
      .shifts, fault: forms.unplaced,
      """
      <div class="columns">
      <div>\(list)</div>
      <div>\(adding)\(forms.planned)\(forms.absent)</div>
      </div>
      """)
  }

  func asking(_ question: Confirmation) -> PageAnswer { .page(frame.page(.shifts, question.card)) }

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

extension PageController {
  func employeeShiftsView(of employee: EmployeeAndTeam, for principal: Principal) async throws
    -> EmployeeShiftsView
  {
    let (id, now) = (employee.row.employee, settings.now())
    let clock = try TeamClock(zone: employee.team.timeZone, now: now)
    var present = ListFilter(in: TeamScope())
    (present.employee, present.from) = (id, clock.day.start)
    let frame = EmployeeFrame(employee, for: principal)
    return EmployeeShiftsView(
      frame: frame, clock: clock, now: now,
      shifts: try await operations.insight.shifts(of: id, openOnly: false, limit: Self.shiftsMax),
      forms: PlanningForms(
        of: employee.row, in: employee.team, at: frame.path, back: frame.path + "/shifts", clock,
        now: now, day: clock.today,
        sites: try await operations.people.sites(of: employee.team.team),
        plannedShifts: try await operations.people.plannedShifts(
          present, limit: Self.plannedShiftsMax
        ).rows,
        absences: try await operations.people.absences(present, limit: Self.absencesMax).rows))
  }
}
