import APIMessages
import HTTPServing
import ShiftDomain
import ShiftOperations

/// Shifts are planned by a list.
struct PlanFileView: FormView {
  var done: HTML?
  var fault: HTML?
  /// What was typed.
  var typed: FormFields?

  var page: Page {
    let form = ListForm(
      action: "/settings/plans", columns: "employee,start,end",
      explanation: """
        Columns employee (number), start and end, each like 2026-11-20 08:00 by the clock of the \
        employee’s team. All lines are read, or none; what is planned already stays.
        """, typed: typed)
    return Page(
      title: "Planned shifts", section: .settings,
      content: """
        \(head.html)
        <div class="columns even"><div>\(form.html)</div><div>
        <section aria-labelledby="one"><h2 id="one">One by one</h2>
        <p>A person’s page, one click from the <a href="/">board</a>, lists what they are to work, \
        plans one shift more, and takes one back.</p>
        <p class="aside">Who is planned and has not clocked in is shown there as scheduled. Who \
        forgets to clock out is asked half an hour after the planned end.</p></section></div></div>
        """)
  }

  private var head: PageHead {
    PageHead(
      way: [.settings], title: "Planned shifts", line: "<p>When people are to work</p>",
      done: done, fault: fault)
  }
}

extension PageDesk {
  /// Plans from a list, for administrators.
  var planFileRoutes: [Route] {
    [
      page("/settings/plans") { _, _ in .page(PlanFileView().page) },
      listForm("/settings/plans") { _, fields, viewer in
        let outcome = try await operations.importPlans(
          Array(fields["csv"].utf8), isTrial: fields["trial"] == "yes", by: viewer)
        switch outcome {
        case .done(let result):
          let done: HTML = """
            \(result.isTrial ? "Only tried" : "Done"): \(result.added) added, \
            \(result.unchanged) as before.
            """
          return .page(PlanFileView(done: done, typed: result.isTrial ? fields : nil).page)
        case .faulty(let faults):
          return PlanFileView(typed: fields).refused(faults.html)
        }
      },
    ]
  }
}
