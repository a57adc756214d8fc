import ShiftDomain
import ShiftOperations

/// Whom administrators have in their care: a list, a form for one more, and one for many.
struct PeopleView: Sendable {
  var teams: [TeamRow]
  var people: [StaffRow]
  /// What a name must hold.
  var searched: String
  /// Where the next page is; `nil` at the last.
  var next: String?
  /// What became of a form.
  var told: HTML?
  var fault: HTML?
  /// What was typed.
  var typed: FormFields?

  var page: Page {
    Page(
      title: "People", section: .settings,
      content: """
        <nav class="crumbs" aria-label="Where you are"><a href="/settings">Settings</a></nav>
        <div class="heading"><h1>People</h1><p>Whose phones are tracked on shift</p></div>
        \(told.map { "<p class=\"done\" role=\"status\">\($0)</p>" as HTML })
        \(fault.map { "<div class=\"fault\" role=\"alert\">\($0)</div>" as HTML })
        <form class="search" method="get" action="/settings/people"><div>\
        <label for="name">Name</label><input id="name" name="name" value="\(searched)">\
        <button class="quiet">Search</button></div></form>
        \(list)
        <div class="columns even"><div>\(adding)</div><div>\(file)</div></div>
        """)
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
    """
    <section aria-labelledby="many"><h2 id="many">Read a list</h2>
    <form class="stack" method="post" action="/settings/people/import">
    <label for="csv">CSV with a first line of column names</label>\
    <textarea id="csv" name="csv" rows="6" required spellcheck="false" \
    aria-describedby="about-csv" placeholder="employee,name,team,email">\(typed?["csv"])</textarea>
    <p class="aside" id="about-csv">Columns employee (number), name, team (number or name) and \
    perhaps email. All lines are read, or none; who is not in the list stays.</p>
    <div class="row"><button name="trial" value="yes">Try</button>\
    <button class="quiet" name="trial" value="">Read it</button></div></form></section>
    """
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
struct PersonSettingsView: Sendable {
  var person: StaffRow
  var teams: [TeamRow]
  var devices: [DeviceRow]
  var clock: TeamClock
  /// A code that was just made, and where the page for employees is.
  var code: (code: NewEnrolmentCode, address: String)?
  var told: HTML?
  var fault: HTML?

  private var path: String { "/settings/people/\(person.employee.rawValue)" }

  var page: Page {
    Page(
      title: person.name, section: .settings,
      content: """
        <nav class="crumbs" aria-label="Where you are"><a href="/settings">Settings</a> · \
        <a href="/settings/people">People</a></nav>
        <div class="heading"><h1>\(person.name)</h1><p>Number \(person.employee.rawValue)</p></div>
        \(told.map { "<p class=\"done\" role=\"status\">\($0)</p>" as HTML })
        \(fault.map { "<p class=\"fault\" role=\"alert\">\($0)</p>" as HTML })
        \(shownCode)
        <div class="columns even"><div>\(form)</div><div>\(phones)</div></div>
        """)
  }

  private var shownCode: HTML? {
    code.map { code in
      """
      <section class="card" aria-labelledby="code"><h2 id="code">Code for one phone</h2>
      <p><strong>\(code.code.code)</strong></p>
      <p>Or open this on the phone: <code>\(code.address)</code></p>
      <p class="aside">It works once, until \(clock.short(code.code.expiresAt)), and is shown only \
      now.</p></section>
      """
    }
  }

  private var form: HTML {
    """
    <section aria-labelledby="who"><h2 id="who">Who</h2>
    <form class="stack" method="post" action="\(path)">
    <input type="hidden" name="tag" value="\(person.tag)">
    <label for="name">Name</label>\
    <input id="name" name="name" required maxlength="100" value="\(person.name)">
    <label for="team">Team</label><select id="team" name="team" aria-describedby="about-team">\
    \(teams.options(chosen: String(person.team.rawValue)))</select>
    <p class="aside" id="about-team">Another team’s policy holds from the next clock-in on. \
    While a shift is open the team cannot change.</p>
    <label for="email">E-mail</label>\
    <input id="email" name="email" type="email" maxlength="254" value="\(person.email)">
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
      <th scope="col">Heard of<th scope="col">Right to speak</thead>\(rows)</table></div>
      """
    return """
      <section aria-labelledby="phones"><h2 id="phones">Phones</h2>
      \(devices.isEmpty ? none : table)
      <form method="post" action="\(path)/codes"><div class="row"><button>Make a code</button>\
      </div></form></section>
      """
  }
}
