import InstallationOperations
import ReadModels
import ShiftDomain

enum TokenLife: Int32, CaseIterable, Sendable {
  case month = 30
  case quarter = 90
  case year = 365

  fileprivate var name: HTML {
    switch self {
    case .month: "30 days"
    case .quarter: "90 days"
    case .year: "1 year"
    }
  }
}

extension APITokenRow {
  var revocationQuestion: PageAnswer {
    let list = Crumb(name: "API tokens", path: "/settings/tokens")
    return Confirmation(
      question: "Revoke the token “\(name)”?",
      consequences: """
        <p>This cannot be undone. API clients that use the token are refused at once.</p>
        """, button: "Revoke token", action: "/settings/tokens/\(number)/revoke",
      keep: Crumb(name: "Keep token", path: list.path)
    ).page("Token \(number)", way: [.settings, list], section: .settings)
  }
}

struct TokensView: FormView {
  var teams: [TeamRow]
  var tokens: [APITokenRow]
  var clock: TeamClock
  var now: Instant
  var name = ""
  var life = TokenLife.quarter
  var access = AccessPicker()
  var made: NewAPIToken?
  var done: HTML?
  var fault: HTML?

  var page: Page {
    Page(
      setting: "API tokens", line: "<p>Credentials for API clients</p>", done: done, fault: fault,
      """
      \(made.map { shown($0) })
      <div class="columns"><div>\(list)</div><div>\(form)</div></div>
      """)
  }

  private func shown(_ token: NewAPIToken) -> HTML {
    """
    <section class="card" aria-labelledby="made"><h2 id="made">Token \(token.number)</h2>
    <p><code>\(token.token)</code></p>
    <p class="aside">It is not shown again. It expires on \(clock.short(token.expiresAt)). Send it \
    as <code>Authorization: Bearer …</code></p></section>
    """
  }

  private var list: HTML {
    let none: HTML = "<p class=\"aside\">No API tokens yet.</p>"
    let table: HTML = """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="all">
      <table><thead><tr><th scope="col">Name<th scope="col">Role and teams\
      <th scope="col">Expires</thead>\(tokens.map { line($0) })</table></div>
      """
    return """
      <section aria-labelledby="all"><h2 id="all">All tokens</h2>
      \(tokens.isEmpty ? none : table)</section>
      """
  }

  private func line(_ row: APITokenRow) -> HTML {
    let revoke: HTML = """
      <form method="post" action="/settings/tokens/\(row.number)/revoke">\
      <button class="quiet small" aria-label="Revoke token: \(row.name)">\
      Revoke token</button></form>
      """
    let until: HTML =
      if row.revokedAt != nil {
        "revoked"
      } else if row.expiresAt <= now {
        "expired"
      } else {
        "\(clock.short(row.expiresAt))\(revoke)"
      }
    return """
      <tr><th scope="row">\(row.name)<td>\(row.role.name)\
      <p class="aside">\(accessSummary(row.role, row.teams, among: teams))</p><td>\(until)

      """
  }

  private var form: HTML {
    let lives = TokenLife.allCases.map { life -> HTML in
      "<option value=\"\(life.rawValue)\"\(" selected", if: life == self.life)>\(life.name)"
    }
    return """
      <section aria-labelledby="add"><h2 id="add">New token</h2>
      <form class="stack" method="post" action="/settings/tokens">
      <label for="name">Name</label>\
      <input id="name" name="name" required maxlength="100" autocomplete="off" value="\(name)">
      <label for="days">Expires in</label><select id="days" name="days">\(lives)</select>
      \(access.html(teams))
      <div class="row"><button>Create token</button></div></form></section>
      """
  }
}
