import BackgroundOperations
import DeviceAPI
import Foundation
import GuardRules
import HTTPAPI
import HTTPServing
import InsightOperations
import InstallationOperations
import JSONText
import Lifecycle
import ManagerAPI
import NotificationQueue
import PeopleOperations
import PolicyOperations
import Postgres
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Telemetry
import TestKit
import TestPrograms
import Testing

@testable import EmployeePage

/// A team with one employee, Ana, behind the page and the device API, by the machine's clock: a
/// browser has no other.
struct PageWorld: TestWorld {
  static let employee = EmployeeID(7)
  static let vapidKey =
    "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"

  let operations: TestOperations
  let team: TeamID
  let gate: Gate

  /// - Parameter movesTime: Whether the story moves the clock, which then also decides what is due.
  static func run(
    movesTime: Bool = false, _ body: (PageWorld, _ address: String) async throws -> Void
  ) async throws {
    try await withDatabase { pool in
      let gate = Gate()
      let operations = TestOperations(
        pool: pool, now: gate.reading, deadlines: movesTime ? gate.reading : nil)
      let team = try await operations.people.addTeam(name: "Coast", timeZone: "Europe/Zagreb")
      // Up to the next 5 minutes, so that paid time differs from worked time.
      try await pool.write("UPDATE team SET pay_rounding = 4")
      _ = try await operations.people.addEmployee(employee, name: "Ana Horvat", team: team)
      _ = try await operations.people.addEmployee(EmployeeID(8), name: "Ivo Babić", team: team)
      let world = PageWorld(operations: operations, team: team, gate: gate)
      try await world.serve { try await body(world, $0) }
    }
  }

  /// The rules as WebAssembly, if `deploy/checks/wasm` has built them.
  static var rules: [UInt8]? {
    let path = projectFolder.appending(path: ".build/wasm/GuardRules.wasm").path
    return FileManager.default.contents(atPath: path).map { Array($0) }
  }

  /// Serves on loopback for as long as `body` runs.
  private func serve(_ body: (_ address: String) async throws -> Void) async throws {
    let streams = NotificationStreams(operations: operations.device, monitor: .unread)
    let device = deviceRoutes(operations.device, now: gate.reading, streams: streams).map {
      gated($0.route)
    }
    let server = try HTTPServer(
      .patient, router: Router(pages + device + orders + managerPages))
    try await running([server, streams]) { try await body("http://\(server.address)") }
  }
}

/// What stands between the stories and the server.
final class Gate: Sendable {
  struct State: Sendable {
    /// How many of the next requests to `refusedPath` are refused.
    var refused = 0
    var refusedPath = ""
    var refusal = HTTPResponse(status: 503)
    /// Whether the page is that of the version before.
    var isOld = false
    /// Bytes of the page's files that were sent.
    var bytesSent = 0
    /// The requests to the API, also the refused ones.
    var requests: [JSONValue] = []
    /// How far the server's clock is ahead of the machine's.
    var ahead = TimeSpan.zero
  }

  let state = Lock(State())

  /// The server's clock.
  var reading: @Sendable () -> Instant { { wallClock() + self.state.withLock { $0.ahead } } }
}

extension PageWorld {
  /// The page in two versions: the older one has no rules.
  private var pages: [Route] {
    let new = employeePageRoutes(rules: Self.rules, pushKey: Self.vapidKey).map(\.route)
    let old = employeePageRoutes(pushKey: Self.vapidKey).map(\.route)
    let versions = (Router(new), Router(old))
    let added = old.filter { route in !new.contains { $0.pattern == route.pattern } }
    return (new + added).map { route in
      Route(route.method, route.pattern) { [gate] request in
        let isOld = gate.state.withLock { $0.isOld }
        let response = await (isOld ? versions.1 : versions.0).respond(to: request)
        if case .bytes(let bytes) = response.body {
          gate.state.withLock { $0.bytesSent += bytes.count }
        }
        return response
      }
    }
  }

  /// `route`, noted down, and refused while a story wants that.
  func gated(_ route: Route) -> Route {
    var route = route
    route.handler = { [gate, handler = route.handler] request in
      let refusal: HTTPResponse? = gate.state.withLock { state in
        state.requests.append(
          .object([
            "at": .integer(wallClock().milliseconds), "method": .string(request.method.rawValue),
            "path": .string(request.path),
            "body": (try? JSONValue(parsing: request.body)) ?? .null,
            "isRefused": .bool(state.refused > 0 && state.refusedPath == request.path),
          ]))
        guard state.refused > 0, state.refusedPath == request.path else { return nil }
        state.refused -= 1
        return state.refusal
      }
      guard let refusal else { return await handler(request) }
      return refusal
    }
    return route
  }
}

