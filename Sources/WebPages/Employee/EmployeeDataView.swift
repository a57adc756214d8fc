import ReadModels
import ShiftDomain

/// The tab *Data*: the employee's details and, for administrators, everything that is stored.
struct EmployeeDataView: FormView {
  var frame: EmployeeFrame
  /// To choose from; empty unless the viewer may edit the details.
  var teams: [TeamRow]
  var typed: FormFields?
  var fault: HTML?

  var page: Page {
    frame.page(
      .data, fault: fault,
      """
      <div class="columns even"><div>\(frame.mayEdit ? form(teams) : details)</div>
      <div>\(frame.mayEdit ? activity : nil)\(frame.mayEdit ? export : nil)</div></div>
      """)
  }

  /// The question before the employee is deactivated; while a shift is open, why that must wait.
  var deactivation: PageAnswer {
    if let shift = frame.row.openShift {
      return refused(
        """
        <a href="\(frame.path)/shifts/\(shift)#correct">Shift \(shift)</a> is open. End it first, \
        then deactivate \(frame.row.name).
        """)
    }
    let question = Confirmation(
      question: "Deactivate \(frame.row.name)?",
      consequences: """
        <p>They cannot clock in any more. Their phones are revoked, and enrolment codes and \
        planned shifts that are not over are deleted, and absences end: this cannot be undone. \
        Shifts and time sheets stay.</p>
        """, button: "Deactivate employee", action: "\(frame.path)/deactivate",
      keep: Crumb(name: "Keep employee active", path: "\(frame.path)/data"))
    return .page(frame.page(.data, question.card))
  }

  private var activity: HTML {
    let deactivate: HTML = """
      <p class="aside">Deactivate an employee who has left. Shifts and time sheets stay.</p>
      <form class="stack" method="post" action="\(frame.path)/deactivate"><div class="row">\
      <button class="quiet">Deactivate employee</button></div></form>
      """
    let reactivate: HTML = """
      <p class="aside">\(frame.row.name) is inactive and cannot clock in.</p>
      <form class="stack" method="post" action="\(frame.path)/reactivate"><div class="row">\
      <button class="quiet">Reactivate employee</button></div></form>
      """
    return """
      <section aria-labelledby="activity"><h2 id="activity">Leaving</h2>
      \(frame.isActive ? deactivate : reactivate)</section>
      """
  }

  private var details: HTML {
    let rows: [(HTML, String)] = [
      ("Name", frame.row.name), ("Team", frame.team.name), ("E-mail", frame.row.email ?? "none"),
      ("Phone number", frame.row.phoneNumber ?? "none"),
    ]
    return """
      <section aria-labelledby="who"><h2 id="who">Details</h2>
      <table><tbody>\(rows.map { "<tr><th scope=\"row\">\($0)<td>\($1)" as HTML })</table>
      <p class="aside">Administrators can change these details, export everything that is stored \
      about \(frame.row.name), and erase it.</p></section>
      """
  }

  private func form(_ teams: [TeamRow]) -> HTML {
    """
    <section aria-labelledby="who"><h2 id="who">Details</h2>
    <form class="stack" method="post" action="\(frame.path)/data">
    <input type="hidden" name="tag" value="\(typed?["tag"] ?? frame.row.tag)">
    <label for="name">Name</label>\
    <input id="name" name="name" required maxlength="100" \
    value="\(typed?["name"] ?? frame.row.name)">
    <label for="team">Team</label><select id="team" name="team" aria-describedby="about-team">\
    \(teams.options(chosen: typed?["team"] ?? String(frame.row.team.rawValue)))</select>
    <p class="aside" id="about-team">The policy of a new team applies at once. \
    The team cannot be changed while a shift is open.</p>
    <label for="email">E-mail</label>\
    <input id="email" name="email" type="email" maxlength="254" \
    value="\(typed?["email"] ?? frame.row.email)">
    <label for="phone">Phone number</label>\
    <input id="phone" name="phoneNumber" type="tel" maxlength="31" aria-describedby="about-phone" \
    value="\(typed?["phoneNumber"] ?? frame.row.phoneNumber)">
    <p class="aside" id="about-phone">Managers of the team see it and the e-mail address, to \
    call, text or write.</p>
    <div class="row"><button>Save changes</button></div></form></section>
    """
  }

  private var export: HTML {
    """
    <section aria-labelledby="data"><h2 id="data">Export and erasure</h2>
    <p class="aside">The export is an archive of everything stored about the employee. They see \
    in the audit log that it was made.</p>
    <form class="stack" method="post" action="\(frame.path)/export"><div class="row">\
    <button class="quiet">Export data</button>\
    <a class="button quiet" href="\(frame.path)/erase">Erase employee</a></div></form>
    <p class="aside">The <a href="/settings/privacy-notice">privacy notice</a> tells employees \
    about it.</p></section>
    """
  }
}
