import ReadModels
import ShiftDomain

struct TeamsView: FormView {
  var teams: [TeamRow]
  var typed: FormFields?
  var done: HTML?
  var fault: HTML?

  var page: Page {
    Page(
      setting: "Teams", line: "<p>Each team has a policy and a time zone</p>", done: done,
      fault: fault,
      """
      <div class="columns even"><div>\(list)</div><div>\(adding)</div></div>
      """)
  }

  private var list: HTML {
    let none: HTML = "<p class=\"aside\">No teams yet.</p>"
    let rows = teams.map { row -> HTML in
      """
      <tr><th scope="row"><a href="/settings/teams/\(row.team.rawValue)/edit">\(row.name)</a>\
      <td class="number">\(row.employees)<td>\(row.timeZone)

      """
    }
    let table: HTML = """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="all">
      <table><thead><tr><th scope="col">Name<th scope="col" class="number">Employees\
      <th scope="col">Time zone</thead>\(rows)</table></div>
      """
    return """
      <section aria-labelledby="all"><h2 id="all">All teams</h2>\(teams.isEmpty ? none : table)
      </section>
      """
  }

  private var adding: HTML {
    let presets = Preset.allCases.map { preset -> HTML in
      let isChosen = typed.map { $0["preset"] == preset.code } ?? (preset == .initial)
      return "<option value=\"\(preset.code)\"\(" selected", if: isChosen)>\(preset.name)"
    }
    return """
      <section aria-labelledby="add"><h2 id="add">New team</h2>
      <form class="stack" method="post" action="/settings/teams">
      \(teamFields(name: typed?["name"] ?? "", zone: typed?["zone"] ?? ""))
      <label for="preset">Policy preset</label>\
      <select id="preset" name="preset">\(presets)</select>
      <div class="row"><button>Add team</button></div></form></section>
      """
  }
}

struct TeamView: FormView {
  var team: TeamRow
  var typed: FormFields?
  var fault: HTML?

  var page: Page {
    Page(
      setting: team.name, below: Crumb(name: "Teams", path: "/settings/teams"),
      line: """
        <p><a href="/settings/teams/\(team.team.rawValue)">Policy</a> · \
        <a href="/settings/teams/\(team.team.rawValue)/contacts">Contacts</a> · \
        <a href="/settings/teams/\(team.team.rawValue)/sites">Sites</a></p>
        """, fault: fault,
      """
      <section class="card few" aria-labelledby="team"><h2 id="team">Name and time zone</h2>
      <form class="stack" method="post" action="/settings/teams/\(team.team.rawValue)/edit">
      <input type="hidden" name="tag" value="\(typed?["tag"] ?? team.tag)">
      \(teamFields(name: typed?["name"] ?? team.name, zone: typed?["zone"] ?? team.timeZone))
      <div class="row"><button>Save changes</button></div></form></section>
      """)
  }
}

private func teamFields(name: String, zone: String) -> HTML {
  """
  <label for="name">Name</label>\
  <input id="name" name="name" required maxlength="100" autocomplete="off" value="\(name)">
  <label for="zone">Time zone</label>\
  <input id="zone" name="zone" required maxlength="100" autocomplete="off" spellcheck="false" \
  placeholder="Europe/Warsaw" value="\(zone)" aria-describedby="about-zone">
  <p class="aside" id="about-zone">An IANA name such as Europe/Warsaw. It decides to which \
  day a shift belongs, past shifts included.</p>
  """
}
