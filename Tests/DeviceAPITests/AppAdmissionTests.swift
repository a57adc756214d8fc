import DeviceAPI
import DeviceOperations
import Foundation
import HTTPServing
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@Suite("Apps from a store, admitted") struct AppAdmissionTests {
  typealias Place = (name: String, query: String, header: String, body: String)

  /// Where an app may have its token, written `TOKEN` here and `BASE64` with a name before it.
  private static func places(of app: PhoneApp) -> [Place] {
    let headers: [Place] = [
      ("bearer", "", "Bearer TOKEN", ""), ("basic", "", "Basic BASE64", ""),
      ("as Overland for OwnTracks", "", "Basic TOKEN:", ""),
    ]
    guard app == .traccar else { return headers }
    return headers + [
      ("query", "?id=TOKEN&timestamp=1767600000", "", ""),
      ("query, other name", "?deviceid=TOKEN&lat=52.5&lon=13.4", "", ""),
      ("query, body elsewhere", "?token=TOKEN", "", "timestamp=1767600000"),
      ("form", "", "", "id=TOKEN&timestamp=1767600000"),
      ("form, other name", "", "", "timestamp=1767600000&deviceid=TOKEN"),
      ("JSON", "", "", #"{"location":{"timestamp":"2026-01-05T08:00:00Z"},"device_id":"TOKEN"}"#),
      ("list", "", "", #"[{"imei":"TOKEN","timestamp":1767600000}]"#),
    ]
  }

  // R: M1
  @Test("wherever they have their token, until it is revoked", arguments: PhoneApp.allCases)
  func tokens(_ app: PhoneApp) async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.app(app)
      func status(_ place: Place, _ token: String) async throws -> Int {
        func fill(_ text: String) -> String {
          text.replacing("TOKEN", with: token)
            .replacing("BASE64", with: Data("7:\(token)".utf8).base64EncodedString())
        }
        return try await world.post(
          app.path + fill(place.query), fill(place.body),
          headers: place.header.isEmpty ? [:] : ["Authorization": fill(place.header)]
        ).status
      }
      let wrong = phone.token.dropLast(5) + "AAAAA"
      for place in Self.places(of: app) {
        #expect(try await status(place, phone.token) == 200, "\(place.name)")
        #expect(try await status(place, String(wrong)) == 401, "\(place.name)")
        #expect(try await status(place, "") == 401, "\(place.name)")
      }
      try await world.operations.people.revoke(device: phone.device)
      for place in Self.places(of: app) {
        #expect(try await status(place, phone.token) == 401, "\(place.name)")
      }
    }
  }

  // R: W25
  @Test(
    "no longer after their employee was erased, whoever has the number",
    arguments: PhoneApp.allCases)
  func reusedNumber(_ app: PhoneApp) async throws {
    try await DeviceWorld.run { world in
      let former = try await world.app(app)
      #expect(try await former.post(world.position(for: app)).status == 200)
      try await world.replaceEmployee()
      let present = try await world.app(app)
      #expect(present.device == former.device)
      // The present phone first, because a refusal of the former one makes the instance look again.
      for _ in 0..<2 {
        #expect(try await present.post(world.position(for: app)).status == 200)
        #expect(try await former.post(world.position(for: app)).status == 401)
      }
    }
  }

  // R: M1
  @Test("with long bodies without a query each, until one is refused")
  func longBodies() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.overland)
      let device = world.operations.device
      let credential = try #require(DeviceCredential(token: app.token, to: .overland))
      let wrong = try #require(
        DeviceCredential(token: String(app.token.dropLast(5) + "AAAAA"), to: .overland))
      await #expect(throws: OperationError.unauthorized) {
        try await device.authorizeLongBody(of: wrong)
      }
      try await world.operations.people.revoke(device: app.device)
      try await device.authorizeLongBody(of: credential)
      #expect(try await app.post(world.position(for: .overland)).status == 401)
      await #expect(throws: OperationError.unauthorized) {
        try await device.authorizeLongBody(of: credential)
      }
    }
  }

  // R: M1
  @Test("old Traccar Clients with all in the query, however they ask")
  func query() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.traccar)
      for method in [HTTPMethod.get, .post] {
        world.wait(.seconds(30))
        let seconds = world.now.milliseconds / 1_000
        let answer = try await world.send(
          method, "\(app.app.path)?id=\(app.token)&timestamp=\(seconds)&lat=52.5&lon=13.4&batt=64.0"
        )
        #expect(answer.status == 200 && answer.text.isEmpty)
      }
      #expect(
        try await world.count("SELECT count(latitude_e7) FROM ping WHERE device_no = 2") == 3)
    }
  }

  // R: M1
  @Test(
    "not while too much waits, which is 503 for all of them, and no refusal",
    .timeLimit(.minutes(5)))
  func overload() async throws {
    try await DeviceWorld.run { world in
      var apps: [AppPhone] = []
      for app in PhoneApp.allCases { apps.append(try await world.app(app)) }
      let credential = try #require(DeviceCredential(token: apps[0].token, to: apps[0].app))
      // Held however long a busy machine takes to fill the queue.
      try await world.pool.holding { (session) throws(PostgresError) in
        try session.script("LOCK TABLE guard_state IN ACCESS EXCLUSIVE MODE")
      } during: { release in
        let operations = world.operations
        let pings = (0..<1_000).map { IncomingPing.fix(at: world.now - .seconds($0)) }
        await withTaskGroup { group in
          // Two rounds are being written, each of as many uploads as had come; the next ones wait.
          while !operations.pings.isFull {
            group.addTask {
              _ = try? await operations.device.ping(
                pings, sentAt: nil, from: credential, receipt: operations.receipt)
            }
            try? await Task.sleep(for: .milliseconds(10))
          }
          for app in apps {
            for body in [world.position(for: app.app), "{", ""] {
              let answer = try? await app.post(body)
              #expect(answer?.status == 503 && answer?.headers["Retry-After"] != nil)
            }
          }
          group.cancelAll()
          release.signal()
        }
      }
      for app in apps {
        #expect(try await app.post(world.position(for: app.app)).status == 200)
      }
    }
  }

  // R: M1
  @Test("and what they send that cannot be read is bounded, in number and in bytes")
  func quarantine() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.overland)
      func kept(_ what: StaticString) async throws -> Int64 {
        try await world.count("SELECT \(fragment: what) FROM quarantined_message")
      }
      let long = String(repeating: "é", count: 9_000)
      #expect(try await app.post(#"{"long":"\#(long)"}"#).status == 200)
      #expect(try await kept("count(*)") == 1)
      #expect(try await kept("count(body)") == 0)
      #expect(try await kept("max(byte_count)::bigint") == 18_011)

      // In one message, and in many.
      let items = (0..<300).map { #"{"properties":{"timestamp":\#($0),"pad":"\#($0)"}}"# }
      _ = try await app.post(#"{"locations":[\#(items.joined(separator: ","))]}"#)
      #expect(try await kept("count(*)") == 100)
      let padding = Array(repeating: UInt8(0xFF), count: 16_000)
      for number in 0..<110 {
        world.wait(.seconds(1))
        let body = Array("\(number) ".utf8) + padding
        let answer = try await world.send(.post, app.app.path, body, token: app.token)
        #expect(answer.status == 200 && answer.text == #"{"result":"ok"}"#)
      }
      #expect(try await kept("count(*)") == 100)
      #expect(try await kept("count(body)") == 100)
      #expect(try await kept("max(length(body))::bigint") <= 16_384)
      #expect(try await kept("count(*) FILTER (WHERE body LIKE '109 %')") == 1)
      #expect(try await kept("count(*) FILTER (WHERE body LIKE '9 %')") == 0)
      #expect(try await kept("count(*) FILTER (WHERE reason <> 'syntax')") == 0)
    }
  }
}
