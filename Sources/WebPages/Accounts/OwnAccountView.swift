import InstallationOperations
import ReadModels
import ShiftDomain

struct OwnAccountView: FormView {
  var row: AccountRow
  var teams: [TeamRow]
  /// The teams that notify the account, with the contact that it is.
  var contacts: [TeamID: TeamContact]
  /// Open sessions, the newest first.
  var sessions: [LoginSession]
  var current: SessionID
  /// Where alerts are on, the newest first.
  var browsers: [AccountBrowser]
  /// The public key of our push messages; `nil`: there are none.
  var pushKey: String?
  var clock: TeamClock
  var zone: String
  var done: HTML?
  /// The team whose choices were refused, and what was sent.
  var changing: (team: TeamID, fields: FormFields)?
  /// Why a contact was not changed.
  var contactFault: HTML?
  /// Why the password was not changed.
  var fault: HTML?

  var page: Page {
    Page(
      title: "Your account", section: nil, isOwn: true,
      content: """
        \(head.html)
        <div class="columns"><div>\(notifications)\(alerts)\(places)</div>\
        <div>\(rights)\(password)</div></div>
        """)
  }

  var othersQuestion: PageAnswer {
    asking(
      "End all other sessions?",
      "<p>This cannot be undone. You must log in again wherever else you were logged in.</p>",
      button: "End all other sessions", action: "/account/sessions/end", keep: "Keep sessions")
  }

  /// `nil` if there is no such session any more.
  func question(about session: SessionID) -> PageAnswer? {
    guard let row = sessions.first(where: { $0.session == session }) else { return nil }
    return asking(
      "End the session of \(browserName(row.userAgent))?",
      """
      <p>This cannot be undone. Last used \(clock.short(row.usedAt)). That browser must then log \
      in again.</p>
      """, button: "End session", action: "/account/sessions/\(session.rawValue)/end",
      keep: "Keep session")
  }

  private func asking(
    _ question: HTML, _ consequences: HTML, button: HTML, action: String, keep: HTML
  ) -> PageAnswer {
    let own = Crumb(name: "Your account", path: "/account")
    return Confirmation(
      question: question, consequences: consequences, button: button, action: action,
      keep: Crumb(name: keep, path: own.path)
    ).page("Sessions", way: [own], isOwn: true)
  }

  private var head: PageHead {
    PageHead(
      title: "\(row.settings.name)", line: "<p>\(row.settings.role.name) · \(row.email)</p>",
      done: done, fault: contactFault)
  }

  func refusedContact(_ reason: HTML) -> PageAnswer {
    var view = self
    view.contactFault = reason
    return .page(view.page, status: 422)
  }

  private var notifications: HTML {
    let seen = teams.filter { row.maySee($0.team) }
    let none: HTML = "<p class=\"aside\">You cannot see any team yet.</p>"
    return """
      <section aria-labelledby="notified"><h2 id="notified">Notifications</h2>
      \(seen.isEmpty ? none : "<ul class=\"given\">\(seen.map { notification(about: $0) })</ul>")\
      </section>
      """
  }

  private var alerts: HTML {
    let lines = browsers.map { browser -> HTML in
      let name = browserName(browser.userAgent)
      return """
        <li><p>\(name)\
        \(" <span class=\"tag\">this browser</span>", if: browser.session == current)</p>\
        <p class="aside">Since \(clock.short(browser.addedAt))</p>\
        <form method="post" action="/account/browsers/\(browser.number)/remove">\
        <button class="quiet small" aria-label="Switch off: \(name)">Switch off</button></form>

        """
    }
    return """
      <section aria-labelledby="alerts"><h2 id="alerts">Alerts in browsers</h2>
      \(lines.isEmpty ? nil : "<ul class=\"given\">\(lines)</ul>" as HTML)\(switchingOn)
      <p class="aside">Alerts are about the teams that notify you. They name nobody and no place: \
      click one to see more. Logging out switches them off in that browser.</p></section>
      """
  }

  private var switchingOn: HTML {
    guard let pushKey else {
      return """
        <p class="aside">Not available: the operator must set <code>public-url</code> first.</p>
        """
    }
    return """
      <form method="post" action="/account/browsers" data-push-key="\(pushKey)" hidden>
      <input type="hidden" name="endpoint"><input type="hidden" name="p256dh">\
      <input type="hidden" name="auth">
      <div class="row"><button>Switch on alerts in this browser</button></div>
      <p class="fault" role="alert" hidden></p></form>
      <p id="no-alerts">This browser cannot show alerts as it is now. On an iPhone or iPad, first \
      add this page to the Home Screen, and open it from there. Elsewhere, allow scripts and use a \
      recent browser, over HTTPS.</p>
      """
  }

