import GuardRules
import ManagerCore
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Several regions, and their edges") struct RegionPresenceTests {
  // R: M1, W1
  @Test(
    "a shift goes on while the phone is in one of its regions, and ends when it leaves the last")
  func severalRegions() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      let start = world.now
      _ = try await app.cross("enter", "Shift Campus")
      world.wait(.seconds(2))
      try await app.send(.always)
      world.wait(.seconds(3))
      _ = try await app.cross("enter", "Shift Depot")
      world.wait(.seconds(15))
      _ = try await app.cross("leave", "Shift Depot")
      for _ in 1...3 {
        world.wait(.minutes(1))
        _ = try await app.locate(in: "Shift Campus", "Home")
      }
      #expect(try await world.openShift() == start)
      #expect(try await world.count("SELECT count(latitude_e7) FROM ping") == 3)
      let end = world.now
      _ = try await app.cross("leave", "Shift Campus")
      #expect(try await world.openShift() == start, "it may come back")
      world.wait(.seconds(119))
      _ = try await app.post(world.position(for: .ownTracks))
      #expect(try await world.openShift() == start)
      world.wait(.seconds(1))
      _ = try await app.post(world.position(for: .ownTracks))
      #expect(try await world.ends() == [end])
      #expect(try await world.actions() == ["clockedIn", "clockedOut"])
      #expect(try await world.knowsNoRegion())
    }
  }

  // R: M1, W1, W24
  @Test("a phone at the edge of a region has one shift", arguments: [7, 300])
  func edge(crossings: Int) async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      try await app.send(.always)
      let start = world.now
      for number in 0..<crossings {
        _ = try await app.cross(number.isMultiple(of: 2) ? "enter" : "leave")
        world.wait(.seconds(5))
      }
      #expect(try await world.count("SELECT count(*) FROM shift") == 1)
      #expect(try await world.actions() == ["clockedIn"])
      #expect(try await world.openShift() == start)
    }
  }

  // R: M1, W1, W24
  @Test("crossings at an edge while the arrival waits for the permission begin one shift")
  func edgeWhileWaiting() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.app(.ownTracks)
      let start = world.now
      for event in ["enter", "leave", "enter", "leave"] {
        _ = try await app.cross(event)
        world.wait(.seconds(4))
      }
      try await app.send(.always)
      #expect(try await world.actions() == ["clockedIn"])
      try await world.passDeparture()
      #expect(try await world.actions() == ["clockedIn", "clockedOut"])
      #expect(try await world.ends() == [start + .seconds(12)])
    }
  }

  // R: M1, W1, W4
  @Test("a queue that was sent after the limit ends the shift when the phone left the last region")
  func afterTheLimit() async throws {
    try await DeviceWorld.run(decidesDue: true) { world in
      let app = try await world.appInRegion()
      let entered = world.now
      world.wait(.hours(17))
      _ = try await world.operations.background.processDueTime(of: EmployeeID(7))
      #expect(try await world.ends().count == 1)
      _ = try await app.cross("enter", "Shift Yard", at: entered)
      _ = try await app.cross("leave", at: entered + .minutes(1))
      for event in ["leave", "enter", "leave"] {
        _ = try await app.cross(event, "Shift Yard", at: entered + .hours(2))
      }
      _ = try await app.post(world.position(for: .ownTracks, at: entered + .hours(3)))
      #expect(try await world.ends() == [entered + .hours(2)])
      #expect(try await world.actions() == ["clockedIn", "clockedOut"])
    }
  }

  // R: M1, W1
  @Test(
    "a phone that says nothing after its departure is clocked out two minutes after the receipt")
  func silent() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appInRegion()
      let end = world.now
      world.wait(.seconds(50))
      _ = try await app.cross("leave", at: end)
      world.wait(.seconds(120))
      try await world.operations.device.decideWaitingCrossings()
      #expect(try await world.ends() == [])
      world.wait(.milliseconds(1))
      for _ in 1...2 { try await world.operations.device.decideWaitingCrossings() }
      #expect(try await world.ends() == [end])
      #expect(try await world.knowsNoRegion())
    }
  }

  // R: M1, W1
  @Test("a location that names none of the regions for shifts is a departure, any other is not")
  func named() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appInRegion()
      // A lost arrival: the count says that it has left the only region.
      _ = try await app.cross("leave")
      world.wait(.seconds(30))
      _ = try await app.locate(in: "Shift Yard")
      world.wait(.minutes(5))
      _ = try await app.locate(in: "Shift Yard")
      #expect(try await world.ends() == [])
      // A lost departure.
      world.wait(.minutes(1))
      let end = world.now
      _ = try await app.locate(in: "Home")
      world.wait(.minutes(2))
      _ = try await app.locate()
      #expect(try await world.ends() == [end])
    }
  }

  // R: M1, W1, W4
  @Test(
    "an older location outside ends no shift after a newer one inside", arguments: [false, true])
  func olderDeparture(isInOrder: Bool) async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appInRegion()
      let (outside, inside) = (world.now, world.now + .seconds(100))
      world.wait(.seconds(110))
      for at in isInOrder ? [outside, inside] : [inside, outside] {
        if at == inside {
          _ = try await app.locate(in: "Shift: Depot", at: at)
        } else {
          _ = try await app.locate(at: at)
        }
      }
      world.wait(.minutes(5))
      _ = try await app.post(world.position(for: .ownTracks))
      try await world.operations.device.decideWaitingCrossings()
      #expect(try await world.ends() == [])
    }
  }

  // R: M1, W1, W4
  @Test("an arrival after two minutes begins another shift, also if the first has not ended yet")
  func backLater() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appInRegion()
      let end = world.now
      _ = try await app.cross("leave")
      world.wait(.seconds(119))
      _ = try await app.cross("enter")
      world.wait(.minutes(1))
      _ = try await app.cross("leave")
      let left = world.now
      world.wait(.seconds(120))
      try await app.send(.always)
      _ = try await app.cross("enter")
      #expect(try await world.ends() == [left])
      #expect(left - end == .seconds(179))
      #expect(try await world.openShift() == world.now)
    }
  }

  // R: M1, W1, W4
  @Test("in a break, a departure counts from its end, if the phone has not come back")
  func leftInBreak() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      let app = try await world.appInRegion()
      for (number, comesBack) in [true, false].enumerated() {
        _ = try await page.post("/v1/break-start", #"{"actionId":"start \#(number)"}"#)
        world.wait(.minutes(5))
        _ = try await app.cross("leave")
        world.wait(.minutes(5))
        try await world.operations.device.decideWaitingCrossings()
        if comesBack { _ = try await app.cross("enter") }
        world.wait(.minutes(5))
        _ = try await page.post("/v1/break-end", #"{"actionId":"end \#(number)"}"#)
        if comesBack { world.wait(.minutes(10)) }
      }
      let end = world.now
      world.wait(.seconds(119))
      try await world.operations.device.decideWaitingCrossings()
      #expect(try await world.ends() == [])
      world.wait(.seconds(2))
      try await world.operations.device.decideWaitingCrossings()
      #expect(try await world.ends() == [end])
    }
  }

  // R: M1, W1, W4
  @Test("an arrival within two minutes that comes later undoes the end", arguments: [0, 119])
  func undone(seconds: Int64) async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      let app = try await world.appInRegion()
      _ = try await app.post(world.position(for: .ownTracks))
      let start = try await world.openShift()
      let left = world.now
      _ = try await app.cross("leave")
      world.wait(.seconds(60))
      _ = try await app.post(world.position(for: .ownTracks))
      world.wait(.seconds(61))
      try await world.operations.device.decideWaitingCrossings()
      #expect(try await world.ends() == [left])
      let off = try await page.get("/v1/me")
      #expect(off["trackingState", "state"] == "off_shift")
      world.wait(.minutes(3))
      for _ in 1...2 { _ = try await app.cross("enter", at: left + .seconds(seconds)) }
      #expect(try await world.openShift() == start)
      #expect(try await world.count("SELECT count(*) FROM shift") == 1)
      #expect(try await world.count("SELECT count(*) FROM purge") == 0)
      let on = try await page.get("/v1/me")
      #expect(on["shift", "device"] == .integer(2))
      _ = try await app.cross("leave")
      let end = world.now
      try await world.passDeparture()
      #expect(try await world.ends() == [end])
      let details = try await page.get("/v1/me/shifts/1")
      #expect(details["coverage", "totals", "tracked"] == .integer(240_000), "\(details.text)")
    }
  }

  // R: M1, W1
  @Test("an arrival that comes later undoes no end of two minutes before, nor beside another shift")
  func notUndone() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      let app = try await world.appInRegion()
      let left = world.now
      _ = try await app.cross("leave")
      try await world.passDeparture()
      world.wait(.minutes(1))
      try await app.send(.always)
      let back = left + departureWait
      _ = try await app.cross("enter", at: back)
      #expect(try await world.openShift() == back)
      world.wait(.milliseconds(999))
      _ = try await app.cross("leave")
      let leftAgain = world.now
      try await world.passDeparture()
      _ = try await page.report("always")
      try #require(try await page.clockIn().status == 201)
      let start = world.now
      _ = try await app.cross("enter", at: leftAgain + .seconds(1))
      #expect(try await world.ends() == [left, leftAgain])
      #expect(try await world.openShift() == start)
    }
  }

  // R: W21, W24
  @Test("an arrival undoes the end also when a manager has added a shift of last week")
  func undoneBesideAdded() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appInRegion()
      let (start, lastWeek) = (try await world.openShift(), world.now - .hours(7 * 24))
      _ = try await world.operations.reviews.addShift(
        for: EmployeeID(7),
        AddedShift(Interval(from: lastWeek, to: lastWeek + .hours(8)), reason: "no phone"),
        by: Principal(actor: AuditActor(name: "Mira"), role: .administrator)
      ).get()
      let left = world.now
      _ = try await app.cross("leave")
      try await world.passDeparture()
      #expect(try await world.ends() == [left, lastWeek + .hours(8)])
      _ = try await app.cross("enter", at: left + .seconds(60))
      #expect(try await world.openShift() == start)
      #expect(try await world.count("SELECT count(*) FROM shift") == 2)
    }
  }

  // R: M1, W1
  @Test("the employee's own tap wins over a departure")
  func tap() async throws {
    try await DeviceWorld.run { world in
      let page = try await world.phone(platform: "web")
      let app = try await world.appInRegion()
      _ = try await app.cross("leave")
      world.wait(.seconds(30))
      let end = world.now
      #expect(try await page.clockOut().status == 200)
      world.wait(.minutes(5))
      _ = try await app.post(world.position(for: .ownTracks))
      try await world.operations.device.decideWaitingCrossings()
      #expect(try await world.ends() == [end])
      #expect(try await world.knowsNoRegion())
    }
  }
}

