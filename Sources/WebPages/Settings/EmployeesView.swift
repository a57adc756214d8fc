import ManagerOperations
import QREncoding
import ReadModels
import ShiftDomain

struct EmployeesView: FormView {
  var teams: [TeamRow]
  var profiles: [EmployeeProfile]
  var searched: String
  /// The next page; `nil` on the last one.
  var next: String?
  var done: HTML?
  var fault: HTML?
  var typed: FormFields?

  var page: Page {
    Page(
      setting: "Employees", line: "<p>Employees whose phones are tracked during shifts</p>",
      done: done, fault: fault,
      """
      <form class="search" method="get" action="/settings/employees"><div>\
      <label for="name">Name</label><input id="name" name="name" value="\(searched)">\
      <button class="quiet">Search</button></div></form>
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
        <a href="/settings/employees/\(number)">\(row.name)</a><td>\(names[row.team])\
        <td>\(row.email)<td>\(row.phoneNumber)

        """
    }
    return """
      <section class="card" aria-labelledby="employees"><h2 id="employees">All employees</h2>
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="employees">
      <table><thead><tr><th scope="col" class="number">Number<th scope="col">Name\
      <th scope="col">Team<th scope="col">E-mail<th scope="col">Phone number</thead>\(rows)</table>\
      </div>
      \(next.map { "<p><a class=\"button\" href=\"\($0)\">Next</a></p>" as HTML })</section>
      """
  }

  private var adding: HTML {
    """
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
    <label for="new-number">Number (empty: the next free number)</label>\
    <input id="new-number" name="employee" inputmode="numeric" value="\(typed?["employee"])">
    <div class="row"><button name="code" value="yes">Add and show enrolment code</button>\
    <button class="quiet">Add employee</button></div></form></section>
    """
  }

  private var file: HTML {
    ListForm(
      action: "/settings/employees/import", columns: "employee,name,team,email,phoneNumber",
      explanation: """
        Columns: employee (number), name, team (number or name) and optionally email and \
        phoneNumber. Either all lines are imported or none. Employees who are not in the \
        list stay unchanged.
        """, typed: typed
    ).html
  }
}

extension [TeamRow] {
  /// The field of a filter that chooses one team or all.
  func choice(of team: TeamID?) -> HTML {
    """
    <div><label for="team">Team</label><select id="team" name="team">\
    <option value="">All teams\(options(chosen: team.map { String($0.rawValue) }))</select></div>
    """
  }

  func options(chosen: String?) -> [HTML] {
    map { row in
      let isChosen = chosen == String(row.team.rawValue)
      return "<option value=\"\(row.team.rawValue)\"\(" selected", if: isChosen)>\(row.name)"
    }
  }
}

struct EmployeeSettingsView: FormView {
  var profile: EmployeeProfile
  var teams: [TeamRow]
  var devices: [DeviceRow]
  var clock: TeamClock
  var typed: FormFields?
  /// A code that was just created, and the address for the app.
  var code: (code: NewEnrolmentCode, address: String)?
  /// The phone whose revocation must be confirmed, and the open shift that it tracks.
  var revoking: DeviceRow?
  var tracked: ShiftRow?
  var done: HTML?
  var fault: HTML?

  private var path: String { "/settings/employees/\(profile.employee.rawValue)" }

  var page: Page {
    Page(
      setting: profile.name, below: Crumb(name: "Employees", path: "/settings/employees"),
      line: """
        <p>Number \(profile.employee.rawValue) · \
        <a href="/employees/\(profile.employee.rawValue)">Status and shifts</a></p>
        """, done: done, fault: fault,
      """
      \(shownCode)\(revocation)
      <div class="columns even"><div>\(form)</div><div>\(phones)\(data)</div></div>
      """)
  }

