import DeviceOperations
import Foundation
import HTTPSending
import Lifecycle
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import TestPrograms
import Testing

/// guardd on a database of its own, met through sockets, and a way past it to what it stored.
struct Service: TestWorld {
  /// Host and port.
  let address: String
  let operations: TestOperations

  /// Lends `body` the service and asks it to stop afterwards.
  /// - Parameters:
  ///   - arguments: Further ones of guardd.
  ///   - environment: All that is in guardd's.
  static func run(
    on database: ConnectionConfiguration, with arguments: [String] = [],
    environment: [String: String] = [:], _ body: (Service) async throws -> Void
  ) async throws {
    let guardd = try RunningProgram(
      guardd: ["--database", database.description, "--migrate", "--listen", "127.0.0.1:0"]
        + arguments,
      environment: environment)
    let address = try await guardd.address()
    let pool = Pool(database, size: 2, waitersMax: 8)
    let service = Service(
      address: address, operations: TestOperations(pool: pool, now: wallClock))
    do {
      try await body(service)
    } catch {
      guardd.kill()
      await pool.close()
      throw error
    }
    await pool.close()
    // Once it has answered, it hears signals.
    _ = try await HTTPSender(connectionsMax: 1)
      .ask(OutgoingRequest("GET", "http://\(service.address)/healthz"))
    guardd.terminate()
    let (lines, status) = await guardd.rest()
    #expect(status == 0, "\(lines.suffix(20))")
  }

  /// Phones of employees from 1 on, all in one team.
  func phones(_ count: Int32 = 1) async throws -> [SentPhone] {
    try await addTeam(of: count).phones.map {
      SentPhone(employee: $0.device.employee, address: address, token: $0.token)
    }
  }
}

extension Pool {
  /// Runs several statements, in one transaction.
  func script(_ text: String) async throws {
    try await transaction { (session) throws(PostgresError) in try session.script(text) }
  }
}

/// Asks ten times a second until it holds, for ten minutes.
func until(
  _ holds: () async throws -> Bool, at location: SourceLocation = #_sourceLocation
) async throws {
  for _ in 0..<6_000 {
    if try await holds() { return }
    try await Task.sleep(for: .milliseconds(100))
  }
  Issue.record("it did not hold within ten minutes", sourceLocation: location)
}

/// A phone that speaks to guardd.
struct SentPhone: Sendable {
  let employee: EmployeeID
  let address: String
  let token: String
  private let sender = HTTPSender(connectionsMax: 2)

  init(employee: EmployeeID, address: String, token: String) {
    (self.employee, self.address, self.token) = (employee, address, token)
  }

  var shift: ShiftID { ShiftID(employee: employee, number: 1) }

  func post(_ path: String, _ body: String) async throws -> Answer {
    try await request("POST", path, body)
  }

  func request(_ method: String, _ path: String, _ body: String) async throws -> Answer {
    Answer(
      try await sender.ask(
        OutgoingRequest(
          method, "http://\(address)\(path)", headers: [("Authorization", "Bearer \(token)")],
          body: Array(body.utf8))))
  }

  /// Clocks in, at `instant` and allowed everything.
  func clockIn(at instant: Instant, sentAt: Instant? = wallClock()) async throws {
    let answer = try await post(
      "/v1/clock-in",
      """
      {"actionId":"in",\(Self.field(sentAt))"occurredAt":"\(instant.rfc3339)",
       "report":{"recordedAt":"\(instant.rfc3339)","authorization":"always","accuracy":"full",
                 "services":"on"}}
      """)
    try #require(answer.status == 201, "\(answer.text)")
  }

  func clockOut(at instant: Instant, sentAt: Instant? = wallClock()) async throws {
    let answer = try await post(
      "/v1/clock-out",
      """
      {"actionId":"out",\(Self.field(sentAt))"occurredAt":"\(instant.rfc3339)"}
      """)
    try #require(answer.status == 200, "\(answer.text)")
  }

  /// The answer of `/readyz`.
  func readiness() async throws -> Answer {
    Answer(try await sender.ask(OutgoingRequest("GET", "http://\(address)/readyz")))
  }

  func upload(_ times: [Instant], sentAt: Instant? = wallClock()) async throws -> Answer {
    try await post("/v1/pings", Self.body(times.map { Self.fix($0) }, sentAt: sentAt))
  }

  static func body(_ items: [String], sentAt: Instant?) -> String {
    #"{\#(field(sentAt))"pings":[\#(items.joined(separator: ","))]}"#
  }

  private static func field(_ sentAt: Instant?) -> String {
    sentAt.map { #""sentAt":"\#($0.rfc3339)","# } ?? ""
  }

  static func fix(_ time: Instant, latitude: String = "45.3") -> String {
    #"{"recordedAt":"\#(time.rfc3339)","latitude":\#(latitude),"longitude":13.7}"#
  }
}

/// What guardd answered.
struct Answer: Sendable {
  let status: Int
  let retryAfter: String?
  let text: String

  init(_ response: IncomingResponse) {
    (status, retryAfter) = (response.status, response.header("Retry-After"))
    text = String(decoding: response.body, as: UTF8.self)
  }

  /// How many items were answered so.
  func count(_ status: String) -> Int { text.ranges(of: #""status":"\#(status)""#).count }
}
