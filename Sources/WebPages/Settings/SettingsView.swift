import HTTPAPI
import InstallationOperations
import ManagerCore
import PeopleOperations
import ReadModels
import ShiftDomain

extension PageController {
  /// Teams and their policies, and the ways to everything else that is set up.
  var settingsRoute: AccessRoute {
    page("/settings", .listing(.coverage)) { _, principal in
      let teams = try await operations.people.teams().filter {
        principal.may(.coverage, of: $0.team)
      }
      let mayAdminister = principal.role == .administrator
      let notice = mayAdminister ? try await operations.installation.privacyNotice() : nil
      return .page(
        SettingsView(
          teams: teams, mayAdminister: mayAdminister, hasPrivacyNotice: notice != nil
        ).page)
    }
  }
}

struct SettingsView: Sendable {
  var teams: [TeamRow]
  var mayAdminister: Bool
  var hasPrivacyNotice: Bool

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
      title: "Settings", section: .settings,
      content: """
        \(head.html)
        <section class="card" aria-labelledby="teams"><h2 id="teams">Teams</h2>
        \(teams.isEmpty ? none : table)</section>
        <section class="card" aria-labelledby="more"><h2 id="more">More</h2>
        <ul class="ways">\(mayAdminister ? administration : [])
        <li><a href="/statistics">System performance</a>\
        <p>Detection times and goals</p></ul></section>
        """)
  }

  private var missingNotice: HTML { "None yet: employees enrol without reading one" }

  private var head: PageHead {
    PageHead(
      title: "Settings", line: "<p>Teams and their policies</p>")
  }

  private var administration: [HTML] {
    [
      """
      <li><a href="/settings/employees">Employees</a>\
      <p>Add, import and find employees</p>
      """,
      """
      <li><a href="/settings/teams">Teams</a><p>Names and time zones</p>
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
    ]
  }
}
