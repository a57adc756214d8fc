import GuardRules
import Guidance
import ManagerCore
import NotificationOperations
import ReadModels
import ShiftDomain

/// The contacts and webhooks of a team, and when they are notified.
struct ContactsView: FormView {
  var team: TeamRow
  var policy: Policy
  var contacts: [TeamContact]
  /// Those that may see the team.
  var accounts: [AccountRow]
  var principal: Principal
  var typed: FormFields?
  /// The contact whose choices were refused, and what was sent.
  var changing: (contact: Int16, fields: FormFields)?
  /// A webhook that was just added, with its secret.
  var made: (contact: TeamContact, secret: String)?
  /// The contact whose removal must be confirmed.
  var removing: TeamContact?
  var test: ContactTest?
  var done: HTML?
  var fault: HTML?

  private var mayChange: Bool { principal.role == .administrator }
  private var path: String { "/settings/teams/\(team.team.rawValue)/contacts" }

  var page: Page {
    let policy = "/settings/teams/\(team.team.rawValue)"
    return Page(
      setting: "Contacts", below: Crumb(name: "\(team.name)", path: "\(policy)"),
      line: "<p>Who is notified about employees of \(team.name)</p>", done: done,
      fault: fault,
      """
      \(removal)\(shownSecret)\(testResult)
      <div class="columns even"><div>\(people)\(list)\(mayChange ? adding : onlyReading)</div>\
      <div class="short">\(steps)</div></div>
      """)
  }

  private var onlyReading: HTML {
    "<p class=\"aside\">Only administrators can change the contacts of others.</p>"
  }

  /// Accounts to tick: all of them for administrators, the own one for managers.
  private var people: HTML? {
    let shown = accounts.filter { mayChange || $0.account == principal.account }
    guard !shown.isEmpty else { return nil }
    let lines = shown.map { row -> HTML in
      let isOwn = row.account == principal.account
      let tick: HTML = .contactTick(
        "Notify", isTicked: contacts.contains { $0.isMailbox(of: row.email) },
        of: row.settings.name,
        action: isOwn
          ? "/account/contacts/\(team.team.rawValue)" : "\(path)/accounts/\(row.account.rawValue)",
        back: isOwn ? "team" : nil)
      return """
        <li><b>\(row.settings.name)</b><p class="aside">\(row.email)\(", you", if: isOwn)</p>\
        <div class="buttons">\(tick)</div>

        """
    }
    return """
      <section aria-labelledby="accounts"><h2 id="accounts">Accounts</h2>
      <ul class="given">\(lines)</ul>
      <p class="aside"><a href="/settings/teams/\(team.team.rawValue)/digest">Preview the weekly \
      digest</a></p></section>
      """
  }

  private var removal: HTML? {
    removing.map { contact in
      let isLast = contacts.count == 1
      let hasSecret = contact.way?.hasSecret ?? false
      return Confirmation(
        question: "Remove \(address(contact))?",
        consequences: """
          <p>Notifications that wait for it are not sent to it any more\
          \(", and its secret is deleted", if: hasSecret).</p>\
          \("<p>It is the last one: afterwards no manager is notified.</p>", if: isLast)
          """, button: "Remove \(contact.noun)", action: "\(path)/\(contact.number)/remove",
        keep: Crumb(name: "Keep \(contact.noun)", path: "\(path)")
      ).card
    }
  }

  private var shownSecret: HTML? {
    made.map { made in
      """
      <section class="card" aria-labelledby="made"><h2 id="made">Secret of the new \
      \(made.contact.noun)</h2>
      <p><code>\(made.secret)</code></p>
      <p class="aside">It is not shown again. Requests to \(address(made.contact)) are signed with \
      it, as the specification Standard Webhooks says.</p></section>
      """
    }
  }

  private var testResult: HTML? {
    test.map { test in
      let reason: HTML? = test.reason.map { " \($0.prefix(1).uppercased() + $0.dropFirst())." }
      return switch test.state {
      case .delivered:
        """
        <p class="done" role="status">Test delivered: it was accepted for \
        \(address(test.contact)).</p>
        """
      case .notDelivered:
        .fault("Test to \(address(test.contact)) not delivered.\(reason)")
      case .queued:
        """
        <p class="done" role="status">Test to \(address(test.contact)) queued, not accepted \
        yet.\(reason) It is tried for five minutes. \
        <a href="\(path)?test=\(test.id.key)">Check again</a></p>
        """
      }
    }
  }

  private func address(_ contact: TeamContact) -> HTML { "\(contact.address(for: principal))" }

  private var list: HTML {
    let none: HTML = """
      <p class="aside">No contacts yet: no manager is notified about this team.</p>
      """
    return """
      <section aria-labelledby="all"><h2 id="all">Contacts</h2>
      \(contacts.isEmpty ? none : "<ul class=\"given\">\(contacts.map { line($0) })</ul>")
      \(mayChange ? ownAddresses : nil)</section>
      """
  }

