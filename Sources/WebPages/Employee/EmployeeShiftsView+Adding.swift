import CivilTime
import GuardRules
import HTTPAPI
import HTTPServing
import ManagerCore
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain

extension EmployeeShiftsView {
  /// The form for a past shift, which everybody had forgotten.
  var adding: HTML {
    let typed = refusedAddition?.fields
    let pause = typed.map { BreakFields($0, 1) } ?? BreakFields()
    return """
      <section aria-labelledby="add"><h2 id="add">Add a past shift</h2>
      <form method="post" action="\(frame.path)/shifts#add" class="stack">
      \(refusedAddition.map { .fault($0.fault) })
      \(timesFields("added", typed, day: clock.today.text))
      \(pause.html(1, isNew: true))
      <label for="added-reason">Reason (visible to the employee)</label>
      <input id="added-reason" name="reason" maxlength="500" required autocomplete="off" \
      value="\(typed?["reason"])">
      <p class="aside">Times in \(frame.team.timeZone). If the end is not later than the start, \
      the shift ended on the next day. Leave the break empty if there was none; more can be added \
      afterwards. \(frame.row.name) is asked to confirm the shift. It counts for payroll once it \
      is confirmed, or approved a week after \(frame.row.name) was told.</p>
      <button class="quiet">Add past shift</button></form></section>
      """
  }
}

extension PageController {
  var addedShiftRoutes: [AccessRoute] {
    [
      form("/employees/{employee}/shifts", .employee(.coverage)) { request, fields, principal in
        let employee = try await employee(in: request)
        var view = try await employeeShiftsView(of: employee, for: principal)
        do {
          let added = try await operations.reviews.addShift(
            for: employee.row.employee, AddedShift(fields, by: view.clock), by: principal
          ).get()
          return .seeOther(
            "\(view.frame.path)/shifts/\(added.shift.number)"
              + "?done=\(CompletedShiftAction.added.rawValue)")
        } catch {
          let (fault, status) = try shownRefusal(error)
          view.refusedAddition = RefusedFields(fields: fields, fault: fault)
          return .page(view.page, status: status)
        }
      }
    ]
  }
}

extension AddedShift {
  /// As typed in the team's time zone.
  fileprivate init(_ fields: FormFields, by clock: TeamClock) throws(UnclearTime) {
    guard let day = CivilDate(fields["day"]) else {
      throw UnclearTime(reason: "Enter the day of the shift.")
    }
    let start = try fields.time("from", "start", on: day, by: clock)
    let endsNextDay = fields["to"] <= fields["from"] && !fields["to"].isEmpty
    let end = try fields.time(
      "to", "end", on: endsNextDay ? day.advanced(by: 1) : day, by: clock)
    self.init(
      Interval(from: start, to: end), breaks: try fields.breaks(from: start, by: clock),
      reason: fields["reason"])
  }
}
