import ShiftDomain
import ShiftOperations

/// The own account: what one may see, one's password, and where one is logged in.
struct OwnAccountView: FormView {
  var row: AccountRow
  var teams: [TeamRow]
  /// Those that have not ended, the newest first.
  var sessions: [LoginSession]
  /// The one that asks.
  var current: SessionID
  var clock: TeamClock
  /// The zone that times are told in.
  var zone: String
  var done: OwnDeed?
  /// Why the password is not changed.
  var fault: HTML?

  var page: Page {
    Page(
      title: "Your account", section: nil, isOwn: true,
      content: """
        \(head.html)
        <div class="columns"><div>\(places)\(rights)</div><div>\(password)</div></div>
        """)
  }

  private var head: PageHead {
    PageHead(
      title: "\(row.settings.name)", line: "<p>\(row.settings.role.name) · \(row.email)</p>",
      done: done?.text)
  }

  private var rights: HTML {
    let own: HTML? = row.settings.employee.map {
      "<p class=\"aside\">As an employee you are number \($0.rawValue).</p>"
    }
    return """
      <section aria-labelledby="rights"><h2 id="rights">What you may see</h2>
      <p>\(sight(row.settings.role, row.settings.teams, among: teams))</p>
      <p class="aside">Coverage is states, reasons and times; track is where people were. An \
      administrator changes it.</p>\(own)</section>
      """
  }

  // MARK: Where one is logged in

  private var places: HTML {
    let others: HTML = """
      <form method="post" action="/account/sessions/end"><div class="row">\
      <button class="quiet">End all others</button></div></form>
      """
    return """
      <section aria-labelledby="sessions"><h2 id="sessions">Where you are logged in</h2>
      <ul class="given">\(sessions.map { item($0) })</ul>
      \(sessions.count > 1 ? others : nil)
      <p class="aside">Times are \(zone). Whatever you do not know, end, and change your \
      password.</p></section>
      """
  }

  private func item(_ session: LoginSession) -> HTML {
    let end: HTML = """
      <form method="post" action="/account/sessions/\(session.session.rawValue)/end">\
      <button class="quiet small" aria-label="End \(browserName(session.userAgent))">End</button>\
      </form>
      """
    let isCurrent = session.session == current
    let address = session.address.isEmpty ? "an unknown address" : session.address
    return """
      <li><p>\(browserName(session.userAgent))\
      \(" <span class=\"tag\">this one</span>", if: isCurrent)</p>\
      <p class="aside">From \(address) since \(clock.short(session.createdAt)), last used \
      \(clock.short(session.usedAt))</p>\(isCurrent ? nil : end)
      """
  }

  // MARK: Password

  private var password: HTML {
    let pointer: HTML = fault == nil ? "" : " aria-describedby=\"fault\" aria-invalid=\"true\""
    return """
      <section aria-labelledby="password"><h2 id="password">Change your password</h2>
      <form class="stack" method="post" action="/account/password">
      \(fault.map { "<p class=\"fault\" id=\"fault\" role=\"alert\">\($0)</p>" as HTML })
      <input type="email" autocomplete="username" value="\(row.email)" readonly hidden>
      <label for="current">The present one</label>\
      <input id="current" name="current" type="password" required maxlength="1024" \
      autocomplete="current-password"\(pointer)>
      <label for="wanted">The new one</label>\
      <input id="wanted" name="wanted" type="password" required maxlength="1024" \
      autocomplete="new-password" aria-describedby="about-wanted">
      <p class="aside" id="about-wanted">\(Password.charactersMin) characters at least; several \
      words are easy to keep in mind.</p>
      <label for="again">The new one again</label>\
      <input id="again" name="again" type="password" required maxlength="1024" \
      autocomplete="new-password">
      <div class="row"><button>Change</button></div>
      <p class="aside">Everywhere else you are logged out.</p></form></section>
      """
  }
}

/// What was done to the own account, as the address of the page behind it says.
enum OwnDeed: String, Sendable {
  case password, ended

  fileprivate var text: HTML {
    switch self {
    case .password: "Your password is changed, and everywhere else you are logged out."
    case .ended: "Those sessions are ended."
    }
  }
}

/// A browser and its system in the words of people, as far as they can be told from what it calls
/// itself.
func browserName(_ userAgent: String) -> String {
  // The more special first: nearly all say Chrome or Safari besides.
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
