import DeviceAPI
import Foundation
import GuardRules
import HTTPAPI
import HTTPServing
import IngestPipeline
import JSONText
import Lifecycle
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit
import Telemetry
import TestKit

typealias Answer = APIAnswer

/// The device routes on a database of their own.
struct DeviceWorld: MovableWorld {
  static let start = MovableClock.friday

  let operations: TestOperations
  let clock: MovableClock
  let router: Router
  let metrics: Metrics
  let rawReadings: RawReadings
  let differences: Differences

  /// A team with `preset` and these employees.
  /// - Parameter decidesDue: Whether the clock also decides what is due, instead of the database's.
  @discardableResult
  static func run<Result>(
    _ preset: Preset = .standard, employees: [Int32] = [7], decidesDue: Bool = false,
    _ body: (DeviceWorld) async throws -> Result
  ) async throws -> Result {
    try await withDatabase { pool in
      let clock = MovableClock(at: start)
      let operations = TestOperations(
        pool: pool, now: clock.reading, deadlines: decidesDue ? clock.reading : nil)
      let team = try await operations.people.addTeam(
        name: "North", timeZone: "UTC", preset: preset)
      for number in employees {
        _ = try await operations.people.addEmployee(EmployeeID(number), name: "Anna", team: team)
      }
      let metrics = Metrics()
      let differences = Differences()
      let observer = RouteObserver(
        decidedDifferently: { differences.add($0) })
      return try await body(
        DeviceWorld(
          operations: operations, clock: clock,
          router: Router(
            deviceRoutes(
              operations.device, now: clock.reading, observer: observer, metrics: metrics
            ).map(\.route)),
          metrics: metrics, rawReadings: RawReadings(metrics), differences: differences))
    }
  }

  /// A team whose employee has this phone.
  static func withPhone(_ body: (DeviceWorld, Phone) async throws -> Void) async throws {
    try await run { world in try await body(world, try await world.phone()) }
  }

  /// A new code that enrols a phone of `employee`.
  func code(of employee: Int32 = 7) async throws -> String {
    try await operations.people.createEnrolmentCode(
      for: EmployeeID(employee), validFor: .hours(1)
    ).code
  }

  /// A freshly enrolled phone of `employee`.
  func phone(
    of employee: Int32 = 7, platform: String = "ios", version: String = "17.5"
  ) async throws -> Phone {
    let code = try await code(of: employee)
    let answer = try await post(
      "/v1/enrolments",
      #"{"code":"\#(code)","platform":"\#(platform)","osVersion":"\#(version)"}"#)
    guard case .string(let token) = answer["token"] else {
      throw TestDatabaseError("no token in \(answer.text)")
    }
    return Phone(world: self, token: token)
  }

  func post(
    _ path: String, _ body: String, token: String? = nil, headers: HTTPHeaders = [:]
  ) async throws -> Answer {
    try await send(.post, path, Array(body.utf8), token: token, headers: headers)
  }

  func send(
    _ method: HTTPMethod, _ path: String, _ body: [UInt8] = [], token: String? = nil,
    headers: HTTPHeaders = [:]
  ) async throws -> Answer {
    try await router.answer(method, path, body, as: token, headers: headers)
  }

  /// The clock's instant plus `span`, as JSON text.
  func time(_ span: TimeSpan = .zero) -> String { (clock.now + span).rfc3339 }
}

extension Metrics {
  /// The lines of an instrument: labels, which may be empty, and value.
  func lines(of name: String) -> [(labels: String, value: Int)] {
    render().split(separator: "\n").compactMap { line in
      guard line.hasPrefix(name), let space = line.lastIndex(of: " "),
        let value = Int(line[space...].dropFirst())
      else { return nil }
      return (String(line[..<space].dropFirst(name.count)), value)
    }
  }
}

/// Sources of raw values counted by the routes, with the quality of each reading.
final class RawReadings: Sendable {
  private let metrics: Metrics
  private let taken = Lock<[String: Int]>([:])

  init(_ metrics: Metrics) { self.metrics = metrics }

  /// The readings since the last call, such as `android clear`.
  func take() -> [String] {
    let counts = metrics.lines(of: "shiftguard_raw_values_total")
    return taken.withLock { taken in
      counts.flatMap { labels, count in
        let before = taken.updateValue(count, forKey: labels) ?? 0
        let values = labels.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }
        let words = values.map { String($0.element) }.joined(separator: " ")
        return Array(repeating: words, count: count - before)
      }
    }
  }
}

/// Differences between decisions, as reported by the routes.
final class Differences: Sendable {
  private let reported = Lock<[RuleDifference]>([])
  func add(_ difference: RuleDifference) { reported.withLock { $0.append(difference) } }
  var all: [RuleDifference] { reported.withLock { $0 } }
}

/// A phone with its token.
struct Phone: Sendable {
  let world: DeviceWorld
  let token: String
  /// The headers of every request.
  var headers: HTTPHeaders = [:]

  /// The same phone, requesting these languages.
  func asking(for languages: String...) -> Phone {
    var phone = self
    phone.headers = HTTPHeaders(languages.map { ("Accept-Language", $0) })
    return phone
  }

  func post(_ path: String, _ body: String) async throws -> Answer {
    try await world.post(path, body, token: token, headers: headers)
  }

  func get(_ path: String) async throws -> Answer {
    try await world.send(.get, path, token: token, headers: headers)
  }

  /// Reports `authorization` as of now, with location services on.
  @discardableResult
  func report(_ authorization: String, sequence: Int? = nil) async throws -> Answer {
    let number = sequence.map { #","sequence":\#($0)"# } ?? ""
    return try await post(
      "/v1/permission-reports",
      """
      {"sentAt":"\(world.time())","authorization":"\(authorization)","accuracy":"full",
       "services":"on"\(number)}
      """)
  }

  @discardableResult
  func clockIn(_ attempt: String = "tap-1") async throws -> Answer {
    try await post("/v1/clock-in", #"{"actionId":"\#(attempt)","sentAt":"\#(world.time())"}"#)
  }

  @discardableResult
  func clockOut(_ attempt: String = "out-1") async throws -> Answer {
    try await post("/v1/clock-out", #"{"actionId":"\#(attempt)","sentAt":"\#(world.time())"}"#)
  }

  /// A fix `ago` before now.
  @discardableResult
  func ping(ago: TimeSpan = .zero) async throws -> Answer {
    try await post(
      "/v1/pings",
      """
      {"sentAt":"\(world.time())","recordedAt":"\(world.time(.zero - ago))",
       "latitude":52.52,"longitude":13.405}
      """)
  }
}

extension APIAnswer {
  /// The problem's code.
  var code: JSONValue? { self["code"] }

  /// Each result's status and reason.
  var results: [String] {
    guard case .array(let results) = self["results"] else { return [] }
    return results.map { result in
      guard case .object(let object) = result, case .string(let status) = object["status"] else {
        return "?"
      }
      guard case .string(let reason) = object["reason"] else { return status }
      guard case .string(let pointer) = object["pointer"] else { return reason }
      return "\(reason) \(pointer)"
    }
  }
}
