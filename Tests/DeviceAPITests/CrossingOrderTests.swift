import DeviceAPI
import HTTPAPI
import HTTPServing
import ReadModels
import ShiftDomain
import ShiftTestKit
import Telemetry
import Testing

@Suite("Crossings of regions, beside other clock actions") struct CrossingOrderTests {
  // R: W1, W4
  @Test("an arrival that waits is decided by whichever instance hears of the phone next")
  func instances() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      let other = app.at(world.secondInstance())
      _ = try await other.post(world.position(for: .ownTracks))
      _ = try await app.cross("enter")
      world.wait(.seconds(61))
      _ = try await other.post(world.position(for: .ownTracks))
      #expect(try await world.actions() == ["blocked"])
      #expect(try await world.count("SELECT count(arrived_at) FROM device") == 0)
    }
  }

  // R: W1, W4
  @Test("an arrival that waits is decided after a minute, also if the phone says nothing more")
  func silentArrival() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      let start = world.now
      _ = try await app.cross("enter")
      world.wait(.seconds(60))
      try await world.operations.device.decideWaitingCrossings()
      #expect(try await world.actions() == [])
      world.wait(.seconds(1))
      for _ in 1...2 { try await world.operations.device.decideWaitingCrossings() }
      #expect(try await world.actions() == ["blocked"])
      #expect(
        try await world.count("SELECT count(*) FROM clock_action WHERE at = \(start)") == 1)
      #expect(try await world.count("SELECT count(arrived_at) FROM device") == 0)
    }
  }

  // R: W1, M1
  @Test("an arrival that waits changes nothing once the employee has clocked in on the page")
  func tapWhileWaiting() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      _ = try await page.report("always")
      let app = try await world.app(.ownTracks)
      _ = try await app.cross("enter")
      world.wait(.seconds(10))
      try #require(try await page.clockIn().status == 201)
      world.wait(.seconds(61))
      _ = try await app.post(world.position(for: .ownTracks))
      #expect(try await world.actions().filter { $0 != "tracking" } == ["clockedIn"])
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 0)
      #expect(try await world.count("SELECT count(arrived_at) FROM device") == 0)
    }
  }

  // R: W1, A3
  @Test("an arrival counts also while an earlier one waits")
  func nextArrival() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      _ = try await app.cross("enter")
      world.wait(.hours(2))
      let start = world.now
      #expect(
        try await app.cross("enter", "Shift Yard").text == #"[{"_type":"cmd","action":"status"}]"#)
      #expect(try await world.actions() == ["blocked"])
      world.wait(.seconds(2))
      try await app.send(.always)
      #expect(try await world.actions() == ["blocked", "clockedIn"])
      #expect(try await world.openShift() == start)
    }
  }

  // R: W1
  @Test("an arrival by a clock that is ahead waits no longer than any other")
  func clockAhead() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      let start = world.now
      _ = try await app.cross("enter", at: start + .hours(24))
      world.wait(.seconds(61))
      _ = try await app.post(world.position(for: .ownTracks))
      #expect(try await world.actions() == ["blocked"])
      #expect(
        try await world.count("SELECT count(*) FROM clock_action WHERE at = \(start)") == 1)
    }
  }

  // R: W1, W4
  @Test("a departure on a break ends the shift with the break, also if it is received after that")
  func leftOnBreak() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      let app = try await world.app(.ownTracks)
      try await app.send(.always)
      _ = try await app.cross("enter")
      world.wait(.minutes(10))
      _ = try await page.post("/v1/break-start", #"{"actionId":"lunch"}"#)
      world.wait(.minutes(5))
      let left = world.now
      world.wait(.minutes(25))
      _ = try await page.post("/v1/break-end", #"{"actionId":"work"}"#)
      let end = world.now
      world.wait(.minutes(5))
      _ = try await app.cross("leave", at: left)
      #expect(try await world.actions() == ["clockedIn", "onBreak", "backAtWork"])
      try await world.passDeparture()
      #expect(
        try await world.actions() == ["clockedIn", "onBreak", "backAtWork", "clockedOut"])
      #expect(try await world.ends() == [end])
    }
  }

  // R: W1
  @Test(
    "a departure ends no shift that began with a button, even if the app has taken over",
    arguments: [false, true])
  func leftBeforeTakeOver(isLate: Bool) async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      _ = try await page.report("always")
      try #require(try await page.clockIn().status == 201)
      let app = try await world.app(.ownTracks)
      world.wait(.minutes(10))
      let left = world.now
      if isLate { world.wait(.minutes(20)) }
      _ = try await app.cross("leave", at: left)
      #expect(try await world.actions() == ["clockedIn"])
      _ = try await app.post(world.position(for: .ownTracks, at: left))
      _ = try await app.cross("leave", at: left + .seconds(1))
      #expect(try await world.actions() == ["clockedIn", "tracking"])
      world.wait(.minutes(1))
      _ = try await app.cross("leave")
      #expect(try await world.actions() == ["clockedIn", "tracking"])
    }
  }
}

extension AppPhone {
  fileprivate func at(_ world: DeviceWorld) -> AppPhone {
    AppPhone(world: world, app: app, device: device, token: token)
  }
}

extension DeviceWorld {
  /// Another instance of the service, on the same database.
  fileprivate func secondInstance() -> DeviceWorld {
    DeviceWorld(
      operations: operations, clock: clock,
      router: Router(
        deviceRoutes(operations.device, now: clock.reading, metrics: metrics).map(\.route)),
      metrics: metrics, rawReadings: rawReadings, differences: differences)
  }
}
