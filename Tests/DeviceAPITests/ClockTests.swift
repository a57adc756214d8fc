import DeviceAPI
import HTTPAPI
import HTTPServing
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Clock-in and clock-out over HTTP") struct ClockTests {
  @Test("`denied` blocks, and the response names the remedy")  // R: A8
  func blocked() async throws {
    try await DeviceWorld.withPhone { _, phone in
      try await phone.report("denied")
      let answer = try await phone.clockIn()
      #expect(answer.status == 409)
      #expect(answer.code == "clock_in_blocked")
      #expect(answer.headers["Content-Type"] == "application/problem+json")
      #expect(answer["decision", "verdict"] == "block")
      #expect(answer["guidance", "remedies", 0, "finding"] == "denied")
      #expect(answer["action"] == answer["guidance", "remedies", 0, "action"])
      #expect(answer["tracking", "track"] == .bool(false))
    }
  }

  @Test("a phone that never sent a report is asked for one")
  func noReport() async throws {
    try await DeviceWorld.withPhone { _, phone in
      let answer = try await phone.clockIn()
      #expect(answer.status == 409)
      #expect(answer["action"] == "send_report")
    }
  }

  @Test("`when_in_use` proceeds with a warning, `always` without one")  // R: A9
  func proceeds() async throws {
    for (authorization, verdict) in [("when_in_use", "warn"), ("always", "allow")] {
      try await DeviceWorld.withPhone { _, phone in
        try await phone.report(authorization)
        let answer = try await phone.clockIn()
        #expect(answer.status == 201)
        #expect(answer["decision", "verdict"] == .string(verdict))
        #expect(answer["shift", "employee"] == .integer(7))
        #expect(answer["shift", "number"] == .integer(1))
        #expect(answer.headers["Location"] == "/v1/employees/7/shifts/1/coverage")
        #expect(answer["tracking", "track"] == .bool(true))
        #expect(answer["commands", 0] == "send_fix_now")
      }
    }
  }

  @Test("a report sent with the clock-in decides")
  func reportAlong() async throws {
    try await DeviceWorld.withPhone { (world, phone) async throws in
      func clockAction(_ id: String, _ authorization: String) -> String {
        """
        {"actionId":"\(id)","sentAt":"\(world.time())",
         "report":{"authorization":"\(authorization)","services":"on"}}
        """
      }
      #expect(try await phone.post("/v1/clock-in", clockAction("a", "restricted")).status == 409)
      #expect(try await phone.post("/v1/clock-in", clockAction("b", "always")).status == 201)
    }
  }

  @Test("a repeated clock action gets its first response, another body gets 409")
  func repeats() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("denied")
      #expect(try await phone.clockIn("a").status == 409)
      try await phone.report("always")
      world.clock.move(by: .seconds(2))
      // Only `sentAt` differs: the first response again.
      #expect(try await phone.clockIn("a").code == "clock_in_blocked")
      let other = try await phone.post(
        "/v1/clock-in", #"{"actionId":"a","note":"x","sentAt":"\#(world.time())"}"#)
      #expect(other.status == 409)
      #expect(other.code == "action_id_reused")
      #expect(other.text.contains("with another body"))

      #expect(try await phone.clockIn("b").status == 201)
      #expect(try await phone.clockIn("b").status == 201)
      let second = try await phone.clockIn("c")
      #expect(second.status == 200)
      #expect(second["shift", "number"] == .integer(1))
    }
  }

  // R: W2
  @Test("a clock action repeated with new times in its report counts as the same")
  func repeatsStamped() async throws {
    try await DeviceWorld.withPhone { (world, phone) async throws in
      func clockAction() -> String {
        """
        {"actionId":"a","sentAt":"\(world.time())",
         "report":{"sentAt":"\(world.time())","authorization":"always","services":"on"}}
        """
      }
      #expect(try await phone.post("/v1/clock-in", clockAction()).status == 201)
      world.clock.move(by: .seconds(2))
      #expect(try await phone.post("/v1/clock-in", clockAction()).status == 201)
    }
  }

  @Test("another phone learns where the shift is open")
  func elsewhere() async throws {
    try await DeviceWorld.run { world in
      let first = try await world.phone()
      let second = try await world.phone(platform: "android")
      try await first.report("always")
      try await second.report("always")
      try await first.clockIn()
      let answer = try await second.clockIn()
      #expect(answer.status == 409)
      #expect(answer.code == "open_elsewhere")
      #expect(answer["action"] == "take_over")
      #expect(answer["shift", "number"] == .integer(1))
      #expect(try await second.get("/v1/me")["shift", "device"] == .integer(1))
    }
  }

  @Test("clock-out is never guarded, and its response says what happened")
  func clockOut() async throws {
    try await DeviceWorld.withPhone { world, phone in
      #expect(try await phone.clockOut("x").code == "no_open_shift")
      try await phone.report("always")
      try await phone.clockIn()
      func clockOut(_ attempt: String, _ ahead: TimeSpan) async throws -> Answer {
        try await phone.post(
          "/v1/clock-out",
          """
          {"actionId":"\(attempt)","sentAt":"\(world.time())","occurredAt":"\(world.time(ahead))"}
          """)
      }
      let early = try await clockOut("y", .seconds(-60))
      #expect(early.status == 409)
      #expect(early.code == "ends_before_start")
      #expect(early["shift", "number"] == .integer(1))
      world.clock.move(by: .minutes(5))
      try await phone.report("denied")
      // An offline clock-out is not refused: it is kept for review.
      let offline = try await clockOut("yy", .hours(-2))
      #expect(offline.status == 202)
      #expect(offline["reason"] == "no_open_shift" && offline["review"] == "pending")
      let out = try await phone.clockOut("z")
      #expect(out.status == 200)
      #expect(out["shift", "number"] == .integer(1))
      #expect(out["incidents"] == .array([]))
      #expect(out["tracking", "track"] == .bool(false))
      #expect(try await phone.clockOut("z").status == 200)
      #expect(try await phone.clockOut("zz").code == "no_open_shift")
    }
  }

  @Test("an offline day arrives in order, and an overlapping clock-in is kept for review")
  func offline() async throws {
    try await DeviceWorld.withPhone { world, phone in
      func clockAction(_ id: String, ago: TimeSpan) -> String {
        """
        {"actionId":"\(id)","sentAt":"\(world.time())",
         "occurredAt":"\(world.time(.zero - ago))",
         "report":{"recordedAt":"\(world.time(.zero - ago))","authorization":"always",
                   "services":"on"}}
        """
      }
      #expect(try await phone.post("/v1/clock-in", clockAction("in", ago: .hours(9))).status == 201)
      #expect(try await phone.ping(ago: .hours(3)).results == ["stored"])
      #expect(
        try await phone.post("/v1/clock-out", clockAction("out", ago: .hours(1))).status == 200)
      let overlap = try await phone.post("/v1/clock-in", clockAction("again", ago: .hours(4)))
      #expect(overlap.status == 202)
      #expect(overlap["reason"] == "overlaps" && overlap["review"] == "pending")
      #expect(overlap["shift", "number"] == .integer(1))
    }
  }

  @Test("guard check and current status agree, and change nothing")
  func present() async throws {
    try await DeviceWorld.withPhone { _, phone in
      try await phone.report("when_in_use")
      let check = try await phone.post("/v1/guard/check", "")
      let me = try await phone.get("/v1/me")
      #expect(check.status == 200 && me.status == 200)
      #expect(check["decision", "verdict"] == "warn")
      #expect(check["decision"] == me["decision"])
      #expect(check["guidance"] == me["guidance"])
      #expect(me["employee", "name"] == "Anna")
      #expect(me["device", "platform"] == "ios")
      #expect(me["device", "osVersion"] == "17.5")
      #expect(me["shift"] == nil)
      #expect(try await phone.get("/v1/me").text == me.text)
    }
  }

  @Test("without a database every route answers 503 with `Retry-After`")
  func unavailable() async throws {
    let pool = Pool(
      try ConnectionConfiguration("host=/nonexistent dbname=none"), size: 1, waitersMax: 8)
    let operations = TestOperations(pool: pool, now: { DeviceWorld.start })
    let router = Router(deviceRoutes(operations.device, now: { DeviceWorld.start }).map(\.route))
    let token = "sg_7_1_" + String(repeating: "A", count: 43)
    for (path, body) in [
      ("/v1/guard/check", ""), ("/v1/pings", "{}"), ("/v1/clock-in", #"{"actionId":"a"}"#),
      ("/v1/permission-reports", #"{"authorization":"always"}"#),
    ] {
      let answer = Answer(
        await router.respond(
          to: try HTTPRequest(
            .post, path, headers: ["Authorization": "Bearer \(token)"], body: Array(body.utf8))))
      #expect(answer.status == 503, "\(path): \(answer.text)")
      #expect(answer.code == "unavailable")
      #expect(answer.headers["Retry-After"] != nil)
    }
    await pool.close()
  }
}