  private var shownCode: HTML? {
    code.map { code in
      """
      <section class="card code" aria-labelledby="code">
      \(QRCode(code.address)?.drawing(named: "QR code of the address beside it"))
      <div><h2 id="code">Enrolment code</h2>
      <p>Scan this QR code in the app (it contains <code>\(code.address)</code>), or enter this \
      code:</p>
      <p><strong>\(code.code.code)</strong></p>
      <p class="aside">It enrols one phone, until \(clock.short(code.code.expiresAt)), and is not \
      shown again.</p></div></section>
      """
    }
  }

  private var revocation: HTML? {
    revoking.map { device in
      let warning = tracked.map { shift -> HTML in
        """
        <p>It tracks shift \(shift.shift.number), which is open and stays open without it.</p>
        """
      }
      return """
        <section class="card urgent" aria-labelledby="revoke">
        <h2 id="revoke">Revoke phone \(device.device.number)?</h2>\(warning)
        <p>This cannot be undone. The phone must be enrolled again with a new code.</p>
        <form method="post" action="\(path)/devices/\(device.device.number)/revoke">
        <input type="hidden" name="sure" value="yes">
        <div class="row"><button>Revoke phone</button><a class="button quiet" href="\(path)">\
        Keep phone</a></div></form></section>
        """
    }
  }

  private var form: HTML {
    """
    <section aria-labelledby="who"><h2 id="who">Details</h2>
    <form class="stack" method="post" action="\(path)">
    <input type="hidden" name="tag" value="\(typed?["tag"] ?? profile.tag)">
    <label for="name">Name</label>\
    <input id="name" name="name" required maxlength="100" value="\(typed?["name"] ?? profile.name)">
    <label for="team">Team</label><select id="team" name="team" aria-describedby="about-team">\
    \(teams.options(chosen: typed?["team"] ?? String(profile.team.rawValue)))</select>
    <p class="aside" id="about-team">The policy of a new team applies at once. \
    The team cannot be changed while a shift is open.</p>
    <label for="email">E-mail</label>\
    <input id="email" name="email" type="email" maxlength="254" \
    value="\(typed?["email"] ?? profile.email)">
    <label for="phone">Phone number</label>\
    <input id="phone" name="phoneNumber" type="tel" maxlength="31" aria-describedby="about-phone" \
    value="\(typed?["phoneNumber"] ?? profile.phoneNumber)">
    <p class="aside" id="about-phone">Managers of the team see it and the e-mail address, to \
    call, text or write.</p>
    <div class="row"><button>Save changes</button></div></form></section>
    """
  }

  private var data: HTML {
    """
    <section aria-labelledby="data"><h2 id="data">Data</h2>
    <p class="aside">The export is an archive of everything stored about the employee. They see \
    in the audit log that it was made.</p>
    <form class="stack" method="post" action="\(path)/export"><div class="row">\
    <button class="quiet">Export data</button>\
    <a class="button quiet" href="\(path)/erase">Erase employee</a></div></form></section>
    """
  }

  private var phones: HTML {
    let rows = devices.map { row -> HTML in
      let revoke: HTML = """
        <form method="post" action="\(path)/devices/\(row.device.number)/revoke">\
        <button class="quiet">Revoke phone</button></form>
        """
      return """
        <tr><td class="number">\(row.device.number)\
        <td><a href="\(row.device.path)">\(row.model ?? row.platform.code)</a>\
        <td>\(row.lastContactAt.map { clock.short($0) })<td>\
        \(row.revokedAt == nil ? revoke : "revoked")

        """
    }
    let none: HTML = "<p class=\"aside\">No phone is enrolled.</p>"
    let table: HTML = """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="phones">\
      <table><thead><tr><th scope="col" class="number">Phone<th scope="col">Model\
      <th scope="col">Last contact<th scope="col">Access</thead>\(rows)</table></div>
      """
    return """
      <section aria-labelledby="phones"><h2 id="phones">Phones</h2>
      \(devices.isEmpty ? none : table)
      <form method="post" action="\(path)/codes" class="stack"><div class="row">\
      <button>Create enrolment code</button></div></form></section>
      """
  }
}
