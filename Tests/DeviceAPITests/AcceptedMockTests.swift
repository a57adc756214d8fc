import ShiftTestKit
import Testing

@Suite("A simulated position at the clock-in") struct AcceptedMockTests {
  // R: G4
  @Test("is accepted with it: reports of it are no news, until it was over for a minute")
  func accepted() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone(platform: "android", version: "14")
      try await phone.report("always")
      let begun = try await phone.post(
        "/v1/clock-in",
        #"{"actionId":"a","fix":{"recordedAt":"\#(world.time())","latitude":52.5,"longitude":13.4,"#
          + #""mock":true}}"#)
      #expect(begun.status == 201 && begun["decision", "verdict"] == "warn", "\(begun.text)")
      func report(mock: String) async throws -> Answer {
        try await phone.post(
          "/v1/permission-reports",
          #"{"authorization":"always","services":"on","accuracy":"full","#
            + #""conditions":{"mockLocation":"\#(mock)"}}"#)
      }
      world.wait(.seconds(30))
      let mocked = try await report(mock: "on")
      #expect(mocked["incidents", 0, "kind"] == "mock_location", "\(mocked.text)")
      #expect(try await world.topics() == [])
      for _ in 1...3 {
        world.wait(.seconds(61))
        _ = try await report(mock: "off")
      }
      let again = try await report(mock: "on")
      #expect(again["incidents", 0, "kind"] == "mock_location", "\(again.text)")
      #expect(try await world.topics().count == 1)
    }
  }
}
