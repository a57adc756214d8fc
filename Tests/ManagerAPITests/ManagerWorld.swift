import DeviceAPI
import DeviceOperations
import HTTPAPI
import HTTPServing
import InstallationOperations
import JSONText
import ManagerAPI
import PeopleOperations
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

/// Employee 7's phone and the holder of the API token `Mira`, over HTTP, with a clock that moves.
struct ManagerWorld: MovableWorld {
  typealias Answer = (status: Int, text: String, json: JSONValue)
  static let start = MovableClock.friday

  let router: Router
  let operations: TestOperations
  let access: String
  let device: TestPhone
  let clock: MovableClock

  var phone: String { device.token }

  static func run(name: String = "Anna", _ body: (ManagerWorld) async throws -> Void) async throws {
    let clock = MovableClock(at: start)
    try await withDatabase { pool in
      let operations = TestOperations(pool: pool, now: clock.reading)
      let team = try await operations.people.addTeam(name: "North", timeZone: "UTC")
      _ = try await operations.people.addEmployee(EmployeeID(7), name: name, team: team)
      let access = try await operations.installation.createAPIToken(
        name: "Mira", role: .administrator, validFor: .hours(100))
      let routes =
        deviceRoutes(operations.device, now: clock.reading)
        + managerRoutes(operations.manager, now: clock.reading)
      try await body(
        ManagerWorld(
          router: Router(routes.map(\.route)), operations: operations, access: access.token,
          device: try await .enrolled(in: operations, NewDevice(platform: .ios)), clock: clock))
    }
  }

  func send(_ method: HTTPMethod, _ path: String, _ body: String, as token: String?)
    async throws -> Answer
  {
    let answer = try await router.answer(method, path, Array(body.utf8), as: token)
    return (answer.status, answer.text, answer.json)
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
}
