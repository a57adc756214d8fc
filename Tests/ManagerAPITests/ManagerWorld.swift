import DeviceAPI
import DeviceOperations
import HTTPAPI
import HTTPServing
import JSONText
import ManagerAPI
import ManagerOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import Synchronization
import TestKit
import Testing

/// Employee 7's phone and the holder of the API token `Mira`, over HTTP, with a clock that moves.
struct ManagerWorld: Sendable {
  typealias Answer = (status: Int, text: String, json: JSONValue)
  /// 2026-11-20T09:30:00Z
  static let start = Instant(milliseconds: 1_795_167_000_000)

  let router: Router
  let pool: Pool
  let operations: TestOperations
  let access: String
  let phone: String
  private let clock: Clock

  private final class Clock: Sendable {
    let milliseconds = Atomic<Int64>(ManagerWorld.start.milliseconds)
    var now: Instant { Instant(milliseconds: milliseconds.load(ordering: .sequentiallyConsistent)) }
  }

  static func run(_ body: (ManagerWorld) async throws -> Void) async throws {
    let clock = Clock()
    try await withDatabase { pool in
      let operations = TestOperations(pool: pool, now: { clock.now })
      let team = try await operations.manager.addTeam(name: "North", timeZone: "UTC")
      let employee = try await operations.manager.addEmployee(
        EmployeeID(7), name: "Anna", team: team)
      let code = try await operations.manager.createEnrolmentCode(
        for: employee, validFor: .hours(1))
      let enrolment = try await operations.device.enrol(
        code: code.code, NewDevice(platform: .ios),
        receipt: Receipt(at: clock.now, monotonic: .now))
      let access = try await operations.manager.createAPIToken(
        name: "Mira", role: .administrator, validFor: .hours(100))
      let now: @Sendable () -> Instant = { clock.now }
      let routes =
        deviceRoutes(operations.device, now: now) + managerRoutes(operations.manager, now: now)
      try await body(
        ManagerWorld(
          router: Router(routes.map(\.route)), pool: pool, operations: operations,
          access: access.token,
          phone: enrolment.token,
          clock: clock))
    }
  }

  /// Moves the clock.
  func wait(_ span: TimeSpan) {
    clock.milliseconds.wrappingAdd(span.milliseconds, ordering: .sequentiallyConsistent)
  }

  func send(_ method: HTTPMethod, _ path: String, _ body: String, as token: String?)
    async throws -> Answer
  {
    var headers = HTTPHeaders()
    headers["Authorization"] = token.map { "Bearer \($0)" }
    let response = await router.respond(
      to: try HTTPRequest(method, path, headers: headers, body: Array(body.utf8)))
    guard case .bytes(let bytes) = response.body else { return (response.status, "", .null) }
    return (
      response.status, String(decoding: bytes, as: UTF8.self),
      (try? JSONValue(parsing: bytes)) ?? .null
    )
  }

  func get(_ path: String) async throws -> Answer { try await send(.get, path, "", as: access) }

  func post(_ path: String, _ body: String = "") async throws -> Answer {
    try await send(.post, path, body, as: access)
  }

  func clockIn(_ id: String, _ authorization: String) async throws -> Answer {
    let report = #"{"authorization":"\#(authorization)","accuracy":"full","services":"on"}"#
    return try await send(
      .post, "/v1/clock-in", #"{"actionId":"\#(id)","report":\#(report)}"#, as: phone)
  }

  func clockOut(_ id: String) async throws -> Answer {
    try await send(.post, "/v1/clock-out", #"{"actionId":"\#(id)"}"#, as: phone)
  }

  /// `break-start` or `break-end`.
  func clockAction(_ what: String, _ id: String) async throws -> Answer {
    try await send(.post, "/v1/\(what)", #"{"actionId":"\#(id)"}"#, as: phone)
  }

  func report(_ authorization: String) async throws -> Answer {
    try await send(
      .post, "/v1/permission-reports",
      #"{"authorization":"\#(authorization)","accuracy":"full","services":"on"}"#, as: phone)
  }

  /// As if the notification of the newest incident had reached the employee's open app.
  func notifyInApp() async throws {
    try await write(
      """
      INSERT INTO inbox (
        created_at, written_at, employee_id, notification_no, subject, topic, ordinal, kind, urgent)
      SELECT opened_at, opened_at, 7, 1, incident_no, 0, 1, kind, true
      FROM incident WHERE closed_at IS NULL
      """)
  }

  func write(_ statement: SQL) async throws {
    _ = try await pool.transaction { (session) throws(PostgresError) in
      try session.execute(statement)
    }
  }
}
