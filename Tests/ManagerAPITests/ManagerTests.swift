import BackgroundOperations
import DeviceAPI
import DeviceOperations
import Foundation
import HTTPAPI
import HTTPServing
import InstallationOperations
import JSONText
import ManagerAPI
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit
import Testing

/// A morning with one phone: `always` at 9:30, tracked until 9:40, then denied, clocked out at
/// 9:50.
struct Morning: Sendable {
  static let start = MovableClock.friday

  let world: ManagerWorld
  var operations: TestOperations { world.operations }
  var credential: DeviceCredential { world.device.credential }

  static func run(until end: TimeSpan? = .minutes(20), _ body: (Morning) async throws -> Void)
    async throws
  {
    try await ManagerWorld.run(name: "Zoë \"Z\" Ångström") { world in
      _ = try await world.operations.people.addEmployee(
        EmployeeID(8), name: "Ben", team: TeamID(1))
      let morning = Morning(world: world)
      try await morning.work(until: end)
      world.clock.now = start + (end ?? .minutes(15))
      try await body(morning)
    }
  }

  private func work(until end: TimeSpan?) async throws {
    let (phone, clock) = (world.device, world.clock)
    try await phone.clockIn(reporting: .always)
    let coordinate = try #require(Coordinate(latitude: 52.123456, longitude: 13.654321))
    for minute in Int64(0)..<10 {
      clock.now = Self.start + .minutes(minute)
      _ = try await phone.ping([
        IncomingPing(recordedAt: clock.now, fix: Fix(coordinate: coordinate))
      ])
    }
    clock.now = Self.start + .minutes(10)
    try await phone.report(.denied, accuracy: .unknown)
    guard let end else { return }
    clock.now = Self.start + end
    try await phone.clockOut()
  }

  func get(_ path: String, token: String?) async throws -> APIAnswer {
    try await world.router.answer(.get, path, as: token)
  }

  func get(_ path: String) async throws -> APIAnswer { try await get(path, token: world.access) }
}

@Suite("Read requests of managers") struct ManagerTests {
  private let coverage = "/v1/employees/7/shifts/1/coverage"

  @Test("coverage has a reason for every millisecond, and adds up to the shift")  // R: M6
  func finalCoverage() async throws {
    try await Morning.run { morning in
      let response = try await morning.get(coverage)
      #expect(response.status == 200)
      let expected = try JSONValue(
        parsing: Array(
          """
          {"shift":{"employee":7,"number":1},
           "startedAt":"2026-11-20T09:30:00.000Z","endedAt":"2026-11-20T09:50:00.000Z",
           "asOf":"2026-11-20T09:50:00.000Z","provisional":false,"trackingRate":50,
           "segments":[
             {"from":"2026-11-20T09:30:00.000Z","to":"2026-11-20T09:40:00.000Z",
              "reason":"tracked","atRisk":false,"milliseconds":600000},
             {"from":"2026-11-20T09:40:00.000Z","to":"2026-11-20T09:50:00.000Z",
              "reason":"denied","atRisk":false,"milliseconds":600000}],
           "totals":{"tracked":600000,"denied":600000},"milliseconds":1200000}
          """.utf8))
      #expect(response.json.withPlainNumbers == expected.withPlainNumbers, "\(response.text)")
    }
  }

  @Test("coverage of an open shift is provisional and ends now")
  func provisional() async throws {
    try await Morning.run(until: nil) { morning in
      let answer = try await morning.get(coverage)
      guard case .object(let object) = answer.json else {
        Issue.record("\(answer.text)")
        return
      }
      #expect(object["provisional"] == .bool(true))
      #expect(object["endedAt"] == nil)
      #expect(object["asOf"] == "2026-11-20T09:45:00.000Z")
      #expect(object["trackingRate"] == .number(66.6))
    }
  }