  private var ownAddresses: HTML {
    """
    <p class="aside">Employees have e-mail addresses of their own: see \
    <a href="/settings/employees">Employees</a>.</p>
    """
  }

  private func line(_ contact: TeamContact) -> HTML {
    let language = (Language(code: contact.language) ?? .english).names.english
    let ways = contact.choices.ways
    let only: HTML? =
      ways == .all ? nil : ways.contains(ContactWays(.email)) ? " only" : ", browsers only"
    let kind: HTML =
      "\(contact.channel.name)\(only)\(", in \(language)", if: contact.channel.hasReaders)"
    let quiet: HTML? = contact.choices.quiet.map {
      """
      . Quiet from \($0.fromText) to \($0.untilText)\
      \(", but not for urgent ones", if: $0.letsUrgentPass)
      """
    }
    let topics = contact.choices.topics.topics.map(\.label).joined(separator: "; ")
    let form = ContactChoicesForm(
      contact: contact, action: "\(path)/\(contact.number)",
      typed: changing.flatMap { $0.contact == contact.number ? $0.fields : nil },
      isAccount: accounts.contains { contact.isMailbox(of: $0.email) })
    let actions: HTML = """
      \(form.html)<div class="buttons">\
      <form method="post" action="\(path)/\(contact.number)/test">\
      <button class="quiet small" aria-label="Send test: \(address(contact))">Send test</button>\
      </form><form method="post" action="\(path)/\(contact.number)/remove">\
      <button class="quiet small" aria-label="Remove: \(address(contact))">Remove</button>\
      </form></div>
      """
    return """
      <li><b>\(address(contact))</b><p class="aside">\(kind)</p>\
      <p class="aside">\(topics)\(quiet)</p>\(mayChange ? actions : nil)

      """
  }

  private var adding: HTML {
    "\(ContactChannel.all.map(form))"
  }

  private func form(for way: ContactChannel) -> HTML {
    let address = typed?["channel"] == way.channel.code ? typed?["address"] : nil
    let (id, code): (HTML, HTML) = ("\(way.noun)-address", "\(way.channel.code)")
    return """
      <section aria-labelledby="add-\(way.noun)"><h2 id="add-\(way.noun)">New \(way.title)</h2>
      <form class="stack" method="post" action="\(path)">
      <input type="hidden" name="channel" value="\(code)">
      <label for="\(id)">\(way.label)</label>\
      <input id="\(id)" name="address" type="\(way.field)" required autocomplete="off" \
      spellcheck="false" value="\(address)">
      \(way.about.isEmpty ? nil : "<p class=\"aside\">\(way.about)</p>" as HTML)\
      \(way.channel.hasReaders ? .languages(id: "\(way.noun)-language", chosen: language) : nil)\
      <div class="row"><button>Add \(way.noun)</button></div></form></section>
      """
  }

  private var language: String { typed?["language"] ?? Language.english.code }

  private var steps: HTML {
    let shown: HTML =
      EscalationPolicy(of: policy).notifiesBeyondOpenApp
      ? "<ol class=\"escalation\">\n\(escalation)</ol>"
      : """
      <p>Interruptions are shown to the employee in the open app only, \
      \(after(policy.debounce, isFirst: false)). Contacts are not notified of them.</p>
      """
    let link = "/settings/teams/\(team.team.rawValue)"
    return """
      <section aria-labelledby="steps"><h2 id="steps">When tracking is interrupted</h2>
      \(shown)
      <p class="aside">All other topics go to the contacts at once. When a problem is over, only \
      its end is sent.</p>
      <p><a href="\(link)">\(mayChange ? "Change these times in the policy" : "Policy")</a></p>
      </section>
      """
  }

  /// In the order in which they are taken: nothing prevents a policy that has managers first.
  private var escalation: [HTML] {
    let steps: [(at: TimeSpan, html: HTML)] = [
      (
        policy.debounce,
        """
        <li><b>In the open app</b><p>\(after(policy.debounce)) to the employee.</p>
        <li><b>Push message</b><p>\(after(policy.debounce)) if no app is open.</p>

        """
      ),
      (
        policy.emailAfter,
        """
        <li><b>E-mail</b><p>\(after(policy.emailAfter)) to the employee, if the problem lasts.</p>

        """
      ),
      (
        policy.managersAfter,
        """
        <li><b>Managers</b><p>\(after(policy.managersAfter)) to the contacts on this page, if the \
        problem lasts.</p>

        """
      ),
    ]
    return steps.sorted { $0.at < $1.at }.map(\.html)
  }

  private func after(_ span: TimeSpan, isFirst: Bool = true) -> String {
    if span == .zero { return isFirst ? "At once" : "at once" }
    return "\(isFirst ? "After" : "after") \(span.exactWords)"
  }
}

extension TeamContact {
  fileprivate var way: ContactChannel? { ContactChannel(channel) }
  fileprivate var noun: String { way?.noun ?? "contact" }
}
