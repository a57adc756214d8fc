import DeviceOperations
import GuardRules
import ManagerCore
import PeopleOperations
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

/// What a message of an app from a store costs.
@Suite("Round trips of a message from a store app") struct AppRoundTripTests {
  // R: M1
  @Test("for each kind of message")
  func kinds() async throws {
    try await withWorld { world in
      let app = try await StoreApp(in: world)
      let report = try await app.trips(reports: [app.report()])
      #expect(report.count == 3, "only a report, off shift")
      world.wait(.minutes(2))
      let offShift = try await app.trips(reports: [app.report()], pings: [fix(at: world.now)])
      #expect(offShift.count == 5, "a report and a position, off shift")
      #expect(offShift.outcome?.results == [.refused(.noShift)])
      world.wait(.seconds(10))
      let arrival = try await app.trips(crossings: [app.crossing(isArrival: true)])
      #expect(arrival.count == 3, "an arrival")
      #expect(arrival.outcome?.arrival == .decided(isTracking: true))
      for expected in [2, 1] {
        world.wait(.seconds(10))
        let position = try await app.trips(pings: [fix(at: world.now)])
        #expect(position.count == expected, "a position, the first after the arrival and others")
      }
      world.wait(.minutes(2))
      let onShift = try await app.trips(reports: [app.report()], pings: [fix(at: world.now)])
      #expect(onShift.count == 5, "a report and a position, on shift")
      #expect(onShift.outcome?.results == [.stored])
      world.wait(.minutes(10))
      let departure = try await app.trips(
        pings: [fix(at: world.now - .seconds(1))], crossings: [app.crossing(isArrival: false)])
      #expect(departure.count == 5, "a position and a departure")
      #expect(departure.outcome?.results == [.stored])
      #expect(departure.outcome?.advice.isTracking == true)
      world.wait(.minutes(10))
      let ending = try await app.trips(pings: [fix(at: world.now)])
      #expect(ending.count == 4, "a position that ends the shift by the departure")
      #expect(ending.outcome?.advice.isTracking == false)
      world.wait(.minutes(10))
      let again = try await app.trips(crossings: [app.crossing(isArrival: false)])
      #expect(again.count == 1, "a departure that changes nothing")
    }
  }

  // R: M1
  @Test("for a take-over from the page")
  func takeOver() async throws {
    try await withWorld { world in
      let page = try await Phone.enrolled(in: world, NewDevice(platform: .web))
      try await page.beginShift()
      let app = try await StoreApp(in: world)
      world.wait(.minutes(1))
      let taken = try await app.trips(reports: [app.report()], pings: [fix(at: world.now)])
      #expect(taken.count == 5, "a report, and a position that takes over")
      #expect(taken.outcome?.results == [.stored])
      #expect(taken.outcome?.advice.isTracking == true)
    }
  }

  // R: M1
  @Test("for a take-over by the second of two reports, which leaves something unknown")
  func takeOverByReports() async throws {
    try await withWorld { world in
      let page = try await Phone.enrolled(in: world, NewDevice(platform: .web))
      try await page.beginShift()
      let app = try await StoreApp(in: world)
      world.wait(.minutes(1))
      let off = PermissionState(authorization: .always, accuracy: .full, services: .off)
      let unknown = PermissionState(authorization: .always, accuracy: .full)
      let reports = [(off, Int64(20)), (unknown, 10)].map { state, seconds in
        IncomingReport(.state(state), recordedAt: world.now - .seconds(seconds))
      }
      let taken = try await app.trips(reports: reports, pings: [fix(at: world.now)])
      #expect(taken.count == 5)
      #expect(try await world.openKinds() == [.servicesOff])
    }
  }

  // R: M1
  @Test("for a take-over by positions alone, of which each is counted once")
  func takeOverByPositions() async throws {
    try await withWorld { world in
      let page = try await Phone.enrolled(in: world, NewDevice(platform: .web))
      try await page.beginShift()
      let app = try await StoreApp(in: world)
      world.wait(.minutes(1))
      let pings = [fix(at: world.now - .minutes(5)), fix(at: world.now)]
      let taken = try await app.trips(pings: pings)
      #expect(taken.count == 7, "stored, refused, taken over, and the refused one stored")
      #expect(taken.outcome?.results == [.refused(.noShift), .stored])
      #expect(taken.outcome?.advice.isTracking == true)
      #expect(try await world.count("SELECT count(*) FROM ping") == 1)
      world.wait(.minutes(1))
      _ = try await page.takeOver("back")
      world.wait(.minutes(1))
      let other = try await app.trips(pings: [fix(at: world.now)])
      #expect(other.outcome?.results == [.refused(.notTrackingDevice)])
    }
  }

