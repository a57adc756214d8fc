import GuardRules
import JSONText
import PolicyOperations
import ShiftDomain
import Testing

@Suite("Breaks, take-overs and shift ends over HTTP") struct ClockActionTests {
  // R: W5, W2
  @Test("a break is shown in the responses, and tracking stops for it")
  func breaks() async throws {
    try await DeviceWorld.withPhone { world, phone in
      #expect(try await phone.clockAction("break-start", "none").code == "no_open_shift")
      #expect(try await phone.clockAction("break-end", "none-2").code == "no_open_shift")
      try await phone.report("always")
      try await phone.clockIn()
      world.clock.move(by: .minutes(1))
      let early = try await phone.clockAction("break-end", "early")
      #expect(early.status == 409 && early.code == "not_on_break")
      #expect(early["shift", "number"] == .integer(1))
      let began = world.time()
      for id in ["a", "a", "b"] {
        let answer = try await phone.clockAction("break-start", id)
        #expect(answer.status == 200)
        #expect(answer["shift", "onBreakSince"] == .string(began))
        #expect(answer["tracking", "track"] == .bool(false))
        #expect(answer["commands"] == .array([]))
      }
      world.clock.move(by: .minutes(1))
      #expect(try await phone.ping().results == ["on_break"])
      #expect(try await phone.get("/v1/me")["shift", "onBreakSince"] == .string(began))
      let past = try await phone.post(
        "/v1/break-end",
        """
        {"actionId":"past","sentAt":"\(world.time())","occurredAt":"\(world.time(.hours(-1)))"}
        """)
      #expect(past.status == 202 && past["reason"] == "no_open_shift")
      #expect(past["review"] == "pending" && past["clockAction"] != nil)
      let resumed = try await phone.clockAction("break-end", "c")
      #expect(resumed.status == 200 && resumed["shift", "onBreakSince"] == nil)
      #expect(resumed["commands", 0] == "send_fix_now")
      #expect(try await phone.clockAction("clock-in", "c").code == "action_id_reused")
    }
  }

  // R: W2, W7
  @Test("another phone takes over and is asked for a fix at once")
  func takeOver() async throws {
    try await DeviceWorld.run { world in
      let (first, second) = (try await world.phone(), try await world.phone())
      #expect(try await second.clockAction("take-over", "none").code == "no_open_shift")
      try await first.report("always")
      try await first.clockIn()
      world.clock.move(by: .minutes(1))
      #expect(try await second.clockIn().code == "open_elsewhere")
      for id in ["a", "a", "b"] {
        let answer = try await second.clockAction("take-over", id)
        #expect(answer.status == 200)
        #expect(answer["shift", "device"] == .integer(2))
        #expect(answer["tracking", "track"] == .bool(true))
        #expect(answer["commands", 0] == "send_fix_now")
      }
      #expect(try await first.get("/v1/me")["tracking", "track"] == .bool(false))
      let early = try await first.post(
        "/v1/take-over",
        """
        {"actionId":"e","sentAt":"\(world.time())","occurredAt":"\(world.time(.minutes(-1)))"}
        """)
      #expect(early.status == 409 && early.code == "out_of_order")
    }
  }

