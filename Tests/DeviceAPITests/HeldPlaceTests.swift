import GuardClient
import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import ManagerCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

private let mira = Principal(actor: AuditActor(name: "Mira"), role: .administrator)

extension DeviceWorld {
  /// A site of 100 m beside where a `ClientApp` is.
  fileprivate func addYard(name: String = "Yard", to team: TeamID = TeamID(1)) async throws {
    let center = try #require(Coordinate(latitude: 45.8, longitude: 15.97))
    _ = try await operations.people.addSite(
      name: name, center: center, radiusMeters: 100, to: team, by: mira
    ).get()
  }
}

extension Phone {
  fileprivate func get(_ path: String, knowing tag: String?) async throws -> Answer {
    var phone = self
    phone.headers["If-None-Match"] = tag
    return try await phone.get(path)
  }
}

@Suite("What a phone holds for a clock-in without the network") struct HeldPlaceTests {
  // R: G5
  @Test("are the team's sites where its policy judges the place, by their version")
  func sites() async throws {
    try await DeviceWorld.run { world in
      let other = try await world.operations.people.addTeam(name: "South", timeZone: "UTC")
      try await world.addYard(name: "Elsewhere", to: other)
      try await world.addDepot()
      let phone = try await world.phone()
      let none = try await phone.get("/v1/me/sites")
      #expect(none.text == #"{"version":"none","sites":[]}"#)
      #expect(try await phone.get("/v1/me")["sitesVersion"] == nil)
      try await world.judge([.offSite: .block])
      let held = try await phone.get("/v1/me/sites")
      #expect(
        held["sites"] == [
          [
            "site": .integer(1), "name": "Depot", "latitude": .number(52.52),
            "longitude": .number(13.405), "radius": .integer(100),
          ]
        ])
      let version = try #require(held["version"])
      let tag = try #require(held.headers["ETag"])
      #expect(tag == "\"\(text(version))\"")
      #expect(try await phone.get("/v1/me")["sitesVersion"] == version)
      let same = try await phone.get("/v1/me/sites", knowing: "W/\(tag)")
      #expect(same.status == 304 && same.text.isEmpty && same.headers["ETag"] == tag)
      try await world.addYard()
      let changed = try await phone.get("/v1/me/sites", knowing: tag)
      #expect(changed.status == 200 && changed["version"] != version)
      #expect(changed["sites", 1, "name"] == "Yard")
      #expect(try await world.send(.get, "/v1/me/sites").status == 401)
    }
  }

  private func text(_ value: JSONValue) -> String {
    if case .string(let text) = value { text } else { "" }
  }

  // R: G5
  @Test("has another version after every change, and no status before it is repeated")
  func versions() async throws {
    try await DeviceWorld.run { world in
      try await world.judge([.siteUnknown: .warn])
      let phone = try await world.phone()
      try await phone.report("always")
      let (people, team) = (world.operations.people, TeamID(1))
      let changes: [(String, () async throws -> Void)] = [
        ("first site", { try await world.addDepot() }), ("second", { try await world.addYard() }),
        (
          "name",
          {
            _ = try await people.changeSite(1, of: team, SiteChange(name: "Store"), by: mira).get()
          }
        ),
        (
          "radius",
          {
            _ = try await people.changeSite(1, of: team, SiteChange(radiusMeters: 50), by: mira)
              .get()
          }
        ),
        (
          "center",
          {
            let center = Coordinate(latitude: 52.520_000_1, longitude: 13.405)
            _ = try await people.changeSite(1, of: team, SiteChange(center: center), by: mira).get()
          }
        ),
        ("removal", { try await people.removeSite(1, from: team, by: mira) }),
        ("policy", { try await world.judge([.siteUnknown: .ignore]) }),
      ]
      var me = try await phone.get("/v1/me")
      var versions = [me["sitesVersion"]]
      for (name, change) in changes {
        let tag = try #require(me.headers["ETag"])
        #expect(try await phone.get("/v1/me", knowing: tag).status == 304, "\(name)")
        try await change()
        me = try await phone.get("/v1/me", knowing: tag)
        #expect(me.status == 200, "\(name)")
        #expect(!versions.contains(me["sitesVersion"]), "\(name)")
        versions.append(me["sitesVersion"])
        let version = try await phone.get("/v1/me/sites")["version"]
        #expect((me["sitesVersion"] ?? "none") == version, "\(name)")
      }
      #expect(me["sitesVersion"] == nil)
    }
  }

  // R: G5
  @Test("is the plan of a day, in every answer, and none that has changed is repeated")
  func plan() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always")
      try await world.plan(from: .minutes(1), to: .hours(1))
      #expect(try await phone.get("/v1/me")["plan"] == nil)
      try await world.judge([.tooEarly: .warn, .notPlanned: .warn])
      let start = world.clock.now
      func span(_ from: TimeSpan, _ to: TimeSpan) -> JSONValue {
        ["start": .string((start + from).rfc3339), "end": .string((start + to).rfc3339)]
      }
      var me = try await phone.get("/v1/me")
      // It is 09:30: the plan is known until the next full hour after 24 h.
      let first: JSONValue = [
        "shifts": [span(.minutes(1), .hours(1))],
        "until": .string((start + .minutes(24 * 60 + 30)).rfc3339),
      ]
      #expect(me["plan"] == first)
      #expect(try await phone.report("always")["plan"] == first)
      #expect(try await phone.clockIn()["plan"] == first)
      #expect(try await phone.post("/v1/guard/check", "{}")["plan"] == first)
      me = try await phone.get("/v1/me")
      try await world.plan(from: .minutes(24 * 60 + 20), to: .minutes(24 * 60 + 30))
      try await world.plan(from: .minutes(24 * 60 + 40), to: .hours(27))
      func next(_ name: String) async throws {
        let tag = try #require(me.headers["ETag"])
        me = try await phone.get("/v1/me", knowing: tag)
        #expect(me.status == 200, "\(name)")
      }
      try await next("a planned shift")
      #expect(me["plan", "shifts", 1] == span(.minutes(24 * 60 + 20), .minutes(24 * 60 + 30)))
      #expect(me["plan", "shifts", 2] == nil)
    }
  }

  // R: G5
  @Test("is never a plan of the past, however the time passes")
  func passing() async throws {
    try await DeviceWorld.run { world in
      try await world.judge([.tooEarly: .warn])
      let phone = try await world.phone()
      try await phone.report("always")
      try await world.plan(from: .minutes(2), to: .minutes(7))
      try await world.plan(from: .minutes(24 * 60 + 40), to: .hours(27))
      var tag: String?
      var (shown, repeated): ([JSONValue?], Int) = ([], 0)
      for _ in 0..<45 {
        world.clock.move(by: .minutes(1))
        let fresh = try await phone.get("/v1/me")
        let known = try await phone.get("/v1/me", knowing: tag)
        if known.status == 200 { shown.append(known["plan"]) } else { repeated += 1 }
        #expect(shown.last == fresh["plan"])
        tag = known.headers["ETag"]
      }
      let counts = shown.map { plan -> Int in
        guard case .object(let plan)? = plan, case .array(let shifts)? = plan["shifts"] else {
          return -1
        }
        return shifts.count
      }
      #expect(Set(counts) == [0, 1] && repeated > 20)
    }
  }

  // R: G5
  @Test("decides as the server: off site with the nearest site, too early, and back on site")
  func decides() async throws {
    try await DeviceWorld.run { world in
      try await world.addYard()
      try await world.judge([.offSite: .block, .siteUnknown: .block, .tooEarly: .warn])
      try await world.plan(from: .hours(1), to: .hours(9))
      let app = try ClientApp(world, status: 3)
      _ = try await app.enrol()
      try await app.session.report(.launch)
      try await app.drain()
      #expect(app.answers.take().contains("/v1/me/sites 200"))
      _ = try #require(await app.session.refresh())
      #expect(!app.answers.take().contains("/v1/me/sites 200"), "they are known")
      app.answers.isOffline.withLock { $0 = true }
      await app.location.move(to: 45.802)
      #expect(try await app.session.beginClockIn() == .notice(.offSite, .goToSite))
      let nearest = try #require(await app.session.nearestSite)
      #expect(nearest.site.name == "Yard" && (222.0...223).contains(nearest.meters))
      // The employee goes there.
      world.clock.move(by: .minutes(2))
      await app.location.move(to: 45.8)
      guard case .warning(let decision) = try await app.session.answerClockIn(.returned) else {
        Issue.record("\(await app.session.waiting)")
        return
      }
      #expect(decision.warning == FindingSet(.tooEarly))
      let allowedFrom = await app.session.clockInAllowedFrom
      #expect(allowedFrom == DeviceWorld.start + .minutes(45))
      _ = try await app.session.answerClockIn(.proceed)
      app.answers.isOffline.withLock { $0 = false }
      try await app.drain()
      #expect(await app.events().clockActions == ["recorded"])
      #expect(world.differences.all.isEmpty)
    }
  }

  // R: G5, G6
  @Test("refuses off site as the server, which keeps no position, and on sites of yesterday too")
  func refuses() async throws {
    try await DeviceWorld.run { world in
      try await world.addYard()
      try await world.judge([.offSite: .block])
      let app = try ClientApp(world, status: 3)
      _ = try await app.enrol()
      try await app.session.report(.launch)
      try await app.drain()
      _ = try #require(await app.session.refresh())
      await app.location.move(to: 45.802)
      func clockInAnyway() async throws {
        _ = try await app.session.clockIn(inSpiteOfBlock: "The gate is locked")
        try await app.drain()
      }
      try await clockInAnyway()
      // The site is moved there, and the phone does not know it.
      let center = Coordinate(latitude: 45.802, longitude: 15.97)
      _ = try await world.operations.people.changeSite(
        1, of: TeamID(1), SiteChange(center: center), by: mira
      ).get()
      try await clockInAnyway()
      let told = await app.events().clockActions
      #expect(told == ["clock_in_blocked go_to_site block 2", "recorded"])
      #expect(world.differences.all.isEmpty)
      let stored: Int64 = try await world.operations.pool.value(
        "SELECT count(*) FROM clock_action WHERE outcome = 3 AND local_blocking <> 0")
      #expect(stored == 1, "the phone had decided the same")
    }
  }
}
