import HTTPAPI
import HTTPServing
import PeopleOperations
import ShiftDomain

struct PlannedShiftFileView: FormView {
  var done: HTML?
  var fault: HTML?
  var typed: FormFields?

  var page: Page {
    let form = ListForm(
      action: "/settings/planned-shifts", columns: "employee,start,end,sites",
      explanation: """
        Columns: employee (number), start and end, such as 2026-11-20 08:00, in the time zone of \
        the employee’s team, and, if wanted, sites: numbers of sites, such as 1 3. \
        Either all lines are imported or none. Shifts that are already planned stay.
        """, typed: typed)
    return Page(
      setting: "Planned shifts", line: "<p>When employees are scheduled to work</p>", done: done,
      fault: fault,
      """
      <div class="columns even"><div>\(form.html)</div><div>
      <section aria-labelledby="one"><h2 id="one">Single shifts</h2>
      <p>To add, change or remove one planned shift, or to copy a week, open the \
      <a href="/plan">plan</a>.</p>
      <p class="aside">Employees with a planned shift who have not clocked in are shown there as \
      scheduled, and as late or a no-show after the times in their team’s policy. Employees \
      whose shift is still open half an hour after the planned end get a reminder.</p>\
      </section></div></div>
      """)
  }
}

extension PageController {
  var plannedShiftFileRoutes: [AccessRoute] {
    [
      page("/settings/planned-shifts", .administrator) { _, _ in
        .page(PlannedShiftFileView().page)
      },
      listForm("/settings/planned-shifts", .administrator) { _, fields, csv, principal in
        let outcome = try await operations.people.importPlannedShifts(
          csv, isTrial: fields["trial"] == "yes", by: principal)
        switch outcome {
        case .done(let result):
          let done: HTML = """
            \(result.isTrial ? "Check passed, nothing imported yet" : "Imported"): \
            \(result.added) new, \(result.unchanged) unchanged.
            """
          return .page(PlannedShiftFileView(done: done, typed: result.isTrial ? fields : nil).page)
        case .faulty(let faults):
          return PlannedShiftFileView(typed: fields).refused(faults.html)
        }
      },
    ]
  }
}
