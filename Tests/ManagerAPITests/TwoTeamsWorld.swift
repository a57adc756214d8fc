import Cryptography
import DeviceAPI
import DeviceOperations
import HTTPAPI
import HTTPServing
import InstallationOperations
import JSONText
import ManagerAPI
import ManagerCore
import PeopleOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing
import WebPages

/// Two teams with an employee each, 7 in the first and 8 in the second, who both have a shift, a
/// blocked clock-in, an override and a phone; an administrator; and a clock that moves, also for
/// the database.
struct TwoTeamsWorld: MovableWorld {
  static let start = MovableClock.friday
  static let password = "a walk in the rain"

  let operations: TestOperations
  /// Those of phones, of managers and of pages.
  let routes: [AccessRoute]
  let router: Router
  /// The tokens of employee 7's and employee 8's phone.
  let phones: [Int32: String]
  let boss: Principal
  let clock: MovableClock

  static func run(_ body: (TwoTeamsWorld) async throws -> Void) async throws {
    let clock = MovableClock(at: start)
    try await withDatabase { pool in
      let operations = TestOperations(
        pool: pool, clock: clock,
        passwords: PasswordWork(cost: ScryptCost(logN: 4, blockSize: 8, rounds: 1)))
      var phones: [Int32: String] = [:]
      for (name, employee) in [("North", Int32(7)), ("South", 8)] {
        let team = try await operations.people.addTeam(name: name, timeZone: "UTC")
        _ = try await operations.people.addEmployee(
          EmployeeID(employee), name: "Person \(employee)", team: team)
        phones[employee] = try await TestPhone.enrolled(
          in: operations, employee: employee, NewDevice(platform: .ios)
        ).token
      }
      let now = clock.reading
      var pages = PageSettings(authenticatingBy: operations.manager, now: now)
      pages.mapLibrary = MapLibrary(script: [], styles: [])
      pages.pushKey = "BCVxsr7N"
      let routes =
        deviceRoutes(operations.device, now: now) + managerRoutes(operations.manager, now: now)
        + pageRoutes(operations.manager, pages)
      let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)
      let all = TwoTeamsWorld(
        operations: operations, routes: routes, router: Router(routes.map(\.route)),
        phones: phones, boss: boss, clock: clock)
      try await all.work()
      // The entries are those of what a test does.
      try await all.write("DELETE FROM audit_entry")
      try await body(all)
    }
  }

  /// Lends `body` the teams, and the headers that the page of an administrator sends.
  static func withBoss(
    _ body: (TwoTeamsWorld, _ page: HTTPHeaders) async throws -> Void
  ) async throws {
    try await run { all in
      try await all.hire("boss", .administrator)
      try await body(all, try await all.page(of: "boss"))
    }
  }

  /// Each employee is blocked, gets an override, and clocks in.
  private func work() async throws {
    for (employee, phone) in phones {
      let headers: HTTPHeaders = ["Authorization": "Bearer \(phone)"]
      let report = #"{"authorization":"denied","accuracy":"full","services":"on"}"#
      let refused = try await send(
        .post, "/v1/clock-in", #"{"actionId":"a","report":\#(report)}"#, headers)
      #expect(refused.status == 409)
      _ = try await operations.reviews.giveOverride(
        to: EmployeeID(employee), .all, reason: "trusted", by: boss.actor)
      let opened = try await send(
        .post, "/v1/clock-in", #"{"actionId":"b","report":\#(report)}"#, headers)
      #expect(opened.status == 201)
    }
  }

  func send(
    _ method: HTTPMethod, _ path: String, _ body: String = "", _ headers: HTTPHeaders = [:],
    from address: String = "192.0.2.1"
  ) async throws -> APIAnswer {
    try await router.answer(method, path, Array(body.utf8), headers: headers, from: address)
  }

  /// Adds an account, `name@example.org`.
  @discardableResult
  func hire(
    _ name: String, _ role: AccessRole = .manager, teams: [Int32: TeamRights] = [:],
    employee: Int32? = nil
  ) async throws -> AccountID {
    let input = AccountSettings(
      name: name, role: role,
      teams: Dictionary(uniqueKeysWithValues: teams.map { (TeamID($0), $1) }),
      employee: employee.map { EmployeeID($0) })
    let outcome = try await operations.installation.addAccount(
      email: "\(name)@example.org", input, password: Password(Self.password), by: boss)
    guard case .kept(let row) = outcome else {
      throw TestDatabaseError("no account: \(outcome)")
    }
    return row.account
  }

  func logIn(
    _ name: String, _ password: String = Self.password, _ headers: HTTPHeaders = [:],
    from address: String = "192.0.2.1"
  ) async throws -> APIAnswer {
    try await send(
      .post, "/v1/sessions", #"{"email":"\#(name)@example.org","password":"\#(password)"}"#,
      headers, from: address)
  }

  /// The headers that one of our pages sends after logging in.
  func page(of name: String) async throws -> HTTPHeaders {
    try Self.page(with: await logIn(name).headers)
  }

  /// The headers that one of our pages sends after a response that set the cookie.
  static func page(with answered: HTTPHeaders) throws -> HTTPHeaders {
    let cookie = try #require(answered["Set-Cookie"]).prefix { $0 != ";" }
    return ["Cookie": String(cookie), "Sec-Fetch-Site": "same-origin"]
  }
}
