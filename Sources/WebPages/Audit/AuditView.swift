import InstallationOperations
import ReadModels
import ShiftDomain

struct AuditView: Sendable {
  var search: AuditSearch
  /// The time zone of dates and times.
  var zone: String
  var clock: TeamClock
  var names = AuditNames()
  /// The newest first.
  var entries: [AuditEntry] = []
  /// Whether there are older ones, or more matches.
  var hasMore = false
  /// The employees that the typed name may mean, if it is not clear.
  var matches: [EmployeeProfile] = []
  /// The address of the entries as CSV; `nil`: the API does not accept the session.
  var file: String?
  /// Why nothing was searched.
  var fault: HTML?

  var page: Page {
    Page(
      "Audit log", in: .audit,
      line: "<p>Who viewed locations and who changed what. Times in \(zone).</p>",
      """
      \(form)
      \(fault.map { .fault($0) } ?? (matches.isEmpty ? list : choice))
      """)
  }

  private var form: HTML {
    let accounts = names.accounts.sorted {
      ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue)
    }.map { number, name in
      option("\(number.rawValue)", "\(name)", isChosen: number == search.account)
    }
    let actions = AuditAction.allCases.map { (action: $0, name: $0.words.name) }
      .sorted { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }
      .map { action, name in option(action.code, name, isChosen: action == search.action) }
    return """
      <form class="search" role="search" action="/audit">
      \(field("employee", "Employee", "Name or number", search.employee))
      <div><label for="account">Account</label><select id="account" name="account">\
      <option value="">All</option>\(accounts)</select></div>
      \(field("actor", "Actor", "Name", search.actor))
      <div><label for="action">Action</label><select id="action" name="action">\
      <option value="">All</option>\(actions)</select></div>
      \(day("from", "From", search.from))\(day("to", "To", search.to))
      <button class="quiet">Show</button>
      \("<a href=\"/audit\">Show all</a>", if: !search.isEmpty || search.before != nil)
      </form>
      """
  }

  private func option(_ value: String, _ name: HTML, isChosen: Bool) -> HTML {
    "<option value=\"\(value)\"\(" selected", if: isChosen)>\(name)</option>"
  }

  private func field(_ key: HTML, _ label: HTML, _ example: HTML, _ value: String) -> HTML {
    """
    <div><label for="\(key)">\(label)</label>\
    <input id="\(key)" name="\(key)" type="search" maxlength="100" \
    placeholder="\(example)" value="\(value)"></div>
    """
  }

  private func day(_ key: HTML, _ label: HTML, _ value: String) -> HTML {
    """
    <div><label for="\(key)">\(label)</label>\
    <input id="\(key)" name="\(key)" type="date" value="\(value)"></div>
    """
  }

  private var choice: HTML {
    let links = matches.map { match -> HTML in
      var search = search
      search.employee = String(match.employee.rawValue)
      let team: HTML? = names.teams[match.team].map { ", \($0)" }
      return "<li><a href=\"/audit\(search.query.text)\">\(match.name)</a>\(team)"
    }
    return """
      <section class="card" aria-labelledby="matches">\
      <h2 id="matches">Which employee do you mean?</h2><ul class="given">\(links)</ul>
      \("<p class=\"aside\">Only the first are shown.</p>", if: hasMore)</section>
      """
  }

  private var list: HTML {
    let none: HTML = search.isEmpty ? "No entries yet." : "No entry matches."
    let rows: HTML =
      entries.isEmpty
      ? "<p class=\"aside\">\(none)</p>"
      : "<ol class=\"entries\">\(entries.map { row($0) })</ol>"
    let download: HTML? = file.map {
      "<a class=\"file\" href=\"\($0)\" title=\"At most 100,000 entries\">CSV</a>"
    }
    return """
      <section class="card" aria-labelledby="entries">
      <div class="title"><h2 id="entries">Entries</h2>\(download)</div>
      \(rows)\(older)
      </section>
      """
  }

  private var older: HTML? {
    guard hasMore, let last = entries.last else { return nil }
    let query = search.query.with("before", String(last.id))
    return "<p><a class=\"button\" href=\"/audit\(query.text)\">Older entries</a></p>"
  }

  private func row(_ entry: AuditEntry) -> HTML {
    let sentence = AuditSentence(entry: entry, names: names, clock: clock)
    return """
      <li><time datetime="\(entry.at.rfc3339)">\(clock.short(entry.at))</time>\
      <div><p><a href="/audit\(byActor(entry))"><b>\(entry.actor)</b></a> \(sentence.html)</p>\
      \(entry.reason.map { "<p class=\"aside\">\(clock.inWords($0))</p>" as HTML })</div>

      """
  }

  /// Everything that the actor of `entry` did.
  private func byActor(_ entry: AuditEntry) -> String {
    guard let account = entry.account else { return Query().with("actor", entry.actor).text }
    return Query().with("account", String(account.rawValue)).text
  }
}

extension TeamClock {
  /// The text with its times, which are stored in UTC, in the time zone of the page.
  fileprivate func inWords(_ text: String) -> String {
    text.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/) { match in
      Instant(rfc3339: String(match.0)).map { short($0) } ?? String(match.0)
    }
  }
}