  // R: W6
  @Test("the end of a shift that ended automatically is confirmed once")
  func confirmEnd() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always")
      try await phone.clockIn()
      func confirm(_ shift: Int, _ ago: TimeSpan) async throws -> Answer {
        try await phone.post(
          "/v1/confirm-end",
          #"{"shift":\#(shift),"endedAt":"\#(world.time(.zero - ago))"}"#)
      }
      world.clock.move(by: .hours(1))
      #expect(try await confirm(1, .minutes(1)).code == "end_not_asked")
      world.clock.move(by: .hours(47))
      #expect(try await confirm(1, .hours(48)).code == "ends_before_start")
      #expect(try await confirm(1, .hours(31)).code == "ends_after_limit")
      let missing = try await confirm(2, .hours(40))
      #expect(missing.status == 404 && missing.code == "not_found")
      for _ in 0..<2 {
        let answer = try await confirm(1, .hours(40))
        #expect(answer.status == 200 && answer["shift", "number"] == .integer(1))
        #expect(answer["tracking", "track"] == .bool(false))
      }
      #expect(try await confirm(1, .hours(41)).code == "end_not_asked")
    }
  }

  // R: W3
  @Test("a shift begun with the employee's own override shows that to them")
  func ownOverride() async throws {
    try await DeviceWorld.run { world in
      _ = try await world.operations.policies.setPolicy(
        of: TeamID(1), PolicyChanges(selfOverride: .withReason))
      let phone = try await world.phone()
      try await phone.report("denied")
      let answer = try await phone.post(
        "/v1/clock-in",
        #"{"actionId":"a","sentAt":"\#(world.time())","overrideReason":"phone is broken"}"#)
      #expect(answer.status == 201 && answer["decision", "verdict"] == "warn")
      for said in [answer, try await phone.get("/v1/me")] {
        #expect(said["shift", "overridden"] == .array(["denied"]))
        #expect(said["shift", "overriddenBy", "author"] == "employee")
        #expect(said["shift", "overriddenBy", "by"] == "Anna")
        #expect(said["shift", "overriddenBy", "reason"] == "phone is broken")
      }
    }
  }

  // R: W1
  @Test("every response to a phone with a wrong clock says so, and no other response")
  func clock() async throws {
    try await DeviceWorld.withPhone { world, phone in
      func report(_ ahead: TimeSpan) async throws -> Answer {
        try await phone.post(
          "/v1/permission-reports",
          #"{"sentAt":"\#(world.time(ahead))","authorization":"always","services":"on"}"#)
      }
      #expect(try await report(.seconds(60))["clock"] == nil)
      let off = try await report(.seconds(-75))
      #expect(off["clock", "trust"] == "skewed" && off["clock", "skewMs"] == .integer(75_000))
      #expect(try await phone.get("/v1/me")["clock", "trust"] == "skewed")
      #expect(try await report(.hours(1))["clock", "trust"] == "wrong")
      #expect(try await phone.clockIn()["clock"] == nil)
      let pinged = try await phone.post(
        "/v1/pings", #"{"sentAt":"\#(world.time(.seconds(-61)))","pings":[{}]}"#)
      #expect(pinged["clock", "trust"] == "skewed")
      let assumed = try await phone.post(
        "/v1/pings",
        #"{"recordedAt":"\#(world.time(.seconds(61)))","latitude":1,"longitude":1}"#)
      #expect(assumed["clock", "trust"] == "assumed" && assumed["clock", "skewMs"] == nil)
      let out = try await phone.post(
        "/v1/clock-out", #"{"actionId":"o","sentAt":"\#(world.time(.hours(-2)))"}"#)
      #expect(out["clock", "skewMs"] == .integer(7_200_000))
    }
  }

  // R: B2, B8
  @Test("a clock action's fix may be null, old, without a place or with an absurd accuracy")
  func fixes() async throws {
    try await DeviceWorld.run(.advisory) { world in
      let phone = try await world.phone()
      let now = world.time()
      for (index, fix) in [
        "null", #"{"recordedAt":"\#(now)"}"#,
        #"{"recordedAt":"2001-01-01T00:00:00Z","latitude":1,"longitude":2}"#,
        #"{"recordedAt":"\#(now)","latitude":1,"longitude":2,"accuracy":-1}"#,
      ].enumerated() {
        let answer = try await phone.post(
          "/v1/clock-in", #"{"actionId":"\#(index)","sentAt":"\#(now)","fix":\#(fix)}"#)
        #expect(answer.status < 300, "\(fix): \(answer.text)")
      }
    }
  }

  // R: B2, B8
  @Test("an invalid fix refuses no break, take-over or clock-out")
  func badFixes() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always")
      try await phone.clockIn()
      for (kind, fix) in [
        ("break-start", "[1,2]"), ("break-end", #""here""#),
        ("take-over", #"{"latitude":1,"longitude":1}"#),
        (
          "break-start",
          #"{"recordedAt":"\#(world.time())","latitude":1,"longitude":1,"accuracy":-1}"#
        ),
        ("break-end", #"{"recordedAt":"\#(world.time())","latitude":0,"longitude":0}"#),
        ("clock-out", #"{"recordedAt":"\#(world.time())","latitude":91,"longitude":1}"#),
      ] {
        world.clock.move(by: .minutes(1))
        let answer = try await phone.post(
          "/v1/\(kind)",
          #"{"actionId":"\#(kind)-\#(fix.count)","sentAt":"\#(world.time())","fix":\#(fix)}"#)
        #expect(answer.status == 200, "\(kind): \(answer.text)")
        #expect(answer["fix", "status"] == "invalid", "\(answer.text)")
      }
    }
  }

  // R: B2, B8, W2
  @Test("an invalid fix refuses no clock-in: it is omitted and named")
  func badFixAtClockIn() async throws {
    for preset in [Preset.standard, .advisory] {
      try await DeviceWorld.run(preset) { world in
        let phone = try await world.phone()
        try await phone.report("always")
        for _ in 1...2 {
          let answer = try await phone.post(
            "/v1/clock-in",
            #"{"actionId":"z","fix":{"recordedAt":"\#(world.time())","latitude":-180,"#
              + #""longitude":-180}}"#)
          #expect(answer.status == 201, "\(answer.text)")
          #expect(answer["fix", "status"] == "invalid")
          #expect(answer["fix", "pointer"] == "/fix/latitude")
        }
      }
    }
  }

  // R: W2
  @Test("a clock-in repeated after its shift has ended requests no fix")
  func oldRepeat() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always")
      for isOpen in [true, true, false] {
        if !isOpen { #expect(try await phone.clockOut().status == 200) }
        let answer = try await phone.clockIn()
        #expect(answer.status == 201)
        #expect(answer["commands"] == .array(isOpen ? ["send_fix_now"] : []))
        world.clock.move(by: .minutes(1))
      }
    }
  }
}

extension Phone {
  /// A clock action made now.
  func clockAction(_ kind: String, _ id: String) async throws -> Answer {
    try await post("/v1/\(kind)", #"{"actionId":"\#(id)","sentAt":"\#(world.time())"}"#)
  }
}
