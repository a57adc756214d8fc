import DeviceAPI
import Foundation
import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import Lifecycle
import ManagerOperations
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit

/// A clock that stands still until it is moved.
final class MovedClock: Sendable {
  private let instant: Lock<Instant>

  init(at instant: Instant) { self.instant = Lock(instant) }

  var now: Instant { instant.withLock { $0 } }

  func move(by span: TimeSpan) { instant.withLock { $0 = $0 + span } }
}

/// The device routes on a database of their own.
struct DeviceWorld: Sendable {
  /// A Friday morning.
  static let start = Instant(milliseconds: 1_795_167_000_000)

  let operations: TestOperations
  let clock: MovedClock
  let router: Router
  let detections: Detections
  let rawReadings: RawReadings
  let pool: Pool

  /// A team with `preset` and these employees.
  @discardableResult
  static func run<Result>(
    _ preset: Preset = .standard, employees: [Int32] = [7],
    _ body: (DeviceWorld) async throws -> Result
  ) async throws -> Result {
    try await withDatabase { pool in
      _ = try await Migrator(directory: migrations).migrate(on: pool)
      let clock = MovedClock(at: start)
      let operations = TestOperations(pool: pool, now: { clock.now })
      let team = try await operations.manager.addTeam(
        name: "North", timeZone: "UTC", preset: preset)
      for number in employees {
        _ = try await operations.manager.addEmployee(EmployeeID(number), name: "Anna", team: team)
      }
      let detections = Detections()
      let rawReadings = RawReadings()
      let observer = RouteObserver(
        detected: { detections.add($0) }, rawValues: { rawReadings.add($0, $1) })
      return try await body(
        DeviceWorld(
          operations: operations, clock: clock,
          router: Router(
            deviceRoutes(operations.device, now: { clock.now }, observer: observer).map(\.route)),
          detections: detections, rawReadings: rawReadings, pool: pool))
    }
  }

  private static let migrations = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../db/migrations").standardized.path

  /// A freshly enrolled phone of `employee`.
  func phone(of employee: Int32 = 7, platform: String = "ios") async throws -> Phone {
    let code = try await operations.manager.createEnrolmentCode(
      for: EmployeeID(employee), validFor: .hours(1))
    let answer = try await post(
      "/v1/enrolments", #"{"code":"\#(code.code)","platform":"\#(platform)","osVersion":"17.5"}"#)
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
    var headers = headers
    headers["Authorization"] = token.map { "Bearer \($0)" }
    return Answer(
      await router.respond(to: try HTTPRequest(method, path, headers: headers, body: body)))
  }

  /// The clock's instant plus `span`, as JSON text.
  func time(_ span: TimeSpan = .zero) -> String { (clock.now + span).rfc3339 }
}

/// Detections reported by the routes.
final class Detections: Sendable {
  private let spans = Lock<[Duration]>([])
  func add(_ span: Duration) { spans.withLock { $0.append(span) } }
  var count: Int { spans.withLock { $0.count } }
}

/// Sources of raw values reported by the routes, with the quality of each reading.
final class RawReadings: Sendable {
  private let lines = Lock<[String]>([])
  func add(_ source: RawSource, _ quality: RawQuality) {
    lines.withLock { $0.append("\(source.code) \(quality.code)") }
  }
  /// The readings since the last call.
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
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

/// A response with its parsed body.
struct Answer: Sendable {
  let status: Int
  let headers: HTTPHeaders
  let json: JSONValue
  let text: String

  init(_ response: HTTPResponse) {
    status = response.status
    headers = response.headers
    guard case .bytes(let bytes) = response.body else {
      json = .null
      text = ""
      return
    }
    text = String(decoding: bytes, as: UTF8.self)
    json = (try? JSONValue(parsing: bytes)) ?? .null
  }

  /// The value at this path of names and indices.
  subscript(_ path: JSONStep...) -> JSONValue? {
    path.reduce(json as JSONValue?) { value, step in
      switch (value, step) {
      case (.object(let object), .name(let name)): object[name]
      case (.array(let elements), .index(let index)):
        elements.indices.contains(index) ? elements[index] : nil
      default: nil
      }
    }
  }

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

/// A step of a path into JSON.
enum JSONStep: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  case name(String)
  case index(Int)
  init(stringLiteral name: String) { self = .name(name) }
  init(integerLiteral index: Int) { self = .index(index) }
}

/// A seeded random source: a failing run can be repeated.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
