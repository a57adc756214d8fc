import BackgroundOperations
import GuardRules
import InsightOperations
import JSONText
import ManagerCore
import PeopleOperations
import PolicyOperations
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit
import Testing

@Suite("Off site in a shift and at its end, over HTTP") struct AwayTests {
  // R: G7
  @Test("a clock-out says whether it was made off site, and is never refused for it")
  func clockOut() async throws {
    let rows: [(name: String, meters: Double?, accuracy: Double, isOffSite: String)] = [
      ("at the site", 50, 5, "no"), ("off site", 900, 5, "yes"),
      ("with a doubt that reaches the site", 290, 200, "no"),
      ("too inaccurate", 900, 501, "unknown"), ("without a position", nil, 5, "unknown"),
    ]
    for row in rows {
      try await DeviceWorld.run { world in
        try await world.arrange([.offSite: .block])
        let phone = try await world.phone()
        try await phone.report("always")
        #expect(try await phone.tap("clock-in", at: 0).status == 201)
        world.clock.move(by: .minutes(5))
        #expect(try await phone.tap("clock-out", at: row.meters, row.accuracy).status == 200)
        let shift = try await phone.get("/v1/me/shifts/1")
        #expect(shift["endedOffSite"] == .string(row.isOffSite), "\(row.name)")
        let last = try #require(shift.entries("ended").last)
        #expect(last.contains(#""endedOffSite":"\#(row.isOffSite)""#), "\(row.name)")
        try await world.check(shift.text)
        // It is forgotten with the positions.
        _ = try await world.operations.pool.transaction { (session) throws(PostgresError) in
          try session.execute(forgetPlaces(before: world.clock.now + .seconds(1)))
        }
        #expect(try await phone.get("/v1/me/shifts/1")["endedOffSite"] == nil)
      }
    }
  }

  // R: G7
  @Test("nothing is said where the policy ignores it, or without sites")
  func notAsked() async throws {
    for (severity, hasSite) in [(Severity.ignore, true), (.warn, false)] {
      try await DeviceWorld.run { world in
        try await world.arrange([.offSite: severity], hasSite: hasSite)
        let phone = try await world.phone()
        try await phone.report("always")
        #expect(try await phone.tap("clock-in", at: 0).status == 201)
        world.clock.move(by: .minutes(1))
        #expect(try await phone.tap("clock-out", at: 900).status == 200)
        #expect(!(try await phone.get("/v1/me/shifts/1").text.contains("OffSite")))
        let kept: Int64 = try await world.operations.pool.value(
          "SELECT count(*) FROM clock_action WHERE ended_off_site IS NOT NULL")
        #expect(kept == 0)
      }
    }
  }

  // R: G7
  @Test("the sites of the clock-in count, and the team's where none are stored")
  func sites() async throws {
    for (severity, expected) in [(Severity.warn, "no"), (.ignore, "yes")] {
      try await DeviceWorld.run { world in
        try await world.arrange([.offSite: severity])
        let phone = try await world.phone()
        try await phone.report("always")
        #expect(try await phone.tap("clock-in", at: 0).status == 201)
        try await world.operations.people.removeSite(1, from: TeamID(1), by: .arranger)
        try await world.addSite(at: 5_000)
        _ = try await world.operations.policies.setPolicy(
          of: TeamID(1), PolicyChanges(severities: [.offSite: .warn]))
        world.clock.move(by: .minutes(1))
        #expect(try await phone.tap("clock-out", at: 0).status == 200)
        #expect(try await phone.get("/v1/me/shifts/1")["endedOffSite"] == .string(expected))
      }
    }
  }

  // R: G7
  @Test("the phone is told since when, the shift tells it, and neither says where")
  func away() async throws {
    try await DeviceWorld.run(decidesDue: true) { world in
      try await world.arrange([:], awayAfter: .minutes(5))
      let phone = try await world.phone()
      try await phone.report("always")
      #expect(try await phone.tap("clock-in", at: 0).status == 201)
      let start = world.time(.minutes(1))
      for _ in 0..<6 {
        world.clock.move(by: .minutes(1))
        try await phone.ping(at: 900)
      }
      let before = try await phone.get("/v1/me")
      #expect(before["shift", "awaySince"] == nil)
      try await world.operations.background.findAway(of: EmployeeID(7))
      let me = try await phone.get("/v1/me")
      #expect(me["shift", "awaySince"] == .string(start))
      let shift = try await phone.get("/v1/me/shifts/1")
      #expect(shift["away", 0, "from"] == .string(start) && shift["away", 0, "to"] == nil)
      #expect(shift["away", 1] == nil && shift.entries("away").count == 1)
      for text in [me.text, shift.text] { try await world.check(text) }
      world.clock.move(by: .minutes(1))
      _ = try await phone.tap("break-start", at: nil)
      #expect(try await phone.get("/v1/me")["shift", "awaySince"] == nil)
    }
  }
}

extension DeviceWorld {
  fileprivate func arrange(
    _ severities: [Finding: Severity], awayAfter: TimeSpan = .zero, hasSite: Bool = true
  ) async throws {
    if hasSite { try await addSite(at: 0) }
    _ = try await operations.policies.setPolicy(
      of: TeamID(1), PolicyChanges(severities: severities, spans: [.awayAfter: awayAfter]))
  }

  fileprivate func addSite(at metersNorth: Double) async throws {
    let center = try #require(
      Coordinate(latitude: 52.52 + metersNorth / 111_195, longitude: 13.405))
    _ = try await operations.people.addSite(
      name: "Depot \(metersNorth)", center: center, radiusMeters: 100, to: TeamID(1), by: .arranger
    ).get()
  }

  /// No position, no distance and no site.
  fileprivate func check(_ text: String) async throws {
    for part in ["52.5", "13.40", "Depot", "latitude", "meters"] {
      #expect(!text.contains(part), "\(part) in \(text)")
    }
  }
}

extension Phone {
  /// A clock action with a fix this far north of the depot; `nil`: without one.
  fileprivate func tap(_ action: String, at metersNorth: Double?, _ accuracy: Double = 5)
    async throws -> Answer
  {
    let fix = metersNorth.map { #","fix":{\#(place($0)),"accuracy":\#(accuracy)}"# } ?? ""
    return try await post(
      "/v1/\(action)", #"{"actionId":"\#(action)","sentAt":"\#(world.time())"\#(fix)}"#)
  }

  fileprivate func ping(at metersNorth: Double) async throws {
    let answer = try await post(
      "/v1/pings", #"{"sentAt":"\#(world.time())",\#(place(metersNorth))}"#)
    #expect(answer.results == ["stored"])
  }

  private func place(_ metersNorth: Double) -> String {
    """
    "recordedAt":"\(world.time())","latitude":\(52.52 + metersNorth / 111_195),"longitude":13.405
    """
  }
}

extension APIAnswer {
  /// The entries of the story that tell this, as text.
  fileprivate func entries(_ name: String) -> [String] {
    guard case .array(let story)? = self["story"] else { return [] }
    return story.map { String(decoding: $0.bytes, as: UTF8.self) }
      .filter { $0.contains(#""entry":"\#(name)""#) }
  }
}
