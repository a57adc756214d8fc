import GuardRules
import ManagerCore
import PeopleOperations
import ShiftDomain
import ShiftTestKit
import Testing

/// What an arrival in a region is judged by, by RULES 3 and 10.
@Suite("The place and time of an arrival") struct ArrivalPlaceTests {
  // R: G1, W1
  @Test("a site's region is a position at that site, wherever the phone says it is")
  func region() async throws {
    try await DeviceWorld.run { world in
      try await world.addSites()
      try await world.judge([.offSite: .block, .siteUnknown: .block])
      let app = try await world.app(.ownTracks)
      try await app.send(.always)
      // The positions of these crossings are far from the yard.
      _ = try await app.cross("enter", "Shift Elsewhere")
      _ = try await app.cross("leave", "Shift Elsewhere")
      try await world.passDeparture()
      #expect(try await world.actions() == ["blocked"])
      _ = try await app.cross("enter", "Shift Yard- 2")
      #expect(try await world.actions() == ["blocked", "clockedIn"])
      let kept = try await world.count(
        "SELECT count(*) FROM clock_action WHERE site_no = 1 AND site_distance_m = 0")
      #expect(kept == 1)
    }
  }

  // R: G1, G3, W1
  @Test("one that waits for its report is judged by the sites and the plan of its own time")
  func waits() async throws {
    try await DeviceWorld.run { world in
      try await world.addSites()
      try await world.judge([.siteUnknown: .block, .notPlanned: .block, .tooEarly: .block])
      let app = try await world.app(.ownTracks)
      _ = try await app.cross("enter", "Shift Yard- 2")
      world.wait(.seconds(2))
      _ = try await app.send(.always)
      // Nothing is planned.
      #expect(try await world.actions() == ["blocked"])
      _ = try await app.cross("leave", "Shift Yard- 2")
      world.wait(.minutes(10))
      try await world.plan(from: .minutes(1), to: .hours(8))
      _ = try await app.cross("enter", "Shift Yard- 2")
      world.wait(.seconds(2))
      try await world.operations.people.removeSite(1, from: TeamID(1), by: mira)
      _ = try await app.send(.always)
      #expect(try await world.actions() == ["blocked", "clockedIn"])
    }
  }
}

private let mira = Principal(actor: AuditActor(name: "Mira"), role: .administrator)

extension DeviceWorld {
  /// A site 6 km from where phones cross regions.
  fileprivate func addSites() async throws {
    let center = try #require(Coordinate(latitude: 52.575, longitude: 13.405))
    _ = try await operations.people.addSite(
      name: "Yard: 2", center: center, radiusMeters: 100, to: TeamID(1), by: mira
    ).get()
  }
}
