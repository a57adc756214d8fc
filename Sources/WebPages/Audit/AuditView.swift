import APIMessages
import ShiftDomain
import ShiftOperations

/// The log of who looked at what and changed what.
struct AuditView: Sendable {
  var clock: TeamClock
  var names: [EmployeeID: String]
  /// The newest first.
  var entries: [AuditEntry]
  /// Where older ones are to be read; `nil`: there are none.
  var older: String?

  var page: Page {
    let none: HTML = "<p class=\"aside\">Nothing is written down yet.</p>"
    let next: HTML? = older.map { "<p><a class=\"button\" href=\"\($0)\">Older</a></p>" }
    return Page(
      title: "Log", section: .audit,
      content: """
        \(head.html)
        <section class="card" aria-label="Entries">
        \(entries.isEmpty ? none : table)\(next)
        </section>
        """)
  }

  private var head: PageHead {
    PageHead(
      title: "Log", line: "<p>Who looked at where somebody was, and who changed who may</p>")
  }

  private var table: HTML {
    """
    <div class="scroll all" tabindex="0" role="group" aria-label="Entries">
    <table><thead><tr><th scope="col">When<th scope="col">Who<th scope="col">What\
    <th scope="col">About<th scope="col">For</thead>\(entries.map { line($0) })</table></div>
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
    case .trackExported: "Took a copy of the track"
    case .loggedIn: "Logged in"
    case .loggedOut: "Logged out"
    case .sessionRevoked: "Ended a session"
    case .passwordChanged: "Changed their own password"
    case .passwordReset: "Set another’s password"
    case .accountAdded: "Added an account"
    case .accountChanged: "Changed an account"
    case .accountDisabled: "Disabled an account"
    case .accountEnabled: "Enabled an account"
    case .tokenMade: "Made an access token"
    case .tokenRevoked: "Revoked an access token"
    case .employeeAdded: "Added an employee"
    case .employeeChanged: "Changed an employee"
    case .employeesImported: "Read employees from a file"
    case .deviceRevoked: "Revoked a phone"
    case .enrolmentCodeMade: "Made a code to enrol a phone"
    case .teamAdded: "Added a team"
    case .teamChanged: "Changed a team"
    case .employeeExported: "Copied all that is kept"
    case .employeeErased: "Erased an employee"
    case .retentionChanged: "Changed how long things are kept"
    case .noticeChanged: "Changed the notice"
    case .policyChanged: "Changed a team’s policy"
    }
  }
}

extension PageDesk {
  private static let entriesMax = 100

  /// The log, for administrators.
  var auditRoutes: [Route] {
    [
      page("/audit") { request, _ in
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