  private func notification(about team: TeamRow) -> HTML {
    let contact = contacts[team.team]
    let action = "/account/contacts/\(team.team.rawValue)"
    let choices = contact.map {
      ContactChoicesForm(
        contact: $0, action: action,
        typed: changing.flatMap { $0.team == team.team ? $0.fields : nil },
        scope: team.team.rawValue, isAccount: true
      ).html
    }
    let tick: HTML = .contactTick(
      "Notify me", isTicked: contact != nil, of: team.name, action: action)
    return """
      <li><b>\(team.name)</b><div class="buttons">\(tick)</div>\(choices)
      <p class="aside"><a href="/settings/teams/\(team.team.rawValue)/digest" \
      aria-label="Preview the weekly digest: \(team.name)">Preview the weekly digest</a></p>

      """
  }

  private var rights: HTML {
    let own: HTML? = row.settings.employee.map {
      "<p class=\"aside\">Your employee number is \($0.rawValue).</p>"
    }
    return """
      <section aria-labelledby="rights"><h2 id="rights">Access</h2>
      <p>\(accessSummary(row.settings.role, row.settings.teams, among: teams))</p>
      <p class="aside">Coverage: states, reasons and times. Track: where employees were. An \
      administrator can change your access.</p>\(own)</section>
      """
  }

  private var places: HTML {
    let others: HTML = """
      <form method="post" action="/account/sessions/end"><div class="row">\
      <button class="quiet">End all other sessions</button></div></form>
      """
    return """
      <section aria-labelledby="sessions"><h2 id="sessions">Where you are logged in</h2>
      <ul class="given">\(sessions.map { item($0) })</ul>
      \(sessions.count > 1 ? others : nil)
      <p class="aside">Times in \(zone). If you do not recognise a session, end it and change your \
      password.</p></section>
      """
  }

  private func item(_ session: LoginSession) -> HTML {
    let end: HTML = """
      <form method="post" action="/account/sessions/\(session.session.rawValue)/end">\
      <button class="quiet small" aria-label="End session: \(browserName(session.userAgent))">\
      End session</button></form>
      """
    let isCurrent = session.session == current
    let address = session.address.isEmpty ? "an unknown address" : session.address
    return """
      <li><p>\(browserName(session.userAgent))\
      \(" <span class=\"tag\">this session</span>", if: isCurrent)</p>\
      <p class="aside">From \(address) since \(clock.short(session.createdAt)), last used \
      \(clock.short(session.usedAt))</p>\(isCurrent ? nil : end)
      """
  }

  private var password: HTML {
    let pointer: HTML = fault == nil ? "" : " aria-describedby=\"fault\" aria-invalid=\"true\""
    return """
      <section aria-labelledby="password"><h2 id="password">Change your password</h2>
      <form class="stack" method="post" action="/account/password">
      \(fault.map { "<p class=\"fault\" id=\"fault\" role=\"alert\">\($0)</p>" as HTML })
      <input type="email" autocomplete="username" value="\(row.email)" readonly hidden>
      <label for="current">Current password</label>\
      <input id="current" name="current" type="password" required maxlength="1024" \
      autocomplete="current-password"\(pointer)>
      <label for="wanted">New password</label>\
      <input id="wanted" name="wanted" type="password" required maxlength="1024" \
      autocomplete="new-password" aria-describedby="about-wanted">
      <p class="aside" id="about-wanted">At least \(Password.charactersMin) characters. Several \
      words are easy to remember.</p>
      <label for="again">New password again</label>\
      <input id="again" name="again" type="password" required maxlength="1024" \
      autocomplete="new-password">
      <div class="row"><button>Change password</button></div>
      <p class="aside">All your other sessions will end.</p></form></section>
      """
  }
}

/// What a form of this page did; stands in the address of the page shown after it.
enum CompletedOwnAction: String, Sendable {
  case password, ended, endedOne, notified, notNotified, choices, alertsOn, alertsOff

  init(_ action: CompletedContactAction) {
    self =
      switch action {
      case .added: .notified
      case .removed: .notNotified
      case .changed: .choices
      }
  }

  var text: HTML {
    switch self {
    case .notified: "You are notified."
    case .notNotified: "You are not notified any more."
    case .choices: "Choices saved."
    case .alertsOn: "Alerts are on in this browser."
    case .alertsOff: "Alerts are off in that browser."
    case .password: "Password changed. All your other sessions have ended."
    case .ended: "All other sessions ended."
    case .endedOne: "Session ended."
    }
  }
}

/// The common name of a browser and its system, as far as the user agent shows them.
func browserName(_ userAgent: String) -> String {
  // The most specific first: nearly all user agents also contain Chrome or Safari.
  let browsers = [
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
  ]
  let systems = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
    ("CrOS", "ChromeOS"), ("Macintosh", "Mac"), ("Linux", "Linux"),
  ]
  let browser = browsers.first { userAgent.contains($0.0) }?.1
  let system = systems.first { userAgent.contains($0.0) }?.1
  switch (browser, system) {
  case (let browser?, let system?): return "\(browser) on \(system)"
  case (let browser?, nil): return browser
  case (nil, let system?): return "A program on \(system)"
  case (nil, nil): return userAgent.isEmpty ? "An unknown program" : String(userAgent.prefix(60))
  }
}
