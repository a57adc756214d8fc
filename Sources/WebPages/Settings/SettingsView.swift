import Guidance
import HTTPAPI
import InstallationOperations
import ManagerCore
import ReadModels
import ShiftDomain

extension PageController {
  /// Teams and their policies, and the ways to everything else that is set up.
  var settingsRoute: AccessRoute {
    page("/settings", .listing(.coverage)) { _, principal in
      let teams = try await teams(for: principal)
      let mayAdminister = principal.role == .administrator
      var view = SettingsView(teams: teams, mayAdminister: mayAdminister)
      if mayAdminister {
        view.hasPrivacyNotice = try await operations.installation.privacyNotice() != nil
        view.backup = try await backupFault()
      }
      return .page(view.page)
    }
  }

  /// What is wrong with the last backup; `nil`: nothing, or this installation records none.
  private func backupFault() async throws -> HTML? {
    guard settings.backupAgeMax > .zero else { return nil }
    let age = try await operations.installation.backups(limit: 1).first.map {
      settings.now() - $0.finishedAt
    }
    guard let age else { return "No backup of the database is recorded." }
    return age > settings.backupAgeMax
      ? "The last backup of the database was finished \(age.roughly) ago." : nil
  }
}

struct SettingsView: Sendable {
  var teams: [TeamRow]
  var mayAdminister: Bool
  var hasPrivacyNotice = true
  /// What is wrong with the last backup.
  var backup: HTML?

  var page: Page {
    let rows = teams.map { row -> HTML in
      """
      <tr><th scope="row"><a href="/settings/teams/\(row.team.rawValue)">\(row.name)</a>\
      <td class="number">\(row.employees)<td>\(row.timeZone)\
      <td>\(row.preset.name)\(", changed", if: row.isChanged), version \(row.policyVersion)\
      <td><a href="/settings/teams/\(row.team.rawValue)/contacts" \
      aria-label="Contacts of \(row.name)">Contacts</a> \
      <a href="/settings/teams/\(row.team.rawValue)/sites" \
      aria-label="Sites of \(row.name)">Sites</a>\
      \("<p class=\"aside\">No contact: no manager is notified</p>", if: !row.hasContact)

      """
    }
    let none: HTML = """
      <p class="aside">No teams yet.\
      \(" <a href=\"/settings/teams\">Add a team</a> first.", if: mayAdminister)</p>
      """
    let table: HTML = """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="teams">
      <table class="teams"><thead><tr><th scope="col">Team\
      <th scope="col" class="number">Employees<th scope="col">Time zone\
      <th scope="col">Policy<th scope="col">More</thead>\(rows)</table></div>
      """
    return Page(
      "Settings", in: .settings, line: "<p>Teams and their policies</p>",
      """
      \(mayAdminister ? attention : nil)
      <section class="card" aria-labelledby="teams"><h2 id="teams">Teams</h2>
      \(teams.isEmpty ? none : table)</section>
      <section class="card" aria-labelledby="more"><h2 id="more">More</h2>
      <ul class="ways">\(mayAdminister ? administration : [])
      <li><a href="/statistics">System performance</a>\
      <p>Detection times and goals</p></ul></section>
      """)
  }

  /// The same warnings as those of `guardctl doctor`.
  private var attention: HTML? {
    let silent = teams.filter { $0.employees > 0 && !$0.hasContact }
    let warnings: [HTML?] = [
      hasPrivacyNotice
        ? nil
        : """
        <li>There is no <a href="/settings/privacy-notice">privacy notice</a>: employees enrol \
        without reading one.
        """,
      silent.isEmpty
        ? nil
        : """
        <li>No manager is notified about \(silent.map { contacts(of: $0) }.joined(by: ", ")): add \
        a contact.
        """,
      backup.map { "<li>\($0) The operator finds more with <code>guardctl doctor</code>." },
    ]
    let shown = warnings.compactMap { $0 }
    guard !shown.isEmpty else { return nil }
    return """
      <section class="card urgent" aria-labelledby="attention">\
      <h2 id="attention">Needs attention</h2><ul class="items">\(shown)</ul></section>
      """
  }

  private func contacts(of row: TeamRow) -> HTML {
    "<a href=\"/settings/teams/\(row.team.rawValue)/contacts\">\(row.name)</a>"
  }

  private var missingNotice: HTML { "None yet: employees enrol without reading one" }

  private var administration: [HTML] {
    [
      """
      <li><a href="/settings/employees">Employees</a>\
      <p>Add, import and find employees</p>
      """,
      """
      <li><a href="/settings/teams">Teams</a><p>Names, time zones and how time is paid</p>
      """,
      """
      <li><a href="/settings/planned-shifts">Planned shifts</a><p>Import from CSV</p>
      """,
      """
      <li><a href="/settings/accounts">Accounts</a><p>Who can log in, and what they can see</p>
      """,
      """
      <li><a href="/settings/tokens">API tokens</a><p>Credentials for API clients</p>
      """,
      """
      <li><a href="/settings/payroll">Payroll</a><p>Pay period and columns of time sheets</p>
      """,
      """
      <li><a href="/settings/rehearsals">Rehearsal</a>\
      <p>Try a working day with your own phone, in minutes</p>
      """,
      """
      <li><a href="/settings/channels">Channels</a>\
      <p>Whether push messages, e-mails and webhooks are delivered</p>
      """,
      """
      <li><a href="/settings/quarantine">Quarantine</a>\
      <p>Messages of apps from a store that could not be read</p>
      """,
      """
      <li><a href="/settings/retention">Data retention</a>\
      <p>How long data is kept</p>
      """,
      """
      <li><a href="/settings/privacy-notice">Privacy notice</a>\
      <p>\(hasPrivacyNotice ? "The text that employees confirm to have read" : missingNotice)</p>
      """,
      """
      <li><a href="/settings/privacy-report">Report for a works council</a>\
      <p>What is recorded, why, who sees it, how long; in four languages</p>
      """,
      """
      <li><a href="/settings/hand-out">Hand-out for employees</a>\
      <p>One page to print: connect, allow, colours, whom to ask</p>
      """,
    ]
  }
}