  @Test("the board lists every employee and contains no location")
  func board() async throws {
    try await Morning.run(until: nil) { morning in
      try await morning.operations.background.storeLastSeen()
      let response = try await morning.get("/v1/board")
      #expect(response.status == 200)
      guard case .object(let object) = response.json, case .array(let lines) = object["employees"],
        case .object(let anna) = lines.first, case .object(let ben) = lines.last
      else {
        Issue.record("\(response.text)")
        return
      }
      #expect(lines.count == 2)
      #expect(anna["name"] == "Zoë \"Z\" Ångström")
      #expect(anna["shift"] == .object(["employee": .integer(7), "number": .integer(1)]))
      #expect(anna["lastFixAt"] == "2026-11-20T09:39:00.000Z")
      #expect(anna["lastContactAt"] == "2026-11-20T09:40:00.000Z")
      #expect(response.text.contains(#""kind":"denied","origin":"mid_shift""#))
      #expect(ben["shift"] == nil)
      for hidden in ["52.12", "13.65", "latitude", "longitude", "token", "sg_"] {
        #expect(!response.text.contains(hidden), "\(hidden)")
      }
    }
  }

  @Test("nothing can be read without a valid API token")
  func unauthorized() async throws {
    try await Morning.run { morning in
      let secret = morning.world.access.split(separator: "_", maxSplits: 2)[2]
      let tokens = [
        nil, "", "sga", "sga_1_", "sga_2_\(secret)", "sga_1_\(secret)x", "sg_7_1_\(secret)",
        "sga_-1_\(secret)", "sga_99999999999_\(secret)",
      ]
      for path in ["/v1/board", coverage] {
        for token in tokens {
          let response = try await morning.get(path, token: token)
          #expect(response.status == 401, "\(path) with \(token ?? "none"): \(response.text)")
          #expect(response.headers["WWW-Authenticate"] == "Bearer")
        }
      }
      try await morning.operations.installation.revokeAPIToken(1)
      #expect(try await morning.get("/v1/board").status == 401)
    }
  }

  @Test("unknown things are 404, whatever the path contains")
  func notFound() async throws {
    try await Morning.run { morning in
      for path in [
        "7/shifts/2", "8/shifts/1", "0/shifts/1", "-7/shifts/1", "99999999999/shifts/1",
        "x/shifts/1", "7/shifts/1'%20OR%20true", "%F0%9F%98%80/shifts/1",
      ] {
        let response = try await morning.get("/v1/employees/\(path)/coverage")
        #expect(response.status == 404, "\(path): \(response.text)")
        #expect(response.text.contains(#""code":"not_found""#), "\(path)")
      }
    }
  }

  @Test("requests and readiness answer 503 without a database")
  func unavailable() async throws {
    let pool = Pool(try ConnectionConfiguration("host=/nonexistent"), size: 1, waitersMax: 8)
    let now = MovableClock(at: Morning.start).reading
    let router = Router(
      (managerRoutes(TestOperations(pool: pool, now: now).manager, now: now)
        + machineRoutes(
          version: "1 (a)", troubles: { ["pings: no", "clock: no"] }, metrics: { "a 1\n" }))
        .map(\.route))
    let token = "sga_1_" + String(repeating: "A", count: 43)
    for path in ["/v1/board", coverage, "/readyz"] {
      let request = try HTTPRequest(.get, path, headers: ["Authorization": "Bearer \(token)"])
      let response = await router.respond(to: request)
      #expect(response.status == 503, "\(path)")
      #expect(response.headers["Retry-After"] != nil)
    }
    let ready = await router.respond(to: try HTTPRequest(.get, "/readyz"))
    guard case .bytes(let bytes) = ready.body else { throw NoBytes() }
    #expect(
      String(decoding: bytes, as: UTF8.self).hasSuffix(
        #""troubles":["pings: no","clock: no"],"version":"1 (a)"}"#))
    #expect(await router.respond(to: try HTTPRequest(.head, "/metrics")).status == 200)
    #expect(await router.respond(to: try HTTPRequest(.get, "/healthz")).status == 200)
    #expect(await router.respond(to: try HTTPRequest(.get, "/metrics")).status == 200)
    await pool.close()
  }
}

private struct NoBytes: Error {}

extension JSONValue {
  /// The same value, with 50.0 and 50 equal.
  var withPlainNumbers: JSONValue {
    switch self {
    case .integer(let integer): .number(Double(integer))
    case .array(let elements): .array(elements.map(\.withPlainNumbers))
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { .init(name: $0.name, value: $0.value.withPlainNumbers) }))
    default: self
    }
  }
}