extension PageWorld {
  /// What a story makes others do: `POST /test/NAME`, with one argument as the body.
  private var orders: [Route] {
    let all: [(name: String, body: @Sendable (String) async throws -> String)] = [
      ("code", { try await code($0) }), ("notice", { _ in try await setNotice() }),
      ("look", { _ in try await look() }), ("notify", { try await notify($0) }),
      ("policy", { try await setPolicy($0) }), ("revoke", { try await revoke($0) }),
      ("time", { _ in try await processDueTime() }), ("refuse", { refuse($0) }),
      ("version", { setVersion($0) }), ("requests", { _ in requests() }),
      ("sent", { _ in String(gate.state.withLock { $0.bytesSent }) }),
      ("targets", { _ in try await targets() }), ("decisions", { _ in DecisionTable.json }),
      ("positions", { _ in try await positions() }),
      ("statistics", { _ in try await statistics() }), ("open", { _ in try await open() }),
      ("add", { _ in try await add() }),
      ("app", { _ in try await app() }), ("replace", { _ in try await replace() }),
      ("accept", { _ in try await accept() }), ("correct", { _ in try await correct() }),
      ("override", { try await giveOverride($0) }),
      ("withdraw", { try await withdrawOverride($0) }), ("site", { try await addSite($0) }),
      ("plan", { try await plan($0) }),
    ]
    return (all + dayOrders).map { order in
      Route(.post, "/test/\(order.name)", deadline: TestDatabase.patience) { request in
        do {
          return .text(try await order.body(String(decoding: request.body, as: UTF8.self)))
        } catch {
          return .text("\(error)", status: 500)
        }
      }
    }
  }

  /// For Ana, or for the employee with this number.
  private func code(_ number: String) async throws -> String {
    let employee = Int32(number).map { EmployeeID($0) } ?? Self.employee
    return try await operations.people.createEnrolmentCode(for: employee, validFor: .hours(1)).code
  }

  /// Erases Ana, and gives her number to Bea: a code for her.
  private func replace() async throws -> String {
    _ = try await operations.people.erase(Self.employee, endsShift: true, by: .arranger)
    _ = try await operations.people.addEmployee(
      Self.employee, mayReuse: true, EmployeeDetails(name: "Bea Perić", team: team), by: .arranger
    ).get()
    return try await code("")
  }

  private func setNotice() async throws -> String {
    _ = try await operations.installation.setPrivacyNotice(
      "Positions are stored for 60 days.\n\nYour managers see coverage.", by: .arranger)
    return "done"
  }

  /// `NAME LATITUDE LONGITUDE`: a site of 100 m, the team's only place to clock in.
  private func addSite(_ words: String) async throws -> String {
    let words = words.split(separator: " ")
    guard words.count == 3, let latitude = Double(words[1]), let longitude = Double(words[2]),
      let center = Coordinate(latitude: latitude, longitude: longitude)
    else { return "not understood" }
    _ = try await operations.people.addSite(
      name: String(words[0]), center: center, radiusMeters: 100, to: team, by: .arranger
    ).get()
    _ = try await operations.policies.setPolicy(
      of: team, PolicyChanges(severities: [.offSite: .block, .siteUnknown: .block]))
    return "done"
  }

  /// A shift for Ana in so many minutes, for an hour: the team clocks in for planned shifts.
  private func plan(_ minutes: String) async throws -> String {
    let start = wallClock() + .minutes(Int64(minutes) ?? 0)
    _ = try await operations.people.planShift(
      Self.employee, Interval(from: start, to: start + .hours(1)), by: .arranger)
    _ = try await operations.policies.setPolicy(
      of: team, PolicyChanges(severities: [.notPlanned: .block, .tooEarly: .block]))
    return "done"
  }

  /// A manager opens a shift for Ana.
  private func open() async throws -> String {
    _ = try await operations.reviews.openShift(
      for: Self.employee, OpeningRequest(reason: "Forgot the phone"), by: .arranger
    ).get()
    return "done"
  }

  /// A manager adds a shift of yesterday for Ana, with a break.
  private func add() async throws -> String {
    let start = wallClock() - .hours(24)
    let pause = ShiftSpan(from: start + .hours(3), to: start + .hours(4))
    _ = try await operations.reviews.addShift(
      for: Self.employee,
      AddedShift(
        Interval(from: start, to: start + .hours(8)), breaks: [pause], reason: "Phone in repair"),
      by: .arranger
    ).get()
    return "done"
  }

  /// A manager accepts Ana's first clock action, which was blocked.
  private func accept() async throws -> String {
    _ = try await operations.reviews.accept(
      clockAction: 1, of: Self.employee, reason: "She was here", by: .arranger
    ).get()
    return "done"
  }

  /// A manager moves the start of Ana's first shift to an hour earlier.
  private func correct() async throws -> String {
    let request = CorrectionRequest(startedAt: wallClock() - .hours(1), reason: "Came earlier")
    _ = try await operations.reviews.correct(
      ShiftID(employee: Self.employee, number: 1), request, by: .arranger
    ).get()
    return "done"
  }

  /// A manager allows one clock-in in spite of the findings with these codes.
  private func giveOverride(_ codes: String) async throws -> String {
    var findings: FindingSet = []
    for code in codes.split(separator: " ") {
      if let finding = Finding(code: String(code)) { findings.insert(finding) }
    }
    _ = try await operations.reviews.giveOverride(
      to: Self.employee, findings, reason: "New phone tomorrow", by: .arranger
    ).get()
    return "done"
  }

