import QREncoding
import ShiftDomain
import ShiftOperations

/// Whom administrators have in their care: a list, a form for one more, and one for many.
struct PeopleView: FormView {
  var teams: [TeamRow]
  var people: [StaffRow]
  /// What a name must hold.
  var searched: String
  /// Where the next page is; `nil` at the last.
  var next: String?
  /// What became of a form.
  var done: HTML?
  var fault: HTML?
  /// What was typed.
  var typed: FormFields?

  var page: Page {
    Page(
      title: "People", section: .settings,
      content: """
        \(head.html)
        <form class="search" method="get" action="/settings/people"><div>\
        <label for="name">Name</label><input id="name" name="name" value="\(searched)">\
        <button class="quiet">Search</button></div></form>
        \(list)
        <div class="columns even"><div>\(adding)</div><div>\(file)</div></div>
        """)
  }

  private var head: PageHead {
    PageHead(
      way: [.settings], title: "People", line: "<p>Whose phones are tracked on shift</p>",
      done: done, fault: fault)
  }

  private var list: HTML {
    guard !people.isEmpty else { return "<p class=\"aside\">There is nobody.</p>" }
    var names: [TeamID: String] = [:]
    for row in teams { names[row.team] = row.name }
    let rows = people.map { row -> HTML in
      let number = row.employee.rawValue
      return """
        <tr><td class="number">\(number)<th scope="row">\
        <a href="/settings/people/\(number)">\(row.name)</a><td>\(names[row.team])<td>\(row.email)

        """
    }
    return """
      <section class="card" aria-labelledby="people"><h2 id="people">Everybody</h2>
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="people">
      <table><thead><tr><th scope="col" class="number">Number<th scope="col">Name\
      <th scope="col">Team<th scope="col">E-mail</thead>\(rows)</table></div>
      \(next.map { "<p><a class=\"button\" href=\"\($0)\">Next</a></p>" as HTML })</section>
      """
  }

  private var adding: HTML {
    """
    <section aria-labelledby="add"><h2 id="add">Add somebody</h2>
    <form class="stack" method="post" action="/settings/people">
    <label for="new-name">Name</label>\
    <input id="new-name" name="name" required maxlength="100" value="\(typed?["name"])">
    <label for="new-team">Team</label>\
    <select id="new-team" name="team">\(teams.options(chosen: typed.map { $0["team"] }))</select>
    <label for="new-email">E-mail, if messages are to be repeated there</label>\
    <input id="new-email" name="email" type="email" maxlength="254" value="\(typed?["email"])">
    <label for="new-number">Number, or the next free one</label>\
    <input id="new-number" name="employee" inputmode="numeric" value="\(typed?["employee"])">
    <div class="row"><button>Add</button></div></form></section>
    """
  }

  private var file: HTML {
    ListForm(
      action: "/settings/people/import", columns: "employee,name,team,email",
      explanation: """
        Columns employee (number), name, team (number or name) and perhaps email. All lines are \
        read, or none; who is not in the list stays.
        """, typed: typed
    ).html
  }
}

extension [TeamRow] {
  /// A choice of teams.
  func options(chosen: String?) -> [HTML] {
    map { row in
      let isChosen = chosen == String(row.team.rawValue)
      return "<option value=\"\(row.team.rawValue)\"\(" selected", if: isChosen)>\(row.name)"
    }
  }
}

/// One of them: what is kept of them by name, and their phones.
struct PersonSettingsView: FormView {
  var person: StaffRow
  var teams: [TeamRow]
  var devices: [DeviceRow]
  var clock: TeamClock
  /// What was typed.
  var typed: FormFields?
  /// A code that was just made, and where the page for employees is.
  var code: (code: NewEnrolmentCode, address: String)?
  var done: HTML?
  var fault: HTML?

  private var path: String { "/settings/people/\(person.employee.rawValue)" }

  var page: Page {
    Page(
      title: person.name, section: .settings,
      content: """
        \(head.html)
        \(shownCode)
        <div class="columns even"><div>\(form)</div><div>\(phones)</div></div>
        """)
  }

  private var head: PageHead {
    PageHead(
      way: [.settings, Crumb(name: "People", path: "/settings/people")], title: "\(person.name)",
      line: "<p>Number \(person.employee.rawValue)</p>", done: done, fault: fault)
  }

  private var shownCode: HTML? {
    code.map { code in
      """
      <section class="card code" aria-labelledby="code">
      \(QRCode(code.address)?.drawing(named: "QR code of the address beside it"))
      <div><h2 id="code">Code for one phone</h2>
      <p>Have the shift app scan the square, which says <code>\(code.address)</code>, or type this \
      into it:</p>
      <p><strong>\(code.code.code)</strong></p>
      <p class="aside">It works once, until \(clock.short(code.code.expiresAt)), and is shown only \
      now.</p></div></section>
      """
    }
  }

  private var form: HTML {
    """
    <section aria-labelledby="who"><h2 id="who">Who</h2>
    <form class="stack" method="post" action="\(path)">
    <input type="hidden" name="tag" value="\(typed?["tag"] ?? person.tag)">
    <label for="name">Name</label>\
    <input id="name" name="name" required maxlength="100" value="\(typed?["name"] ?? person.name)">
    <label for="team">Team</label><select id="team" name="team" aria-describedby="about-team">\
    \(teams.options(chosen: typed?["team"] ?? String(person.team.rawValue)))</select>
    <p class="aside" id="about-team">Another team’s policy holds from the next clock-in on. \
    While a shift is open the team cannot change.</p>
    <label for="email">E-mail</label>\
    <input id="email" name="email" type="email" maxlength="254" \
    value="\(typed?["email"] ?? person.email)">
    <div class="row"><button>Save</button></div></form></section>
    """
  }

  private var phones: HTML {
    let rows = devices.map { row -> HTML in
      let revoke: HTML = """
        <form method="post" action="\(path)/devices/\(row.device.number)/revoke">\
        <button class="quiet">Revoke</button></form>
        """
      return """
        <tr><td class="number">\(row.device.number)<td>\(row.model ?? row.platform.code)\
        <td>\(row.lastContactAt.map { clock.short($0) })<td>\
        \(row.revokedAt == nil ? revoke : "revoked")

        """
    }
    let none: HTML = "<p class=\"aside\">No phone is enrolled.</p>"
    let table: HTML = """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="phones">\
      <table><thead><tr><th scope="col" class="number">Phone<th scope="col">Model\
      <th scope="col">Heard of<th scope="col">Access</thead>\(rows)</table></div>
      """
    return """
      <section aria-labelledby="phones"><h2 id="phones">Phones</h2>
      \(devices.isEmpty ? none : table)
      <form method="post" action="\(path)/codes"><div class="row"><button>Make a code</button>\
      </div></form></section>
      """
  }
}
