import ReadModels
import ShiftDomain

struct EmployeesView: FormView {
  var teams: [TeamRow]
  var profiles: [EmployeeProfile]
  var searched: String
  var areInactive = false
  /// The next page; `nil` on the last one.
  var next: String?
  var done: HTML?
  var fault: HTML?
  var typed: FormFields?
  /// Whether the number that was typed belonged to an employee who was erased.
  var offersReuse = false

  var page: Page {
    Page(
      setting: "Employees", line: "<p>Employees whose phones are tracked during shifts</p>",
      done: done, fault: fault,
      """
      <form class="search" method="get" action="/settings/employees"><div>\
      <label for="name">Name</label><input id="name" name="name" value="\(searched)"></div>
      <div><label for="show">Show</label><select id="show" name="show">\
      <option value="">Active employees<option value="inactive"\
      \(" selected", if: areInactive)>Inactive employees</select>\
      <button class="quiet">Search</button></div>
      <div><a class="button" href="#add">New employee</a> \
      <a class="button quiet" href="#many">CSV import</a></div></form>
      \(list)
      <div class="columns even"><div>\(adding)</div><div>\(file)</div></div>
      """)
  }

  private var list: HTML {
    guard !profiles.isEmpty else { return "<p class=\"aside\">No employees found.</p>" }
    var names: [TeamID: String] = [:]
    for row in teams { names[row.team] = row.name }
    let rows = profiles.map { row -> HTML in
      let number = row.employee.rawValue
      return """
        <tr><td class="number">\(number)<th scope="row">\
        <a href="/employees/\(number)">\(row.name)</a><td>\(names[row.team])\
        <td>\(row.email)<td>\(row.phoneNumber)

        """
    }
    return """
      <section class="card" aria-labelledby="employees"><h2 id="employees">\
      \(areInactive ? "Inactive" : "Active") employees</h2>
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="employees">
      <table class="directory"><thead><tr><th scope="col" class="number">Number<th scope="col">Name\
      <th scope="col">Team<th scope="col">E-mail<th scope="col">Phone number</thead>\(rows)</table>\
      </div>
      \(next.map { "<p><a class=\"button\" href=\"\($0)\">Next</a></p>" as HTML })</section>
      """
  }

  private var adding: HTML {
    guard !teams.isEmpty else {
      return """
        <section aria-labelledby="add"><h2 id="add">New employee</h2>
        <p>Every employee is in a team. <a href="/settings/teams">Add a team</a> first.</p>\
        </section>
        """
    }
    return """
      <section aria-labelledby="add"><h2 id="add">New employee</h2>
      <form class="stack" method="post" action="/settings/employees">
      <label for="new-name">Name</label>\
      <input id="new-name" name="name" required maxlength="100" value="\(typed?["name"])">
      <label for="new-team">Team</label>\
      <select id="new-team" name="team">\(teams.options(chosen: typed.map { $0["team"] }))</select>
      <label for="new-email">E-mail for notifications (optional)</label>\
      <input id="new-email" name="email" type="email" maxlength="254" value="\(typed?["email"])">
      <label for="new-phone">Phone number (optional)</label>\
      <input id="new-phone" name="phoneNumber" type="tel" maxlength="31" \
      value="\(typed?["phoneNumber"])">
      <label for="new-number">Number (empty: the next number never used)</label>\
      <input id="new-number" name="employee" inputmode="numeric" value="\(typed?["employee"])">
      \(reuse, if: offersReuse)\
      <div class="row"><button name="code" value="yes">Add and show enrolment code</button>\
      <button class="quiet">Add employee</button></div></form></section>
      """
  }

  private var reuse: HTML {
    """
    <label class="tick choice"><input type="checkbox" name="reuse" value="yes"> Reuse the number \
    of an employee who was erased</label>
    """
  }

  private var file: HTML {
    ListForm(
      action: "/settings/employees/import", columns: "employee,name,team,email,phoneNumber",
      explanation: """
        Columns: employee (number), name, team (number or name) and optionally email and \
        phoneNumber. Either all lines are imported or none. Employees who are not in the \
        list stay unchanged.
        """, choice: ("reuse", "Reuse numbers of employees who were erased"), typed: typed
    ).html
  }
}

extension [TeamRow] {
  /// The field of a filter that chooses one team or, unless a team is needed, all.
  func choice(of team: TeamID?, orAll: Bool = true) -> HTML {
    """
    <div><label for="team">Team</label><select id="team" name="team">\
    \("<option value=\"\">All teams", if: orAll)\
    \(options(chosen: team.map { String($0.rawValue) }))</select></div>
    """
  }

  func options(chosen: String?) -> [HTML] {
    map { row in
      let isChosen = chosen == String(row.team.rawValue)
      return "<option value=\"\(row.team.rawValue)\"\(" selected", if: isChosen)>\(row.name)"
    }
  }
}
