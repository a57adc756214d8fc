import HTTPAPI
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

struct AuditView: Sendable {
  var clock: TeamClock
  var names: [EmployeeID: String]
  /// The newest first.
  var entries: [AuditEntry]
  /// The page of older entries; `nil`: there are none.
  var older: String?

  var page: Page {
    let none: HTML = "<p class=\"aside\">No entries yet.</p>"
    let next: HTML? = older.map { "<p><a class=\"button\" href=\"\($0)\">Older entries</a></p>" }
    return Page(
      title: "Audit log", section: .audit,
      content: """
        \(head.html)
        <section class="card" aria-label="Entries">
        \(entries.isEmpty ? none : table)\(next)
        </section>
        """)
  }

  private var head: PageHead {
    PageHead(
      title: "Audit log", line: "<p>Who viewed locations and who changed access</p>")
  }

  private var table: HTML {
    """
    <div class="scroll all" tabindex="0" role="group" aria-label="Entries">
    <table><thead><tr><th scope="col">Time<th scope="col">Actor<th scope="col">Action\
    <th scope="col">Subject<th scope="col">Reason</thead>\(entries.map { line($0) })</table></div>
    """
  }

  private func line(_ entry: AuditEntry) -> HTML {
    let about: HTML =
      if let employee = entry.employee {
        """
        <a href="/employees/\(employee.rawValue)">\
        \(names[employee] ?? "Employee \(employee.rawValue)")</a>\
        \(entry.shift.map { ", shift \($0)" as HTML })
        """
      } else {
        "\(entry.target.map { "number \($0)" as HTML })"
      }
    return """
      <tr><td>\(clock.short(entry.at))<td>\(entry.actor)<td>\(entry.action.name)<td>\(about)\
      <td>\(entry.reason)

      """
  }
}

extension AuditAction {
  var name: HTML {
    switch self {
    case .trackViewed: "Opened the track"
    case .trackExported: "Exported the track"
    case .loggedIn: "Logged in"
    case .loggedOut: "Logged out"
    case .sessionRevoked: "Ended a session"
    case .passwordChanged: "Changed their own password"
    case .passwordReset: "Reset another account’s password"
    case .accountAdded: "Added an account"
    case .accountChanged: "Changed an account"
    case .accountDisabled: "Disabled an account"
    case .accountEnabled: "Enabled an account"
    case .tokenCreated: "Created an API token"
    case .tokenRevoked: "Revoked an API token"
    case .employeeAdded: "Added an employee"
    case .employeeChanged: "Changed an employee"
    case .employeesImported: "Imported employees"
    case .deviceRevoked: "Revoked a phone"
    case .enrolmentCodeCreated: "Created an enrolment code"
    case .teamAdded: "Added a team"
    case .teamChanged: "Changed a team"
    case .employeeExported: "Exported an employee’s data"
    case .employeeErased: "Erased an employee"
    case .retentionChanged: "Changed the data retention"
    case .privacyNoticeChanged: "Changed the privacy notice"
    case .policyChanged: "Changed a team’s policy"
    case .shiftOpened: "Opened a shift for an employee"
    case .timesAccepted: "Accepted the times of a shift"
    case .contactAdded: "Added a contact of a team"
    case .contactRemoved: "Removed a contact of a team"
    case .contactTested: "Sent a test to a contact of a team"
    }
  }
}

extension PageController {
  private static let entriesMax = 100

  var auditRoutes: [AccessRoute] {
    [
      page("/audit", .administrator) { request, _ in
        var before: Int64?
        if let text = request.queryValue("before") {
          guard let id = Int64(text), id > 0 else { throw PageNotFound() }
          before = id
        }
        let entries = try await operations.auditEntries(
          about: nil, before: before, limit: Self.entriesMax)
        var names: [EmployeeID: String] = [:]
        for row in try await operations.employees(team: nil) { names[row.employee] = row.name }
        let zone = try await operations.teams().first?.timeZone ?? "UTC"
        return .page(
          AuditView(
            clock: try TeamClock(zone: zone, now: settings.now()), names: names, entries: entries,
            older: entries.count == Self.entriesMax
              ? entries.last.map { "/audit?before=\($0.id)" } : nil
          ).page)
      }
    ]
  }
}
