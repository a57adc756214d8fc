import InstallationOperations
import ReadModels
import ShiftDomain

/// An account's form, as read or as typed.
struct AccountDraft: Sendable {
  var name = ""
  var email = ""
  /// The employee number of the account's holder; empty: none.
  var employee = ""
  var access = AccessPicker()
  /// The tag of the version that was read; empty for a new account.
  var tag = ""

  init() {}

  init(_ row: AccountRow) {
    name = row.settings.name
    email = row.email
    employee = row.settings.employee.map { String($0.rawValue) } ?? ""
    access = AccessPicker(row.settings.role, row.settings.teams)
    tag = row.tag
  }

  /// What was typed; an invalid role or team counts as not chosen.
  init(_ fields: FormFields) {
    name = fields["name"]
    email = fields["email"]
    employee = fields["employee"]
    access = AccessPicker(fields) ?? AccessPicker()
    tag = fields["tag"]
  }

  func html(_ teams: [TeamRow]) -> HTML {
    """
    <label for="name">Name (shown in the audit log)</label>\
    <input id="name" name="name" required maxlength="100" autocomplete="off" value="\(name)">
    \(access.html(teams))
    <label for="employee">Employee number, if an employee</label>\
    <input id="employee" name="employee" inputmode="numeric" value="\(employee)" \
    aria-describedby="about-employee">
    <p class="aside" id="about-employee">Prevents managers from overriding their own block.</p>
    """
  }
}

struct AccountsView: FormView {
  var teams: [TeamRow]
  var accounts: [AccountRow]
  var draft = AccountDraft()
  var fault: HTML?

  var page: Page {
    Page(
      setting: "Accounts", line: "<p>Who can log in, and what they can see</p>", fault: fault,
      """
      <div class="columns"><div>\(list)</div><div>\(adding)</div></div>
      """)
  }

  private var list: HTML {
    let rows = accounts.map { row -> HTML in
      """
      <tr><th scope="row"><a href="/settings/accounts/\(row.account.rawValue)">\
      \(row.settings.name)</a><p class="aside">\(row.email)</p><td>\(row.settings.role.name)\
      \(row.disabledAt == nil ? "" : ", disabled")\
      <p class="aside">\(accessSummary(row.settings.role, row.settings.teams, among: teams))</p>

      """
    }
    return """
      <section aria-labelledby="all"><h2 id="all">All accounts</h2>
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="all">
      <table><thead><tr><th scope="col">Name, e-mail\
      <th scope="col">Role and teams</thead>\(rows)</table></div></section>
      """
  }

  private var adding: HTML {
    """
    <section aria-labelledby="add"><h2 id="add">New account</h2>
    <form class="stack" method="post" action="/settings/accounts">
    <label for="email">E-mail address used to log in</label>\
    <input id="email" name="email" type="email" required maxlength="254" autocomplete="off" \
    value="\(draft.email)">
    \(draft.html(teams))
    <div class="row"><button>Add account</button></div>
    <p class="aside">A password is created and shown once. The account's holder should change it \
    at the first login.</p>
    <p class="aside">An account gets no notifications: to notify a manager, add the e-mail \
    address to the contacts of the team, in its <a href="/settings">settings</a>.</p>
    </form></section>
    """
  }
}

struct AccountView: FormView {
  var row: AccountRow
  var teams: [TeamRow]
  var draft: AccountDraft
  var password: String?
  var done: HTML?
  /// Whether `done` says that it was disabled, which can be undone.
  var isJustDisabled = false
  var fault: HTML?

  init(_ row: AccountRow, teams: [TeamRow]) {
    self.row = row
    self.teams = teams
    draft = AccountDraft(row)
  }

  private var path: String { "/settings/accounts/\(row.account.rawValue)" }

  var page: Page {
    Page(
      setting: row.settings.name, below: Crumb(name: "Accounts", path: "/settings/accounts"),
      line: "<p>\(row.email)\(row.disabledAt == nil ? "" : ", disabled")</p>", done: done,
      undo: isJustDisabled && row.disabledAt != nil ? PageHead.Undo(action: "\(path)/enable") : nil,
      fault: fault,
      """
      \(password.map { shown($0) })
      <div class="columns"><div>\(form)</div><div>\(renewal)\(admission)</div></div>
      """)
  }

  func asking(_ question: Confirmation) -> PageAnswer {
    let accounts = Crumb(name: "Accounts", path: "/settings/accounts")
    let own = Crumb(name: "\(row.settings.name)", path: "\(path)")
    return question.page(row.settings.name, way: [.settings, accounts, own], section: .settings)
  }

  var disablingQuestion: Confirmation {
    Confirmation(
      question: "Disable the account of \(row.settings.name)?",
      consequences: """
        <p>All its sessions end, and nobody can log in with it. It can be enabled again.</p>
        """, button: "Disable account", action: "\(path)/disable",
      keep: Crumb(name: "Keep account", path: "\(path)"))
  }

  var renewalQuestion: Confirmation {
    Confirmation(
      question: "Create a new password for \(row.settings.name)?",
      consequences: """
        <p>This cannot be undone. The current password stops working, and all sessions of the \
        account end.</p>
        """, button: "Create new password", action: "\(path)/password",
      keep: Crumb(name: "Keep password", path: "\(path)"))
  }

  private func shown(_ password: String) -> HTML {
    """
    <section class="card" aria-labelledby="made"><h2 id="made">New password</h2>
    <p><strong>\(password)</strong></p>
    <p class="aside">It is not shown again. The account's holder should change it at the \
    first login.</p></section>
    """
  }

  private var form: HTML {
    """
    <section aria-labelledby="who"><h2 id="who">Details and access</h2>
    <form class="stack" method="post" action="\(path)">
    <input type="hidden" name="tag" value="\(draft.tag)">
    \(draft.html(teams))
    <p class="aside">Changes of access take effect with the next page that is opened.</p>
    <div class="row"><button>Save changes</button></div></form></section>
    """
  }

  private var renewal: HTML {
    """
    <section aria-labelledby="password"><h2 id="password">Password</h2>
    <form class="stack" method="post" action="\(path)/password">
    <p class="aside">The current password stops working, and all sessions of the account end.</p>
    <div class="row"><button class="quiet">Create new password</button></div></form></section>
    """
  }

  private var admission: HTML {
    let disable: HTML = """
      <form class="stack" method="post" action="\(path)/disable">
      <p class="aside">All sessions end, and nobody can log in with this account. Its entries in \
      the audit log stay.</p>
      <div class="row"><button class="quiet">Disable account</button></div></form>
      """
    let enable: HTML = """
      <form class="stack" method="post" action="\(path)/enable">
      <p class="aside">This account is disabled: nobody can log in with it.</p>
      <div class="row"><button class="quiet">Enable account</button></div></form>
      """
    return """
      <section aria-labelledby="admission"><h2 id="admission">Login</h2>
      \(row.disabledAt == nil ? disable : enable)</section>
      """
  }
}