  // R: W1, W3
  @Test("none: an arrival that waited in vain is decided as one made at its time")
  func waitedInVain() async throws {
    try await withWorld { world in
      let app = try await StoreApp(in: world)
      _ = try await world.operations.reviews.giveOverride(
        to: EmployeeID(7), FindingSet(.noReport), reason: "new phone", by: world.principal)
      world.wait(.minutes(1))
      let start = world.now
      _ = try await app.trips(crossings: [app.crossing(isArrival: true)])
      world.wait(.seconds(61))
      let heard = world.operations.lastSeen.pending
      try await world.operations.device.decideWaitingCrossings()
      #expect(
        try await world.count("SELECT count(*) FROM shift WHERE started_at = \(start)") == 1)
      #expect(
        try await world.count("SELECT count(*) FROM guard_override WHERE used_shift = 1") == 1)
      #expect(world.operations.lastSeen.pending == heard, "the phone said nothing")
    }
  }

  // R: M1, W2
  @Test("of which another instance was faster are decided on again")
  func overtaken() async throws {
    try await withWorld { world in
      let app = try await StoreApp(in: world)
      _ = try await app.trips(reports: [app.report()])
      world.wait(.seconds(10))
      let (held, hold) = AsyncStream<Never>.makeStream()
      async let line: Int = world.standInLine(holding: hold)
      for await _ in held {}
      let other = StoreApp(in: world.another(), credential: app.credential)
      let crossings = [app.crossing(isArrival: true)]
      async let first = app.trips(crossings: crossings)
      async let second = other.trips(crossings: crossings)
      let outcomes = [try await first.outcome?.arrival, try await second.outcome?.arrival]
      _ = try await line
      #expect(outcomes.count { $0 == .decided(isTracking: true) } == 1, "\(outcomes)")
      #expect(outcomes.count { $0 == nil } == 1, "it was a repeat")
      #expect(try await world.count("SELECT count(*) FROM clock_action") == 1)
      #expect(try await world.count("SELECT count(*) FROM shift") == 1)
    }
  }

  // R: M1
  @Test("for an arrival that waited, and everything at once")
  func all() async throws {
    try await withWorld { world in
      let app = try await StoreApp(in: world)
      let waiting = try await app.trips(crossings: [app.crossing(isArrival: true)])
      #expect(waiting.count == 3, "an arrival that waits")
      #expect(waiting.outcome?.arrival == .waits)
      world.wait(.seconds(2))
      let decided = try await app.trips(reports: [app.report()])
      #expect(decided.count == 4, "a report for the arrival that waits, and what held at its time")
      #expect(decided.outcome?.arrival == .decided(isTracking: true))
      world.wait(.minutes(10))
      _ = try await app.trips(crossings: [app.crossing(isArrival: false)])
      world.wait(.minutes(10))
      let start = world.now
      world.wait(.seconds(30))
      let everything = try await app.trips(
        reports: [app.report(at: start)], pings: [fix(at: start + .seconds(10))],
        crossings: [
          app.crossing(isArrival: true, at: start), app.crossing(isArrival: false),
        ])
      #expect(everything.count == 5, "a report, an arrival, a position and a departure")
      #expect(everything.outcome?.results == [.stored])
      #expect(everything.outcome?.arrival == .decided(isTracking: true))
      #expect(everything.outcome?.advice.isTracking == true)
      #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NOT NULL") == 1)
      world.wait(.seconds(121))
      try await world.operations.device.decideWaitingCrossings()
      #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NOT NULL") == 2)
    }
  }
}

/// OwnTracks on an Android phone of employee 7.
private struct StoreApp {
  let world: OperationsWorld
  let credential: DeviceCredential

  init(in world: OperationsWorld, credential: DeviceCredential) {
    (self.world, self.credential) = (world, credential)
  }

  init(in world: OperationsWorld) async throws {
    self.world = world
    let new = try await world.operations.people.enrol(
      PhoneAppRequest(.ownTracks, on: .android), for: EmployeeID(7), by: .arranger)
    credential = try #require(DeviceCredential(token: new.token, to: .ownTracks))
  }

  /// In raw values whose meaning depends on the phone.
  func report(at instant: Instant? = nil) -> IncomingReport {
    IncomingReport(.raw(.ownTracksAndroid(.given(0)), DeviceConditions()), recordedAt: instant)
  }

  func crossing(isArrival: Bool, at instant: Instant? = nil) -> TimedSighting {
    TimedSighting(isArrival ? .entered(1) : .left(1), recordedAt: instant ?? world.now)
  }

  func trips(
    reports: [IncomingReport] = [], pings: [IncomingPing] = [], crossings: [TimedSighting] = []
  ) async throws -> (count: Int, outcome: AppMessageOutcome?) {
    var outcome: AppMessageOutcome?
    let count = try await world.roundTrips {
      outcome = try await world.operations.device.receive(
        AppMessage(from: .ownTracks, reports: reports, pings: pings, sightings: crossings),
        from: credential, receipt: world.receipt)
    }
    return (count, outcome)
  }
}
