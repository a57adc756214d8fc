import JSONText
import ShiftDomain
import Testing

@Suite("An acknowledgement") struct AcknowledgementTests {
  private func acknowledge(_ phone: Phone, _ more: String = "", session: String = "s-1")
    async throws -> Answer
  {
    try await phone.post("/v1/acknowledgements", #"{"appSession":"\#(session)"\#(more)}"#)
  }

  private func isAcknowledged(_ phone: Phone, session: String = "s-1") async throws -> JSONValue? {
    let me = try await phone.get("/v1/me?appSession=\(session)")
    let check = try await phone.post("/v1/guard/check", #"{"appSession":"\#(session)"}"#)
    #expect(me.status == 200 && check.status == 200)
    #expect(me["guidance", "acknowledged"] == check["guidance", "acknowledged"])
    return me["guidance", "acknowledged"]
  }

  // R: A16
  @Test("holds for the app session; a new session shows the warning again")
  func session() async throws {
    try await DeviceWorld.withPhone { _, phone in
      try await phone.report("when_in_use")
      #expect(try await isAcknowledged(phone) == .bool(false))
      let answer = try await acknowledge(phone)
      #expect(answer.status == 200 && answer["guidance", "acknowledged"] == .bool(true))
      #expect(try await isAcknowledged(phone) == .bool(true))
      #expect(try await isAcknowledged(phone, session: "s-2") == .bool(false))
      // Requests without a session get no acknowledgement state.
      #expect(try await phone.get("/v1/me")["guidance", "acknowledged"] == nil)
      #expect(try await phone.post("/v1/guard/check", "")["guidance", "acknowledged"] == nil)
      // A new session replaces the old one.
      #expect(try await acknowledge(phone, session: "s-2").status == 200)
      #expect(try await isAcknowledged(phone) == .bool(false))
    }
  }

  // R: A16
  @Test("does not cover later findings until they are acknowledged too")
  func worse() async throws {
    try await DeviceWorld.withPhone { _, phone in
      try await phone.report("when_in_use")
      _ = try await acknowledge(phone)
      try await phone.report("denied")
      #expect(try await isAcknowledged(phone) == .bool(false))
      #expect(
        try await acknowledge(phone, #","findings":["denied"]"#)["guidance", "acknowledged"]
          == .bool(true))
      // What was acknowledged before in this session still is.
      try await phone.report("when_in_use")
      #expect(try await isAcknowledged(phone) == .bool(true))
    }
  }

  // R: A15
  @Test("dismisses a prompt and changes no decision, neither a warning nor a block")
  func dismissing() async throws {
    try await DeviceWorld.withPhone { _, phone in
      for (authorization, verdict, status) in [
        ("denied", "block", 409), ("when_in_use", "warn", 201),
      ] {
        try await phone.report(authorization)
        let before = try await phone.get("/v1/me")
        #expect(before["decision", "verdict"] == .string(verdict))
        let after = try await acknowledge(phone)
        #expect(after["decision"] == before["decision"])
        #expect(after["guidance", "banner"] == before["guidance", "banner"])
        #expect(try await phone.clockIn("tap-\(verdict)").status == status)
      }
    }
  }

  static let unreadable: [(body: String, pointer: String)] = [
    ("{}", "/appSession"), (#"{"appSession":""}"#, "/appSession"),
    (#"{"appSession":7}"#, "/appSession"),
    (#"{"appSession":"\#(String(repeating: "x", count: 65))"}"#, "/appSession"),
    (#"{"appSession":"s","findings":"denied"}"#, "/findings"),
    (#"{"appSession":"s","findings":["denied","sleepy"]}"#, "/findings/1"),
    (#"{"appSession":"s","findings":[1]}"#, "/findings/0"), ("[]", ""),
  ]

  @Test("names the invalid field", arguments: unreadable)
  func faults(_ body: String, _ pointer: String) async throws {
    try await DeviceWorld.withPhone { world, phone in
      let answer = try await phone.post("/v1/acknowledgements", body)
      #expect(answer.status == 422 && answer.code == "invalid_body")
      #expect(answer["errors", 0, "pointer"] == .string(pointer))
      let check = try await phone.post("/v1/guard/check", #"{"appSession":""}"#)
      #expect(check.status == 422)
      #expect(try await world.post("/v1/acknowledgements", body, token: "x").status == 401)
    }
  }
}
