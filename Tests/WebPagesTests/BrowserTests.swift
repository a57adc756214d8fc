import CivilTime
import GuardRules
import Guidance
import HTTPAPI
import HTTPServing
import InstallationOperations
import Lifecycle
import ManagerCore
import NotificationOperations
import PeopleOperations
import PolicyOperations
import ReadModels
import ReviewOperations
import ShiftDomain
import TestKit
import Testing
import WebPages

@Suite("Pages in a browser", .serialized) struct BrowserTests {
  @Test("are usable on phone and desktop, in light and dark mode, by sight and by keyboard")
  func sound() async throws {
    try await DemoDay.run(DemoDay.week) { day in
      try await day.detect([(7, 5_601), (14, 12), (14, 7), (8, 9), (22, 31), (16, 8), (7, nil)])
      let (principal, session) = try await signedIn(of: day)
      for hour in [Int64(25), 49, 88] {
        let start = DemoDay.six + .hours(hour)
        _ = try await day.operations.people.planShift(
          EmployeeID(11), Interval(from: start, to: start + .hours(8)), by: principal)
      }
      // A second clock-in that waits, so that several can be selected.
      try await day.perform(.clocksIn(1, .denied), 12)
      try await day.fillAuditLog(reason: String(repeating: "without-a-space-", count: 9))
      try await day.operations.notifications.addContact(
        "shift.leader@harbour.example.com", language: .polish, to: day.teams[0])
      try await day.operations.notifications.addContact(
        "https://hooks.harbour.example.com/services/T024BE7LD/B024BE7LH/s3cret", by: .webhook,
        to: day.teams[0])
      try await day.addDepot()
      for text in ["During shifts we store where your phone is.\n\nAsk us.", "During shifts only."]
      {
        _ = try await day.operations.installation.setPrivacyNotice(text, by: principal)
      }
      let rehearsal = try await day.operations.policies.beginRehearsal(by: principal).get()
      let approval = try await approved(day, by: principal)
      let server = PageServer(day, principal: principal, session: session, hasDownloads: true)
      try await server.serve { address in
        for paths in Self.pages(rehearsal.employee.employee) + [approval] {
          let faults = try await Browser.run("look", address, Browser.pictures, paths)
          #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
        }
      }
    }
  }

  /// Pages by name, in parts: a script has a limited time for each.
  private static func pages(_ practice: EmployeeID) -> [String] {
    [
      """
      {"board": "/", "nobody": "/?q=nobody", "reviews": "/reviews",
       "shift": "/employees/14/shifts/5", "open-shift": "/employees/7/shifts/5",
       "employee": "/employees/11", "tracked-employee": "/employees/8",
       "day": "/employees/14/days/2026-11-20", "map": "/map",
       "coverage": "/coverage?from=2026-11-14", "notifications": "/notifications"}
      """,
      """
      {"settings": "/settings", "audit": "/audit", "audit-choice": "/audit?employee=an",
       "policy": "/settings/teams/1",
       "coverage-day": "/coverage?team=2&from=2026-11-20", "statistics": "/statistics",
       "employees": "/settings/employees", "employee-shifts": "/employees/7/shifts",
       "employee-devices": "/employees/7/devices", "phone": "/employees/7/devices/1",
       "employee-data": "/employees/7/data",
       "planned-shifts": "/settings/planned-shifts", "plan": "/plan?team=1&day=2026-11-21",
       "plan-editor": "/plan/11/2026-11-21", "retention": "/settings/retention"}
      """,
      """
      {"teams": "/settings/teams", "team": "/settings/teams/1/edit",
       "accounts": "/settings/accounts", "account-settings": "/settings/accounts/2",
       "contacts": "/settings/teams/1/contacts", "digest": "/settings/teams/1/digest",
       "no-contacts": "/settings/teams/2/contacts",
       "sites": "/settings/teams/1/sites", "site": "/settings/teams/1/sites?site=1",
       "channels": "/settings/channels", "quarantine": "/settings/quarantine",
       "tokens": "/settings/tokens", "account": "/account",
       "time-sheets": "/time-sheets?team=2", "payroll": "/settings/payroll",
       "rehearsals": "/settings/rehearsals",
       "rehearsal": "/settings/rehearsals/\(practice.rawValue)",
       "erasure": "/employees/7/erase", "privacy-notice": "/settings/privacy-notice",
       "privacy-report": "/settings/privacy-report?language=de",
       "hand-out": "/settings/hand-out?team=2&language=fr"}
      """,
    ]
  }