extension AppPhone {
  /// A location of OwnTracks with all regions that the phone is in.
  fileprivate func locate(in regions: String..., at instant: Instant? = nil) async throws
    -> Answer
  {
    try await post(
      #"{"_type":"location","lat":52.5201,"lon":13.4049,"tst":"#
        + "\((instant ?? world.now).milliseconds / 1_000)"
        + #","acc":12,"tid":"07","inregions":\#(regions)}"#)
  }
}

extension DeviceWorld {
  /// OwnTracks in a shift that began by an arrival half an hour ago.
  func appInRegion() async throws -> AppPhone {
    let app = try await app(.ownTracks)
    try await app.send(.always)
    _ = try await app.cross("enter")
    wait(.minutes(30))
    return app
  }

  /// Lets no arrival follow a departure.
  func passDeparture() async throws {
    wait(departureWait + .milliseconds(1))
    try await operations.device.decideWaitingCrossings()
  }

  func ends() async throws -> [Instant] {
    try await operations.pool.value(
      "SELECT array_agg(ended_at ORDER BY shift_no) FILTER (WHERE ended_at IS NOT NULL) FROM shift")
      ?? []
  }

  fileprivate func knowsNoRegion() async throws -> Bool {
    try await count("SELECT count(region_crossings) + count(left_received_at) FROM device") == 0
  }
}
