import ShiftDomain
import Testing

@Suite("The order of a device's reports over HTTP") struct InstallationTests {
  // R: M3, W8
  @Test("goes by installation first: a sequence restarted by a reinstall hides no denial")
  func reinstalled() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always", sequence: 50)
      #expect(try await phone.clockIn().status == 201)
      world.clock.move(by: .minutes(1))
      let denied = try await phone.report("denied", sequence: 1, installation: "b")
      #expect(denied.status == 201 && denied["disposition"] == "in_force")
      #expect(denied["incidents", 0, "kind"] == "denied")
      let again = try await phone.report("denied", sequence: 1, installation: "b")
      #expect(again.status == 200 && again["disposition"] == "duplicate")
      #expect(again["report", "id"] == denied["report", "id"])
      // A report of an earlier installation is late, whatever its number.
      let late = try await phone.report("always", sequence: 51)
      #expect(late["disposition"] == "late" && late["incidents", 0, "kind"] == "denied")
      let third = try await phone.report("restricted", sequence: 1, installation: "c")
      #expect(third["disposition"] == "in_force")
      #expect(third["incidents", 0, "kind"] == "restricted")
      let second = try await phone.report("always", sequence: 2, installation: "b")
      #expect(second["disposition"] == "late")
      #expect(try await phone.get("/v1/me")["incidents", 0, "kind"] == "restricted")
    }
  }

  // R: M1, W2
  @Test("includes the reports of clock actions")
  func clockActions() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always", sequence: 50)
      func clockIn(_ attempt: String, _ rest: String) async throws -> Answer {
        try await phone.post(
          "/v1/clock-in", #"{"actionId":"\#(attempt)","sentAt":"\#(world.time())",\#(rest)}"#)
      }
      let report = #"{"authorization":"denied","services":"on","sequence":1"#
      let blocked = try await clockIn("a", #""installation":"b","report":\#(report)}"#)
      #expect(blocked.status == 409 && blocked.code == "clock_in_blocked")
      // The installation is also accepted inside the report.
      let inside = try await clockIn("b", #""report":\#(report),"installation":"c"}"#)
      #expect(inside.status == 409 && inside.code == "clock_in_blocked")
      let earlier = try await clockIn(
        "c", #""installation":"b","report":{"authorization":"always","sequence":9}"#)
      #expect(earlier.status == 409, "the newer installation's report is in force")
      let now = try await clockIn(
        "d", #""installation":"c","report":{"authorization":"always","sequence":2}"#)
      #expect(now.status == 201)
    }
  }

  // R: W1
  @Test("is kept for the newest hundred installations")
  func many() async throws {
    try await DeviceWorld.withPhone { _, phone in
      for number in 1...101 {
        try await phone.report("always", sequence: 7, installation: "i\(number)")
      }
      #expect(
        try await phone.report("denied", sequence: 8, installation: "i2")["disposition"] == "late")
      #expect(
        try await phone.report("denied", sequence: 8, installation: "i1")["disposition"]
          == "noted", "a dropped installation counts as a new one")
    }
  }

  // R: B11
  @Test("needs a valid installation ID: any other is refused with its location")
  func bad() async throws {
    try await DeviceWorld.withPhone { world, phone in
      let rest = #""authorization":"always","actionId":"a","recordedAt":"\#(world.time())""#
      let long = String(repeating: "x", count: 65)
      for path in ["permission-reports", "pings", "clock-in", "break-start"] {
        for id in [#""""#, "7", #""\#(long)""#] {
          let answer = try await phone.post("/v1/\(path)", #"{"installation":\#(id),\#(rest)}"#)
          #expect(answer.status == 422, "\(path) \(id)")
          #expect(answer["errors", 0, "pointer"] == "/installation", "\(path) \(id)")
        }
        let good = try await phone.post(
          "/v1/\(path)", #"{"installation":"\#(long.dropLast())",\#(rest)}"#)
        #expect(good.status != 422, "\(path)")
      }
    }
  }

  // R: W8
  @Test("lets no report take effect before its predecessor")
  func preceding() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always")
      try await phone.clockIn()
      world.clock.move(by: .minutes(5))
      try await phone.report("always")
      let preceding = world.time()
      world.clock.move(by: .seconds(30))
      func upload(_ reports: String) async throws -> Answer {
        try await phone.post(
          "/v1/permission-reports", #"{"sentAt":"\#(world.time())","reports":[\#(reports)]}"#)
      }
      let early = world.time(.seconds(-90))
      _ = try await upload(#"{"authorization":"denied","recordedAt":"\#(early)"}"#)
      #expect(try await phone.get("/v1/me")["incidents", 0, "openedAt"] == .string(preceding))
      _ = try await upload(#"{"authorization":"always"}"#)
      world.clock.move(by: .minutes(1))
      // Also within one upload.
      let newer = world.time(.seconds(-20))
      _ = try await upload(
        """
        {"authorization":"always","recordedAt":"\(newer)","sequence":1},
        {"authorization":"denied","recordedAt":"\(world.time(.seconds(-40)))","sequence":2}
        """)
      #expect(try await phone.get("/v1/me")["incidents", 0, "openedAt"] == .string(newer))
    }
  }

  // R: W8
  @Test("makes a lower sequence late, even after a report without one")
  func unnumbered() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always", sequence: 5)
      try await phone.clockIn()
      world.clock.move(by: .minutes(1))
      #expect(try await phone.report("denied")["disposition"] == "in_force")
      world.clock.move(by: .seconds(1))
      #expect(try await phone.report("denied")["disposition"] == "in_force")
      #expect(try await phone.report("always", sequence: 4)["disposition"] == "late")
      #expect(try await phone.get("/v1/me")["incidents", 0, "kind"] == "denied")
    }
  }

  // R: W1, M1
  @Test("makes a report over seven days old late, with or without `sentAt`")
  func old() async throws {
    for isSent in [true, false] {
      try await DeviceWorld.withPhone { world, phone in
        try await phone.report("always", sequence: 1)
        try await phone.clockIn()
        world.clock.move(by: .minutes(1))
        let sent = isSent ? #""sentAt":"\#(world.time())","# : ""
        let week = world.time(.zero - .hours(7 * 24) - .milliseconds(1))
        func post(_ path: String, _ rest: String) async throws -> Answer {
          try await phone.post(path, "{\(sent)\(rest)}")
        }
        let denied =
          #""recordedAt":"\#(week)","authorization":"denied","osVersion":"9","sequence":"#
        let late = try await post("/v1/permission-reports", denied + "2")
        #expect(late.status == 201 && late["disposition"] == "late")
        let me = try await phone.get("/v1/me")
        #expect(me["incidents", 0] == nil && me["report", "authorization"] == "always")
        #expect(me["device", "osVersion"] == "17.5")
        // In one upload, the newest report of the last seven days is in force.
        let both = try await post(
          "/v1/permission-reports",
          #""reports":[{\#(denied)4},{"authorization":"when_in_use","sequence":3}]"#)
        #expect(both["results", 0, "disposition"] == "late")
        #expect(both["results", 1, "disposition"] == "in_force")
        #expect(both["incidents", 0, "kind"] == "when_in_use")
        try await phone.clockOut()
        // Nor at a clock-in: the stored report decides.
        let again = try await post("/v1/clock-in", #""actionId":"b","report":{\#(denied)5}"#)
        #expect(again.status == 201)
        #expect(try await phone.get("/v1/me")["incidents", 0, "kind"] == "when_in_use")
      }
    }
  }
}

extension Phone {
  /// Reports `authorization` as of now, as this installation of the app.
  @discardableResult
  fileprivate func report(
    _ authorization: String, sequence: Int, installation: String
  ) async throws -> Answer {
    try await post(
      "/v1/permission-reports",
      """
      {"sentAt":"\(world.time())","installation":"\(installation)","sequence":\(sequence),
       "authorization":"\(authorization)","accuracy":"full","services":"on"}
      """)
  }
}
