import ReadModels
import ShiftDomain

/// What a rehearsal is, the button that begins one, and those that have not ended.
struct RehearsalsView: FormView {
  var rehearsals: [Rehearsal]
  var done: HTML?
  var fault: HTML?

  var page: Page {
    Page(
      setting: "Rehearsal", line: "<p>A working day in minutes, with a phone of yours</p>",
      done: done, fault: fault,
      """
      <div class="columns even"><div>\(explanation)</div><div>\(list)</div></div>
      """)
  }

  private var explanation: HTML {
    """
    <section aria-labelledby="begin"><h2 id="begin">New rehearsal</h2>
    <p>See what employees see before the first of them does: enrol a phone, clock in, turn \
    location off and on again, and clock out. It takes about five minutes.</p>
    <ul class="items"><li>You get a practice employee with an enrolment code for one phone.
    <li>The page shows each step, and when it has happened.
    <li>Practice employees appear in no list, report or time sheet, and no manager is notified.
    <li>They are erased after an hour, or as soon as you end the rehearsal.</ul>
    <form method="post" action="/settings/rehearsals" class="stack"><div class="row">\
    <button>Begin rehearsal</button></div></form></section>
    """
  }

  private var list: HTML {
    let none: HTML = "<p class=\"aside\">No rehearsal has begun.</p>"
    let rows = rehearsals.map { rehearsal -> HTML in
      let path = rehearsal.path
      return """
        <li><a href="\(path)">\(rehearsal.employee.name)</a>\
        <form method="post" action="\(path)/end"><div class="row">\
        <button class="quiet small" aria-label="End rehearsal: \(rehearsal.employee.name)">\
        End rehearsal</button></div></form>

        """
    }
    return """
      <section aria-labelledby="present"><h2 id="present">Rehearsals in progress</h2>
      \(rehearsals.isEmpty ? none : "<ul class=\"given\">\(rows)</ul>")</section>
      """
  }
}

extension Rehearsal {
  var path: String { "/settings/rehearsals/\(employee.employee.rawValue)" }
}