  private func withdrawOverride(_ number: String) async throws -> String {
    _ = try await operations.reviews.withdrawOverride(
      Int32(number) ?? 1, of: Self.employee, by: .arranger
    ).get()
    return "done"
  }

  /// An app from a store on Ana's phone: its token.
  private func app() async throws -> String {
    try await operations.people.enrol(
      PhoneAppRequest(.ownTracks, on: .android), for: Self.employee, by: .arranger
    ).token
  }

  private func look() async throws -> String {
    _ = try await operations.insight.openTrack(
      of: ShiftID(employee: Self.employee, number: 1), by: .arranger, purpose: "Lost keys",
      isExport: false)
    return "done"
  }

  /// About the incident with this number, or the first; `app`: that the second device, an app from
  /// a store, took over the first shift; `corrected`, `opened`: that a manager corrected or opened
  /// the first shift; `allowed N`: that this override allows a clock-in; `away`: that Ana is
  /// away from all sites; `restored`: that the first incident has ended, and what was accepted at
  /// the clock-in is left.
  private func notify(_ subject: String) async throws -> String {
    let (number, now) = (subject.split(separator: " ").last.flatMap { Int32($0) } ?? 1, wallClock())
    let notification =
      switch subject.prefix(while: { $0 != " " }) {
      case "app": ShiftNotification(.appTookOver, subject: 1, ordinal: 2, dueAt: now)
      case "allowed": ShiftNotification(.clockInAllowed, subject: number, dueAt: now)
      case "away": ShiftNotification(.away, subject: 1, ordinal: 1, dueAt: now)
      case "corrected": ShiftNotification(.shiftCorrected, subject: 1, dueAt: now)
      case "opened": ShiftNotification.opened(1, by: .manager, dueAt: now)
      case "restored": ShiftNotification(.restored, subject: 1, kind: .whenInUse, dueAt: now)
      default:
        ShiftNotification(.incident, subject: number, kind: .denied, dueAt: now, isUrgent: true)
      }
    try await pool.write(deliver(notification, to: Self.employee, at: wallClock()))
    return "done"
  }

  /// `strict`, `advisory`, `standard`, or `with_reason` for self-overrides.
  private func setPolicy(_ name: String) async throws -> String {
    let changes =
      name == "with_reason"
      ? PolicyChanges(selfOverride: .withReason) : PolicyChanges(preset: Preset(code: name))
    _ = try await operations.policies.setPolicy(of: team, changes)
    return "done"
  }

  private func revoke(_ number: String) async throws -> String {
    guard let number = Int16(number) else { return "no number" }
    try await operations.people.revoke(
      device: DeviceID(employee: Self.employee, number: number))
    return "done"
  }

  /// What is due for the employee by now, such as the end of a shift at its limit.
  private func processDueTime() async throws -> String {
    _ = try await operations.background.processDueTime(of: Self.employee)
    return "done"
  }

  /// `COUNT STATUS SECONDS PATH [BODY]`: refuses the next requests, with `Retry-After` unless it is
  /// 0.
  private func refuse(_ order: String) -> String {
    let words = order.split(separator: " ", maxSplits: 4)
    let numbers = words.prefix(3).compactMap { Int($0) }
    guard words.count >= 4, numbers.count == 3 else { return "not understood" }
    gate.state.withLock {
      ($0.refused, $0.refusedPath) = (numbers[0], String(words[3]))
      $0.refusal = HTTPResponse(
        status: numbers[1], headers: numbers[2] > 0 ? ["Retry-After": "\(numbers[2])"] : [:],
        body: .bytes(Array((words.dropFirst(4).first ?? "").utf8)))
    }
    return "done"
  }

  /// `old` or `new`.
  private func setVersion(_ name: String) -> String {
    gate.state.withLock { $0.isOld = name == "old" }
    return "done"
  }

  private func requests() -> String {
    String(decoding: JSONValue.array(gate.state.withLock { $0.requests }).bytes, as: UTF8.self)
  }

  /// `GET /v1/statistics` in two hours: what has no outcome within an hour counts as having none.
  private func statistics() async throws -> String {
    let later: @Sendable () -> Instant = { wallClock() + .hours(2) }
    let manager = TestOperations(pool: pool, now: later).manager
    let token = try await manager.installation.createAPIToken(
      name: "Mira", role: .administrator, validFor: .hours(1)
    ).token
    let router = Router(managerRoutes(manager, now: later).map(\.route))
    return try await router.answer(.get, "/v1/statistics", as: token).text
  }

  /// When each stored position was recorded, in milliseconds since 1970.
  private func positions() async throws -> String {
    try await pool.value(
      """
      SELECT coalesce(json_agg(round(extract(epoch FROM recorded_at) * 1000)), '[]')::text
      FROM ping WHERE latitude_e7 IS NOT NULL
      """)
  }

  /// How many subscriptions to push messages the server knows.
  private func targets() async throws -> String {
    String(try await count("SELECT count(*) FROM push_target WHERE channel IS NOT NULL"))
  }
}
