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
    let preset = typed?["preset"] ?? Preset.initial.code
    let presets = HTML.options(Preset.allCases, chosen: preset) { $0.name }
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
  /// Whether the removal must be confirmed.
  var isRemoving = false
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
      \(isRemoving ? removal.card : nil)
      <section class="card few" aria-labelledby="team"><h2 id="team">Name, time zone and pay</h2>
      <form class="stack" method="post" action="/settings/teams/\(team.team.rawValue)/edit">
      <input type="hidden" name="tag" value="\(typed?["tag"] ?? team.tag)">
      \(teamFields(name: typed?["name"] ?? team.name, zone: typed?["zone"] ?? team.timeZone))
      \(payFields)
      <div class="row"><button>Save changes</button></div></form></section>
      <section class="card few" aria-labelledby="remove"><h2 id="remove">Remove team</h2>
      <p class="aside">Only a team without employees and without approved times can be removed.</p>
      <form class="stack" method="post" action="\(removal.action)"><div class="row">\
      <button class="quiet">Remove team</button></div></form></section>
      """)
  }

  private var removal: Confirmation {
    let path = "/settings/teams/\(team.team.rawValue)"
    return Confirmation(
      question: "Remove \(team.name)?",
      consequences: """
        <p>Its contacts, sites and policies are deleted, and nobody has rights for it any more. \
        This cannot be undone.</p>
        """, button: "Remove team", action: "\(path)/remove",
      keep: Crumb(name: "Keep team", path: "\(path)/edit"))
  }
}

extension TeamView {
  private var payFields: HTML {
    let rounding = typed?["rounding"] ?? team.payRule.rounding.code
    let roundings = HTML.options(PayRounding.allCases, chosen: rounding) { $0.name }
    let paysBreaks = typed.map { $0["breaks"] == "paid" } ?? team.payRule.paysBreaks
    return """
      <label for="rounding">Rounding of paid time</label>\
      <select id="rounding" name="rounding" aria-describedby="about-pay">\(roundings)</select>
      <label class="tick choice"><input type="checkbox" name="breaks" value="paid"\
      \(" checked", if: paysBreaks)> Breaks are paid</label>
      <p class="aside" id="about-pay">Each shift is rounded once. Employees see the time they \
      worked and the time that is paid. Approved shifts are paid by the rule of their approval.</p>
      """
  }
}

extension PayRounding {
  fileprivate var name: HTML {
    switch self {
    case .none: "Not rounded"
    case .nearest5: "To the nearest 5 minutes"
    case .nearest10: "To the nearest 10 minutes"
    case .nearest15: "To the nearest 15 minutes"
    case .up5: "Up to the next 5 minutes"
    case .up10: "Up to the next 10 minutes"
    case .up15: "Up to the next 15 minutes"
    }
  }
}

private func teamFields(name: String, zone: String) -> HTML {
  """
  <label for="name">Name</label>\
  <input id="name" name="name" required maxlength="100" autocomplete="off" value="\(name)">
  <label for="zone">Time zone</label>\
  <input id="zone" name="zone" required maxlength="100" autocomplete="off" spellcheck="false" \
  placeholder="Europe/Warsaw" value="\(zone)" aria-describedby="about-zone">
  <p class="aside" id="about-zone">Continent and city, such as Europe/Warsaw. It decides to \
  which day a shift belongs, past shifts included.</p>
  """
}
