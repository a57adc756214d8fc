import DeviceAPI
import HTTPServing
import PeopleOperations
import ShiftDomain
import Testing

@Suite("The token of an app from a store") struct StoreAppTokenTests {
  private func routes(_ world: DeviceWorld) -> [(method: HTTPMethod, path: String)] {
    deviceRoutes(world.operations.device, now: world.clock.reading).map(\.route).map {
      ($0.method, $0.pattern.replacing("{shift}", with: "1"))
    }
  }

  // R: M1
  @Test("is valid at the address for its app, and nowhere else", arguments: PhoneApp.allCases)
  func admitted(_ app: PhoneApp) async throws {
    try await DeviceWorld.run { world in
      // It tracks, so its token is known to the pipeline of pings as well.
      let phone = try await world.appOnShift(app)
      let contact = try await world.count("SELECT count(*) FROM ping")
      var refused = 0
      for (method, path) in routes(world) where path != "/v1/enrolments" {
        let body = method == .get ? "" : "{}"
        let answer = try await world.send(method, path, Array(body.utf8), token: phone.token)
        if [app.path, app.path + "/"].contains(path) {
          #expect(answer.status == 200, "\(method) \(path)")
        } else if answer.text.contains("malformed_json") || answer.text.contains("invalid_body") {
          // Bodies are read before the database is asked.
          continue
        } else {
          #expect(answer.status == 403, "\(method) \(path): \(answer.text)")
          #expect(answer.text.contains(#""code":"store_app_token""#), "\(answer.text)")
          refused += 1
        }
      }
      #expect(refused > 8 + 2 * PhoneApp.allCases.count - 3)
      #expect(try await world.count("SELECT count(*) FROM ping") >= contact)
      #expect(try await phone.post(world.position(for: app)).status == 200)
    }
  }

  // R: M1
  @Test("clocks nobody in or out at the address of an app that crosses regions")
  func otherApp() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.appOnShift(.traccar)
      let crossing = AppPhone(
        world: world, app: .ownTracks, device: phone.device, token: phone.token)
      let version = try await world.count("SELECT version FROM guard_state")
      #expect(try await crossing.send(.always).status == 403)
      #expect(try await crossing.cross("leave").status == 403)
      #expect(try await world.count("SELECT version FROM guard_state") == version)
      #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NULL") == 1)
    }
  }

  // R: M1
  @Test("clocks nobody in or out, reports nothing, and stores no position by our own protocol")
  func refused() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.appOnShift(.overland)
      let version = try await world.count("SELECT version FROM guard_state")
      let time = world.time()
      for (path, body) in [
        ("/v1/clock-out", #"{"actionId":"a"}"#), ("/v1/clock-in", #"{"actionId":"b"}"#),
        ("/v1/permission-reports", #"{"authorization":"denied","services":"on"}"#),
        ("/v1/pings", #"{"pings":[{"recordedAt":"\#(time)","latitude":1,"longitude":1}]}"#),
        ("/v1/guard/check", "{}"),
      ] {
        let answer = try await world.post(path, body, token: phone.token)
        #expect(answer.status == 403, "\(path): \(answer.text)")
      }
      for path in [
        "/v1/me", "/v1/me/events", "/v1/me/sites", "/v1/me/shifts", "/v1/me/audit",
      ] {
        let answer = try await world.send(
          .get, path, token: phone.token, headers: ["If-None-Match": #"W/"a-1-b""#])
        #expect(answer.status == 403, "\(path): \(answer.text)")
      }
      #expect(try await world.count("SELECT version FROM guard_state") == version)
      #expect(try await world.count("SELECT count(*) FROM ping") == 1)
      // A wrong or revoked one is 401, as any other.
      let wrong = String(phone.token.dropLast(5) + "AAAAA")
      #expect(try await world.send(.get, "/v1/me", token: wrong).status == 401)
      try await world.operations.people.revoke(device: phone.device)
      #expect(try await world.send(.get, "/v1/me", token: phone.token).status == 401)
    }
  }
}
