import DeviceOperations
import JSONText
import PeopleOperations
import ReadModels
import ShiftDomain
import Testing

/// What is remembered of refused requests, as support reads it.
@Suite("Refused requests") struct RefusedRequestTests {
  private func remembered(_ world: DeviceWorld, device number: Int16 = 1) async throws
    -> [RefusedRequest]
  {
    let device = DeviceID(employee: EmployeeID(7), number: number)
    return try #require(try await world.operations.people.support(of: device).refusals).requests
  }

  private func lines(_ world: DeviceWorld, device number: Int16 = 1) async throws -> [String] {
    try await remembered(world, device: number).map { request in
      "\(request.route) \(request.status) \(request.code)"
        + (request.items.map { " \($0)" } ?? "")
    }
  }

  @Test("are remembered with time, route, status and code, and nothing else of them")
  func remembers() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("denied")
      #expect(try await lines(world).isEmpty)
      #expect(try await phone.clockIn().status == 409)
      world.wait(.seconds(1))
      #expect(try await phone.post("/v1/pings", #"{"pings":7}"#).status == 422)
      #expect(try await phone.post("/v1/pings", "{").status == 400)
      #expect(try await phone.get("/v1/me?appSession=").status == 422)
      let pings = (0..<3).map { second -> String in
        let time = world.time(.seconds(Int64(-second)))
        return #"{"recordedAt":"\#(time)","latitude":45.8150,"longitude":15.9819}"#
      }
      let answer = try await phone.post(
        "/v1/pings", #"{"pings":[\#(pings.joined(separator: ",")),{"latitude":1}]}"#)
      #expect(answer.status == 200, "\(answer.text)")
      #expect(
        Set(try await lines(world)) == [
          "POST /v1/pings 200 no_shift 3", "POST /v1/pings 200 invalid 1",
          "GET /v1/me 422 invalid_query", "POST /v1/pings 400 malformed_json",
          "POST /v1/pings 422 invalid_body", "POST /v1/clock-in 409 clock_in_blocked",
        ])
      let first = try #require(try await remembered(world).last)
      #expect(first.at == DeviceWorld.start)
    }
  }

  @Test("with a revoked token are attributed to its device, with any other token to none")
  func revoked() async throws {
    try await DeviceWorld.withPhone { world, phone in
      let other = try await world.phone()
      try await world.operations.people.revoke(
        device: DeviceID(employee: EmployeeID(7), number: 1))
      #expect(try await phone.get("/v1/me").status == 401)
      let ping = #"{"pings":[{"recordedAt":"\#(world.time())"}]}"#
      #expect(try await phone.post("/v1/pings", ping).status == 401)
      #expect(
        try await lines(world) == [
          "POST /v1/pings 401 unauthorized", "GET /v1/me 401 unauthorized",
        ])
      let secret = String(phone.token.split(separator: "_", maxSplits: 3)[3])
      for token in ["sg_7_2_\(secret)", "sg_7_2_x", "x", "sg_99_1_\(secret)"] {
        #expect(try await world.send(.get, "/v1/me", token: token).status == 401)
      }
      #expect(try await lines(world, device: 2).isEmpty)
      #expect(try await other.get("/v1/me").status == 200)
    }
  }

  @Test("of reports count the items that cannot be read")
  func reports() async throws {
    try await DeviceWorld.withPhone { world, phone in
      let answer = try await phone.post(
        "/v1/permission-reports", #"{"reports":[{"authorization":"always"},{},{"source":"x"}]}"#)
      #expect(answer.status == 201, "\(answer.text)")
      #expect(try await lines(world) == ["POST /v1/permission-reports 200 invalid_body 2"])
    }
  }
}
