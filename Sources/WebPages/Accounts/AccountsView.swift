import ShiftDomain
import ShiftOperations

/// An account's form, as read or as typed.
struct AccountDraft: Sendable {
  var name = ""
  var email = ""
  /// The number of the employee that they are themselves; empty: none.
  var employee = ""
  var access = AccessPicker()
  /// Of what was read; empty for an account that is not there yet.
  var tag = ""

  init() {}

  init(_ row: AccountRow) {
    name = row.settings.name
    email = row.email
    employee = row.settings.employee.map { String($0.rawValue) } ?? ""
    access = AccessPicker(row.settings.role, row.settings.teams)
    tag = row.tag
  }

  /// What was typed; a role or team that there is not counts as none picked.
  init(_ fields: FormFields) {
    name = fields["name"]
    email = fields["email"]
    employee = fields["employee"]
    access = AccessPicker(fields) ?? AccessPicker()
    tag = fields["tag"]
  }

  /// The fields that an account has when it is added and later.
  func html(_ teams: [TeamRow]) -> HTML {
    """
    <label for="name">Name, as the log shows it</label>\
    <input id="name" name="name" required maxlength="100" autocomplete="off" value="\(name)">
    \(access.html(teams))
    <label for="employee">Number as an employee, if they are one themselves</label>\
    <input id="employee" name="employee" inputmode="numeric" value="\(employee)" \
    aria-describedby="about-employee">
    <p class="aside" id="about-employee">Nobody gives leave to themselves.</p>
    """
  }
}

/// Who may log in, and a form for one more.
struct AccountsView: FormView {
  var teams: [TeamRow]
  var accounts: [AccountRow]
  var draft = AccountDraft()
  var fault: HTML?

  var page: Page {
    Page(
      title: "Accounts", section: .settings,
      content: """
        \(head.html)
        <div class="columns"><div>\(list)</div><div>\(adding)</div></div>
        """)
  }

  private var head: PageHead {
    PageHead(
      way: [.settings], title: "Accounts", line: "<p>Who may log in, and what they may see</p>",
      fault: fault)
  }

  private var list: HTML {
    let rows = accounts.map { row -> HTML in
      """
      <tr><th scope="row"><a href="/settings/accounts/\(row.account.rawValue)">\
      \(row.settings.name)</a><p class="aside">\(row.email)</p><td>\(row.settings.role.name)\
      \(row.disabledAt == nil ? "" : ", disabled")\
      <p class="aside">\(sight(row.settings.role, row.settings.teams, among: teams))</p>

      """
    }
    return """
      <section aria-labelledby="all"><h2 id="all">Everybody</h2>
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="all">
      <table><thead><tr><th scope="col">Name, e-mail\
      <th scope="col">Role, sees</thead>\(rows)</table></div></section>
      """
  }

  private var adding: HTML {
    """
    <section aria-labelledby="add"><h2 id="add">Add an account</h2>
    <form class="stack" method="post" action="/settings/accounts">
    <label for="email">E-mail, by which they log in</label>\
    <input id="email" name="email" type="email" required maxlength="254" autocomplete="off" \
    value="\(draft.email)">
    \(draft.html(teams))
    <div class="row"><button>Add</button></div>
    <p class="aside">A password is made and shown once; they change it when they are in.</p>
    </form></section>
    """
  }
}

/// One account: what is kept of it, its password, and whether it may log in.
struct AccountView: FormView {
  var row: AccountRow
  var teams: [TeamRow]
  var draft: AccountDraft
  /// A password that was just made.
  var password: String?
  var done: HTML?
  var fault: HTML?

  init(_ row: AccountRow, teams: [TeamRow]) {
    self.row = row
    self.teams = teams
    draft = AccountDraft(row)
  }

  private var path: String { "/settings/accounts/\(row.account.rawValue)" }

  var page: Page {
    Page(
      title: row.settings.name, section: .settings,
      content: """
        \(head.html)
        \(password.map { shown($0) })
        <div class="columns"><div>\(form)</div><div>\(renewal)\(admission)</div></div>
        """)
  }

  private var head: PageHead {
    PageHead(
      way: [.settings, Crumb(name: "Accounts", path: "/settings/accounts")],
      title: "\(row.settings.name)",
      line: "<p>\(row.email)\(row.disabledAt == nil ? "" : ", disabled")</p>",
      done: done, fault: fault)
  }

  private func shown(_ password: String) -> HTML {
    """
    <section class="card" aria-labelledby="made"><h2 id="made">Their password</h2>
    <p><strong>\(password)</strong></p>
    <p class="aside">It is shown only now. Have them change it when they are in.</p></section>
    """
  }

  private var form: HTML {
    """
    <section aria-labelledby="who"><h2 id="who">Who, and what they may</h2>
    <form class="stack" method="post" action="\(path)">
    <input type="hidden" name="tag" value="\(draft.tag)">
    \(draft.html(teams))
    <p class="aside">What they may see changes with their next click.</p>
    <div class="row"><button>Save</button></div></form></section>
    """
  }

  private var renewal: HTML {
    """
    <section aria-labelledby="password"><h2 id="password">Password</h2>
    <form class="stack" method="post" action="\(path)/password">
    <p class="aside">The one before serves no longer, and they are logged out everywhere.</p>
    <div class="row"><button class="quiet">Make a new password</button></div></form></section>
    """
  }

  private var admission: HTML {
    let disable: HTML = """
      <form class="stack" method="post" action="\(path)/disable">
      <p class="aside">They are logged out, and log in no more. What they did stays in the log.</p>
      <div class="row"><button class="quiet">Disable</button></div></form>
      """
    let enable: HTML = """
      <form class="stack" method="post" action="\(path)/enable">
      <p class="aside">It is disabled; nobody logs in by it.</p>
      <div class="row"><button class="quiet">Enable</button></div></form>
      """
    return """
      <section aria-labelledby="admission"><h2 id="admission">Logging in</h2>
      \(row.disabledAt == nil ? disable : enable)</section>
      """
  }
}
