import DeviceAPI
import DeviceOperations
import GuardRules
import HTTPAPI
import HTTPServing
import InstallationOperations
import ManagerAccess
import NotificationOperations
import PeopleOperations
import PolicyOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestPrograms
import Testing

@testable import ManagerAPI

/// Somebody who sends a request, and what should become of them.
private struct Walker {
  enum Kind: Hashable {
    case nobody, phone
    /// An account or a token; a manager's rights by team.
    case manager(AccessRole, [Int32: TeamRights], hasSession: Bool)
  }

  let name: String
  let kind: Kind
  let headers: HTTPHeaders
}

/// What a request comes to, as far as access goes.
private enum Answer: Hashable {
  case unauthorized, forbidden
  /// The same 404 as for an unknown employee or team.
  case hidden
  /// 404 in other words.
  case missing
  case letIn
}

/// Every route, page and form × everybody × whose it is. // R: W11
@Suite("Who may do what") struct AccessWalkTests {
  private static let teamOf: [Int32: Int32] = [7: 1, 8: 2]

  @Test("is what each route declares, for every route, role and ownership")
  func walk() async throws {
    try await TwoTeamsWorld.run { all in
      // Everything that is described, and every page: it is walked by the tables that serve it.
      let names = Set(all.routes.map(\.name))
      let machines = machineRoutes(version: "1", troubles: { [] }, metrics: { "" }).map(\.name)
      #expect(
        names.filter { $0.contains(" /v1/") && !$0.hasSuffix("/") }
          == (try OpenAPITests().described()).subtracting(machines))
      var (admitted, refused): (Set<String>, Set<String>) = ([], [])
      for served in all.routes.sorted(by: { $0.name < $1.name }) {
        let (route, access) = (served.name, served.access)
        // What a walker does may end their session, so everybody logs in for each route.
        for walker in try await walkers(all) {
          for employee in access.dependsOnWhose ? [Int32(7), 8, 99] : [7] {
            let path = try await path(of: route, employee, walker, all)
            let fate = try await fate(of: walker, route, path, employee, all)
            let wanted = wanted(access, walker.kind, employee, isPage: !route.contains(" /v1/"))
            if fate == .letIn { admitted.insert(route) } else { refused.insert(route) }
            // Who may see everybody is told by the use case who is not there, if it asks at all.
            let isNotified = employee == 99 && wanted == .letIn && fate == .hidden
            #expect(fate == wanted || isNotified, "\(walker.name): \(route) of \(employee)")
          }
        }
      }
      // Each route lets somebody in, and somebody not.
      #expect(admitted == names)
      #expect(
        names.subtracting(refused) == Set(all.routes.filter { $0.access == .anybody }.map(\.name)))
    }
  }

  @Test("is declared by each audience for itself: no route for managers is for phones")
  func audiences() throws {
    let pool = Pool(try ConnectionConfiguration("host=/nonexistent"), size: 1, waitersMax: 0)
    let now: @Sendable () -> Instant = { Instant(milliseconds: 0) }
    let operations = TestOperations(pool: pool, now: now)
    for route in managerRoutes(operations.manager, now: now) {
      #expect(route.access != .device, "\(route.name)")
    }
    for route in deviceRoutes(operations.device, now: now) {
      let isOpen = route.name == "POST /v1/enrolments"
      #expect(route.access == (isOpen ? .anybody : .device), "\(route.name)")
    }
  }

  private static func controller() throws -> ManagerController {
    let pool = Pool(try ConnectionConfiguration("host=/nonexistent"), size: 1, waitersMax: 0)
    let operations = TestOperations(pool: pool, now: { Instant(milliseconds: 0) }).manager
    return ManagerController(
      operations: operations, observer: RouteObserver(),
      authenticator: Authenticator(operations),
      boards: BoardStreams(operations: operations, monitor: .unread))
  }

  @Test("is a manager's where they are let in: no program with another route starts")
  func notForManagers() async {
    await #expect(processExitsWith: .failure) {
      expectCrash()
      _ = try Self.controller().route(.get, "/v1/nowhere", .anybody) { _, _ in HTTPResponse() }
    }
    await #expect(processExitsWith: .failure) {
      expectCrash()
      _ = try Self.controller().route(.get, "/v1/nowhere", .device) { _, _ in HTTPResponse() }
    }
  }

  @Test("is what a listing shows")
  func listings() async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("north", teams: [1: .coverage])
      try await all.hire("south", teams: [2: .all])
      try await all.hire("neither", teams: [1: .track])
      for (name, sees) in [("north", [7]), ("south", [8]), ("neither", [])] {
        let page = try await all.page(of: name)
        for path in ["/v1/board", "/v1/clock-actions"] {
          let text = try await all.send(.get, path, "", page).text
          for employee in [7, 8] {
            let isThere = text.contains(#""employee":\#(employee)"#)
            #expect(isThere == sees.contains(employee), "\(name) \(path) \(text)")
          }
        }
      }
    }
  }

  // MARK: What should be

  /// - Parameter isPage: A page sends to log in who would need a session, and hides what only
  ///   administrators may.
  private func wanted(
    _ access: Access, _ kind: Walker.Kind, _ employee: Int32, isPage: Bool
  ) -> Answer {
    if access == .anybody { return .letIn }
    if access == .device { return kind == .phone ? .letIn : .unauthorized }
    guard case .manager(let role, let teams, let hasSession) = kind else { return .unauthorized }
    let seen = Self.teamOf[employee].flatMap { teams[$0] }
    switch access {
    case .anybody, .device, .anyManager: return .letIn
    case .account: return hasSession ? .letIn : isPage ? .unauthorized : .forbidden
    case .administrator:
      return role == .administrator ? .letIn : isPage ? .hidden : .forbidden
    case .listing(let rights):
      // Asked for this employee.
      let isTheirs = role == .administrator || seen?.isSuperset(of: rights) == true
      return isTheirs ? .letIn : .hidden
    case .employee(let rights), .team(let rights):
      guard role == .manager else { return .letIn }
      return seen?.isSuperset(of: rights) == true ? .letIn : .hidden
    }
  }

  // MARK: What is

  private func walkers(_ all: TwoTeamsWorld) async throws -> [Walker] {
    let both: [Int32: TeamRights] = [1: .all]
    let workers: [(String, AccessRole, [Int32: TeamRights])] = [
      ("boss", .administrator, [:]), ("own", .manager, both), ("other", .manager, [2: .all]),
      ("coverage", .manager, [1: .coverage]), ("track", .manager, [1: .track]),
      ("none", .manager, [:]),
    ]
    var walkers = [
      Walker(name: "nobody", kind: .nobody, headers: [:]),
      Walker(
        name: "phone", kind: .phone,
        headers: ["Authorization": "Bearer \(all.phones[7] ?? "")"]),
    ]
    let hired = Set(try await all.operations.installation.accounts().map(\.settings.name))
    for (name, role, teams) in workers {
      if !hired.contains(name) { try await all.hire(name, role, teams: teams) }
      walkers.append(
        Walker(
          name: name, kind: .manager(role, teams, hasSession: true),
          headers: try await all.page(of: name)))
      // A token of a manager has a team.
      guard role == .administrator || !teams.isEmpty else { continue }
      let token = try await makeToken(role, teams, all)
      walkers.append(
        Walker(
          name: "\(name)'s token", kind: .manager(role, teams, hasSession: false),
          headers: ["Authorization": "Bearer \(token.token)"]))
    }
    return try await walkers + shutOut(all, isFirst: hired.isEmpty)
  }

  /// Those who were somebody once.
  private func shutOut(_ all: TwoTeamsWorld, isFirst: Bool) async throws -> [Walker] {
    let token = try await makeToken(.administrator, [:], all)
    try await all.operations.installation.revokeAPIToken(token.number)
    let old = try await makeToken(.administrator, [:], all, for: .milliseconds(1))
    let gone = try await all.page(of: "boss")
    _ = try await all.send(.delete, "/v1/sessions/current", "", gone)
    if isFirst { try await all.hire("disabled", .administrator) }
    let account = try #require(
      try await all.operations.installation.accounts().first { $0.settings.name == "disabled" }?
        .account)
    _ = try await all.operations.installation.setAccount(account, isDisabled: false, by: all.boss)
    let disabled = try await all.page(of: "disabled")
    _ = try await all.operations.installation.setAccount(account, isDisabled: true, by: all.boss)
    all.wait(.milliseconds(1))
    return [
      Walker(name: "revoked", kind: .nobody, headers: ["Authorization": "Bearer \(token.token)"]),
      Walker(name: "expired", kind: .nobody, headers: ["Authorization": "Bearer \(old.token)"]),
      Walker(name: "logged out", kind: .nobody, headers: gone),
      Walker(name: "disabled", kind: .nobody, headers: disabled),
    ]
  }

  private func makeToken(
    _ role: AccessRole, _ teams: [Int32: TeamRights], _ all: TwoTeamsWorld,
    for span: TimeSpan = .hours(1)
  ) async throws -> NewAPIToken {
    try await all.operations.installation.createAPIToken(
      name: "t", role: role,
      teams: Dictionary(uniqueKeysWithValues: teams.map { (TeamID($0), $1) }), validFor: span)
  }

  /// The route's path, to what `employee` or their team has.
  private func path(
    of route: String, _ employee: Int32, _ walker: Walker, _ all: TwoTeamsWorld
  ) async throws -> String {
    var path = String(route.drop { $0 != " " }.dropFirst())
    if path.hasPrefix("/settings/rehearsals/{employee}") {
      path = path.replacing("{employee}", with: "\(try await practiceEmployee(all).rawValue)")
    }
    let team = Self.teamOf[employee] ?? 99
    path = path.replacing("{employee}", with: "\(employee)").replacing("{team}", with: "\(team)")
    path = path.replacing("{date}", with: "2026-11-20")
    if path.contains("{session}") {
      var account: AccountID?
      if case .manager = walker.kind, walker.headers["Cookie"] != nil {
        account = try await all.operations.installation.accounts().first {
          $0.settings.name == walker.name
        }?.account
        _ = try await all.page(of: walker.name)
      }
      let sessions = try await all.operations.installation.sessions(of: account)
      path = path.replacing("{session}", with: "\(sessions.first?.session.rawValue ?? 1)")
    }
    if path.contains("{device}"), employee != 99 {
      let phone = try await TestPhone.enrolled(
        in: all, employee: employee, NewDevice(platform: .ios))
      path = path.replacing("{device}", with: "\(phone.device.number)")
    }
    if path.contains("{account}") {
      // Nobody's of those who walk.
      let accounts = try await all.operations.installation.accounts()
      let spare = accounts.first { $0.settings.name == "spare" }?.account
      let account = if let spare { spare } else { try await all.hire("spare") }
      path = path.replacing("{account}", with: "\(account.rawValue)")
    }
    if path.contains("{token}") {
      let token = try await makeToken(.manager, [1: .coverage], all)
      path = path.replacing("{token}", with: "\(token.number)")
    }
    if path.hasSuffix("/planned-policy") {
      _ = try await all.operations.policies.planPolicy(
        of: TeamID(team), PolicyChanges(preset: .strict), validFrom: all.now + .hours(1),
        by: all.boss)
    }
    if path.contains("{contact}"), employee != 99 {
      path = try await withContact(path, of: TeamID(team), all)
    }
    if path.contains("{site}"), employee != 99 {
      path = try await withSite(path, of: TeamID(team), all)
    }
    return narrowed(path.replacing(#/\{[a-zA-Z]+\}/#, with: "1"), to: employee, of: team)
  }

  private func practiceEmployee(_ all: TwoTeamsWorld) async throws -> EmployeeID {
    let manager = all.operations.manager
    if try await manager.policies.rehearsals().isEmpty {
      _ = try await manager.policies.beginRehearsal(by: all.boss).get()
    }
    return try #require(try await manager.policies.rehearsals().first).employee.employee
  }

  /// The path to a site of `team`.
  private func withSite(_ path: String, of team: TeamID, _ all: TwoTeamsWorld) async throws
    -> String
  {
    let manager = all.operations.manager
    if try await manager.people.sites(of: team).isEmpty {
      let center = try #require(Coordinate(latitude: 45.3, longitude: 13.7))
      _ = try await manager.people.addSite(
        name: "Depot", center: center, radiusMeters: 200, to: team, by: all.boss)
    }
    let site = try #require(try await manager.people.sites(of: team).first)
    return path.replacing("{site}", with: "\(site.number)")
  }

  /// The path to a contact of `team`, and to a test of it.
  private func withContact(_ path: String, of team: TeamID, _ all: TwoTeamsWorld) async throws
    -> String
  {
    let manager = all.operations.manager
    if try await manager.notifications.contacts(of: team).isEmpty {
      try await manager.notifications.addContact("m@example.com", to: team)
    }
    let contact = try #require(try await manager.notifications.contacts(of: team).first).number
    let found = path.replacing("{contact}", with: "\(contact)")
    guard found.contains("{test}") else { return found }
    let test = try await manager.notifications.sendTest(toContact: contact, of: team, by: all.boss)
      .get()
    return found.replacing("{test}", with: test.id.key)
  }

  /// The listing of this employee or of their team.
  private func narrowed(_ path: String, to employee: Int32, of team: Int32) -> String {
    if path == "/v1/map" { return path + "?purpose=x&team=\(team)" }
    if path == "/v1/coverage" { return path + "?date=2026-11-20&team=\(team)" }
    let listings = [
      "/v1/board", "/v1/board/events", "/v1/clock-actions", "/v1/shifts", "/v1/incidents",
      "/v1/absences", "/v1/planned-shifts",
      "/v1/statistics/detection", "/v1/statistics", "/v1/time-sheets",
      "/v1/time-sheets/approvals", "/v1/time-sheets/reopenings",
    ]
    if listings.contains(path) { return path + "?employee=\(employee)" }
    let pages = [
      "/", "/coverage", "/map", "/notifications", "/plan", "/plan/copy", "/reviews",
      "/reviews/decisions", "/settings",
      "/statistics", "/time-sheets", "/time-sheets/approve", "/time-sheets/approvals",
      "/time-sheets/reopen", "/time-sheets/reopenings",
    ]
    return pages.contains(path) ? path + "?team=\(team)" : path
  }

  private func fate(
    of walker: Walker, _ route: String, _ path: String, _ employee: Int32, _ all: TwoTeamsWorld
  ) async throws -> Answer {
    let method = try #require(HTTPMethod(rawValue: String(route.prefix { $0 != " " })))
    let isPage = !path.hasPrefix("/v1/")
    var headers = walker.headers
    if isPage {
      headers["Sec-Fetch-Site"] = "same-origin"
      headers["Content-Type"] = "application/x-www-form-urlencoded"
    }
    let answer = try await all.send(method, path, "", headers)
    switch answer.status {
    case 303 where answer.headers["Location"]?.hasPrefix("/login") == true:
      // That is where everybody goes who logs out.
      return route == "POST /logout" ? .letIn : .unauthorized
    case 404 where isPage:
      return answer.text.contains("<h1>Page not found</h1>") ? .hidden : .missing
    case 401: return .unauthorized
    case 403: return .forbidden
    case 404:
      let thing =
        answer.text.contains("\"team \(Self.teamOf[employee] ?? 99) does not exist\"")
        || answer.text.contains("\"employee \(employee) does not exist\"")
        || (employee == 99 && answer.text.contains("of employee 99 does not exist\""))
      return thing ? .hidden : .missing
    default: return .letIn
    }
  }
}

extension AccessRoute {
  /// Such as `GET /v1/board`.
  var name: String { "\(route.method.rawValue) \(route.pattern)" }
}

extension Access {
  /// Whether it matters whose the thing is.
  fileprivate var dependsOnWhose: Bool {
    switch self {
    case .employee, .team, .listing: true
    case .anybody, .device, .anyManager, .account, .administrator: false
    }
  }
}
