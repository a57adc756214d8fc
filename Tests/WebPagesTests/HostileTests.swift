import GuardRules
import HTTPServing
import InsightOperations
import InstallationOperations
import ManagerCore
import NotificationOperations
import PeopleOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import Testing
import WebPages

/// Opens every page of the router, including pages that are added later.
@Suite("Hostile input") struct HostileTests {
  /// The paths of `method`, with existing numbers for the parameters.
  private static func paths(_ method: HTTPMethod, of server: PageServer) -> [String] {
    server.router.routes.filter { $0.method == method }.map { route in
      route.pattern.split(separator: "/", omittingEmptySubsequences: false).map { part in
        switch part {
        case "{employee}": "4"
        case "{date}": "2026-11-20"
        default: part.hasPrefix("{") ? "1" : String(part)
        }
      }.joined(separator: "/")
    }.filter { !$0.hasPrefix("/assets/") }
  }

  /// Stores the same text wherever an employee, a manager, a phone or a browser can leave one.
  private static func plant(_ text: String, in day: DemoDay) async throws {
    let (operations, employee) = (day.operations, EmployeeID(4))
    let boss = Principal(actor: AuditActor(name: text), role: .administrator)
    let shift = ShiftID(employee: employee, number: 1)
    try await day.note(text, 4)
    _ = try await operations.people.addTeam(name: text, timeZone: "UTC")
    _ = try await operations.reviews.giveOverride(
      to: employee, [.init(.denied)], reason: text, by: boss.actor)
    _ = try await operations.reviews.correct(
      shift, CorrectionRequest(startedAt: DemoDay.six + .minutes(301), reason: text),
      by: boss.actor)
    _ = try await operations.insight.noteTrackViews(of: [shift], by: boss, purpose: text)
    let tomorrow = day.now + .hours(24)
    _ = try await operations.people.planShift(
      employee, Interval(from: tomorrow, to: tomorrow + .hours(8)), by: boss)
    _ = try await operations.installation.setPrivacyNotice(text, by: boss)
    _ = try await operations.installation.createAPIToken(
      name: text, role: .administrator, validFor: .hours(1), by: boss)
    try await operations.people.setEmail(hostileAddress, of: employee)
    try await operations.notifications.addContact(hostileAddress, to: day.teams[0])
    if let center = Coordinate(latitude: 45.21, longitude: 13.62) {
      _ = try await operations.people.addSite(
        name: text, center: center, radiusMeters: 5_000, to: day.teams[0], by: boss)
    }
    let password = Password("a walk in the rain")
    _ = try await operations.installation.addAccount(
      email: "eve@example.org",
      AccountSettings(name: text, role: .administrator, teams: [:], employee: nil),
      password: password, by: boss)
    guard
      case .loggedIn = try await operations.installation.logIn(
        email: "eve@example.org", password: password,
        from: LoginOrigin(address: text, userAgent: text))
    else { throw NotPlanted() }
    for number in try await operations.reviews.clockActions(
      of: EmployeeID(5), awaitingOnly: false, limit: 9)
    {
      _ = try await operations.reviews.dismiss(
        clockAction: number.number, of: EmployeeID(5), reason: text, by: boss.actor)
    }
  }

  private struct NotPlanted: Error {}

  /// What passes as an e-mail address.
  private static let hostileAddress = "\"><img/src=x>@example.org"

  @Test("never becomes markup on any page") func markup() async throws {
    let people = [
      DemoDay.DemoEmployee(
        number: 4, name: hostile, team: 0, steps: [.clocksIn(300), .says(310, .denied)],
        model: hostile),
      DemoDay.DemoEmployee(number: 5, name: hostile, team: 0, steps: [.clocksIn(300, .denied)]),
    ]
    try await DemoDay.run(people) { day in
      try await Self.plant(hostile, in: day)
      let principal = Principal(actor: AuditActor(name: hostile), role: .administrator)
      let server = PageServer(
        day, principal: principal, boardEvents: "/v1/board/events", hasDownloads: true)
      let paths = Self.paths(.get, of: server)
      var shown = Set<String>()
      for path in paths {
        let (response, text) = try await server.get(path)
        #expect(response.status == 200 || response.status == 303, "\(path)")
        #expect(!text.contains("<img") && !text.contains("onerror=alert(1)>"), "\(path)")
        if text.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&gt;") { shown.insert(path) }
      }
      #expect(
        try await server.get("/settings/teams/1/contacts").1
          .contains("&quot;&gt;&lt;img/src=x&gt;@example.org"))
      // The text was shown, so the check above has seen it.
      let known: Set = [
        "/", "/audit", "/coverage", "/employees/4", "/employees/4/shifts/1", "/notifications",
        "/settings", "/settings/employees", "/employees/4/data", "/employees/4/erase",
        "/employees/4/devices", "/employees/4/shifts", "/employees/4/days/2026-11-20",
        "/settings/privacy-notice", "/settings/teams/1/sites",
      ]
      #expect(known.isSubset(of: shown), "\(known.subtracting(shown))")
    }
  }

  private static let keys = [
    "q", "name", "team", "employee", "from", "to", "state", "after", "before", "cursor", "limit",
    "next", "done", "erased", "published", "day", "action", "unknown",
  ]
  private static let values = [
    "%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", "-1", "99999999999999999999", "0001-01-01",
    "9999-12-31", "2026-02-30", "%E2%80%AE", "..%2F..%2F", "'%20OR%201%3D1--",
    "%0D%0ASet-Cookie:%20a=b",
  ]

  @Test("in an address never breaks a page or its headers") func addresses() async throws {
    let people = [DemoDay.DemoEmployee(number: 4, name: "Ana", team: 0, steps: [.clocksIn(300)])]
    try await withQuietServer(people) { server in
      for path in Self.paths(.get, of: server) {
        for key in Self.keys {
          for value in Self.values {
            let (response, text) = try await server.get("\(path)?\(key)=\(value)")
            #expect(response.status < 500, "\(path)?\(key)=\(value)")
            #expect(!text.contains("<img"), "\(path)?\(key)=\(value)")
            let written = response.headers.fields.filter { $0.value.contains { $0.isNewline } }
            #expect(written.isEmpty, "\(path)?\(key)=\(value)")
          }
        }
      }
    }
  }

  @Test("in a form of another site has no effect on any page") func forms() async throws {
    try await withQuietServer([DemoDay.DemoEmployee(number: 4, name: "Ana", team: 0, steps: [])]) {
      server in
      let paths = Self.paths(.post, of: server)
      #expect(paths.count >= 10, "\(paths)")
      for path in paths {
        for origin in ["cross-site", "same-site", "none", nil] as [String?] {
          let (response, _) = try await server.post(path, "name=Eve&team=1", site: origin)
          #expect(response.status == 403, "\(path) \(origin ?? "-")")
        }
      }
      let people = try await server.day.operations.people.employees(limit: 9)
      #expect(people.map(\.name) == ["Ana"])
    }
  }
}