  /// Approves the shifts of the second team, whose paid time is rounded.
  /// - Returns: The page that asks before they are reopened.
  private func approved(_ day: DemoDay, by principal: Principal) async throws -> String {
    _ = try await day.operations.people.changeTeam(
      day.teams[1], TeamChange(rounding: .nearest15), by: principal
    ).get()
    let from = try #require(CivilDate("2026-11-01"))
    let period = PayPeriod(from: from, to: try #require(CivilDate("2026-11-30")))
    let reviews = day.operations.reviews
    let sheet = try await reviews.timeSheet(
      for: principal, period, team: day.teams[1], state: .ready)
    let outcomes = try await reviews.approve(
      sheet.lines.flatMap(\.entries).map(\.times).map {
        SeenTimes(shift: $0.shift, revision: $0.revision)
      }, by: principal)
    let at = try #require(outcomes.compactMap(\.approval).first).at.milliseconds
    let query = "from=2026-11-01&to=2026-11-30&by=Mira%20Lon%C4%8Dar&at=\(at)"
    return #"{"reopening": "/time-sheets/reopen?\#(query)"}"#
  }

  /// Mira with an account and two sessions, a manager, and an API token.
  private func signedIn(of day: DemoDay) async throws -> (Principal, SessionID) {
    let operations = day.operations
    let password = Password("correct horse battery")
    _ = try await operations.installation.addAccount(
      email: "mira@example.com", AccountSettings(name: "Mira Lončar", role: .administrator),
      password: password, by: PageServer.principal)
    _ = try await operations.installation.addAccount(
      email: "mate.matic@harbour.example.com",
      AccountSettings(
        name: "Mate Matić-Zanetti", role: .manager,
        teams: [day.teams[0]: .all, day.teams[1]: .coverage], employee: EmployeeID(17)),
      password: password, by: PageServer.principal)
    _ = try await operations.installation.createAPIToken(
      name: "Payroll", role: .manager, teams: [day.teams[0]: .coverage], validFor: .hours(24))
    day.wait(.minutes(-90))
    let phone = try await operations.installation.logIn(
      email: "mira@example.com", password: password,
      from: LoginOrigin(
        address: "2001:db8::17", userAgent: "Mozilla/5.0 (iPhone) Version/26.0 Safari/604.1"))
    day.wait(.minutes(90))
    let controller = try await operations.installation.logIn(
      email: "mira@example.com", password: password,
      from: LoginOrigin(
        address: "192.0.2.17", userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"))
    guard case .loggedIn = phone, case .loggedIn(let session) = controller else {
      throw TestDatabaseError("Mira cannot log in")
    }
    return (session.principal, session.session)
  }

  @Test("an open board shows a phone's report at once, without being loaded again")
  func live() async throws {
    try await DemoDay.run { day in
      let (events, source) = AsyncStream.makeStream(of: [UInt8].self)
      let stream = Lock<AsyncStream<[UInt8]>?>(events)
      let server = PageServer(
        day, boardEvents: "/test/events",
        others: [
          Route(.get, "/test/events") { _ in
            let events = stream.withLock { $0.take() }
            return HTTPResponse(
              headers: ["Content-Type": "text/event-stream"],
              body: events.map { .stream($0) } ?? .bytes([]))
          },
          Route(.post, "/test/deny", deadline: TestDatabase.patience) { _ in
            try? await day.perform(.says(0, .denied), 1)
            source.yield(Array("event: changed\ndata: [1]\n\n".utf8))
            return .text("done")
          },
          Route(.post, "/test/block", deadline: TestDatabase.patience) { _ in
            try? await day.perform(.clocksIn(1, .denied), 12)
            source.yield(Array("event: changed\ndata: [12]\n\n".utf8))
            return .text("done")
          },
          Route(.post, "/test/cut", deadline: TestDatabase.patience) { _ in
            source.finish()
            return .text("done")
          },
        ])
      try await server.serve { address in
        let faults = try await Browser.run("live", address)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
      source.finish()
    }
  }

  // R: M4
  @Test("a team's contacts are two clicks from the board, and are added, tested and removed there")
  func contacts() async throws {
    try await DemoDay.run { day in
      let (principal, session) = try await signedIn(of: day)
      try await PageServer(day, principal: principal, session: session).serve { address in
        let faults = try await Browser.run("contacts", address)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
    }
  }

  // R: M4
  @Test(
    "alerts are switched on with two clicks from the board, shown, and open the employee's page")
  func alerts() async throws {
    try await DemoDay.run { day in
      let (principal, session) = try await signedIn(of: day)
      try await PageServer(day, principal: principal, session: session).serve { address in
        let faults = try await Browser.run("alerts", address)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
      let account = try #require(principal.account)
      let left = try await day.operations.notifications.browsers(of: account)
      #expect(left.isEmpty)
    }
  }

  @Test("each job of a manager and an administrator takes few clicks")
  func jobs() async throws {
    try await DemoDay.run { day in
      _ = try await day.operations.people.changeEmployee(EmployeeID(7), by: PageServer.principal) {
        $0.phoneNumber = "+385 91 123 4567"
      }.get()
      try await PageServer(day, hasDownloads: true).serve { address in
        let faults = try await Browser.run("jobs", address)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
      #expect(try await day.pool.rows(of: 13) == [:])
    }
  }

  @Test("a policy is saved as its form showed it, also after another preset was chosen")
  func policy() async throws {
    try await DemoDay.run { day in
      try await PageServer(day).serve { address in
        let faults = try await Browser.run("policy", address)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
    }
  }

  @Test("the QR code for a phone is readable by a camera, in light and dark mode")
  func code() async throws {
    try await DemoDay.run { day in
      try await PageServer(day).serve { address in
        let faults = try await Browser.run("qr", address, "/employees/7/devices", Browser.pictures)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
    }
  }

  @Test("an account logs in with its password, stays logged in, and logs out")
  func login() async throws {
    try await DemoDay.run { day in
      let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)
      _ = try await day.operations.installation.addAccount(
        email: "mate@example.com",
        AccountSettings(name: "Mate <b>", role: .manager, teams: [day.teams[1]: .coverage]),
        password: Password("a walk in the rain"), by: boss)
      let settings = PageSettings(authenticatingBy: day.operations.manager, now: { day.now })
      try await PageServer(day, settings).serve { address in
        let faults = try await Browser.run("login", address)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
    }
  }
}
