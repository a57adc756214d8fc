import GuardRules
import JSONText
import ManagerCore
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore
import TestKit
import Testing

private let mira = Principal(actor: AuditActor(name: "Mira"), role: .administrator)
private let depot = (latitude: 52.5200, longitude: 13.4050)

extension DeviceWorld {
  /// The team's policy with these severities.
  func judge(_ severities: [Finding: Severity]) async throws {
    _ = try await operations.policies.setPolicy(
      of: TeamID(1), PolicyChanges(severities: severities))
  }

  /// A site of 100 m around `depot`.
  func addDepot() async throws {
    let center = try #require(Coordinate(latitude: depot.latitude, longitude: depot.longitude))
    _ = try await operations.people.addSite(
      name: "Depot", center: center, radiusMeters: 100, to: TeamID(1), by: mira)
  }

  func plan(from start: TimeSpan, to end: TimeSpan) async throws {
    _ = try await operations.people.planShift(
      EmployeeID(7), Interval(from: clock.now + start, to: clock.now + end), by: mira)
  }
}

extension Phone {
  /// A fix north of the depot, 111.195 m for each thousandth of a degree.
  fileprivate func fix(_ thousandths: Double, accuracy: Double = 5, more: String = "") -> String {
    """
    "fix":{"recordedAt":"\(world.time())","latitude":\(depot.latitude + thousandths / 1_000),
     "longitude":\(depot.longitude),"accuracy":\(accuracy)\(more)}
    """
  }

  fileprivate func clockIn(_ attempt: String, with fix: String) async throws -> Answer {
    try await post(
      "/v1/clock-in",
      #"{"actionId":"\#(attempt)","sentAt":"\#(world.time())","# + fix + "}")
  }
}

@Suite("The place and time of a clock-in, over HTTP") struct PlaceAndPlanTests {
  // R: G1, G2
  @Test("off site is blocked, with the nearest site, the distance and what to do")
  func offSite() async throws {
    try await DeviceWorld.run { world in
      try await world.addDepot()
      try await world.judge([.offSite: .block, .siteUnknown: .warn])
      let phone = try await world.phone()
      try await phone.report("always")
      let refused = try await phone.clockIn("a", with: phone.fix(12))
      #expect(refused.status == 409 && refused.code == "clock_in_blocked")
      #expect(refused["action"] == "go_to_site")
      #expect(refused["guidance", "remedies", 0, "finding"] == "off_site")
      #expect(refused["guidance", "remedies", 0, "site", "name"] == "Depot")
      #expect(refused["guidance", "remedies", 0, "site", "meters"] == .integer(1_400))
      #expect(refused.text.contains("The nearest site: Depot, 1.4 km."))
      // A repeat is answered in the same way.
      #expect(try await phone.clockIn("a", with: phone.fix(12)).text == refused.text)
      // 222 m away, 200 m of doubt: inside.
      #expect(try await phone.clockIn("b", with: phone.fix(2, accuracy: 200)).status == 201)
    }
  }

  // R: G2
  @Test("without a usable position the site is unknown, never off site")
  func siteUnknown() async throws {
    try await DeviceWorld.run { world in
      try await world.addDepot()
      try await world.judge([.offSite: .block, .siteUnknown: .block])
      let phone = try await world.phone()
      try await phone.report("always")
      let farAway = phone.fix(500, accuracy: 501)
      for (attempt, fix) in [("a", #""x":1"#), ("b", farAway)] {
        let refused = try await phone.clockIn(attempt, with: fix)
        #expect(refused["decision", "findings", 0, "code"] == "site_unknown")
        #expect(refused["action"] == "send_fix")
        #expect(refused["guidance", "remedies", 0, "site"] == nil)
      }
      // Without sites, there is nothing to be at.
      _ = try await world.operations.people.removeSite(1, from: TeamID(1), by: mira)
      #expect(try await phone.clockIn("c", with: farAway).status == 201)
    }
  }

  // R: G2
  @Test("an accuracy of 0 is not given, and a position with a huge or negative one is not used")
  func badAccuracy() async throws {
    try await DeviceWorld.run { world in
      try await world.addDepot()
      try await world.judge([.offSite: .block, .siteUnknown: .block])
      let phone = try await world.phone()
      try await phone.report("always")
      for (accuracy, finding) in [(0, "off_site"), (1e9, "site_unknown"), (-1, "site_unknown")] {
        let refused = try await phone.clockIn(
          "\(accuracy)", with: phone.fix(12, accuracy: accuracy))
        #expect(refused.status == 409, "\(accuracy)")
        #expect(refused["decision", "findings", 0, "code"] == .string(finding), "\(accuracy)")
      }
      #expect(try await phone.clockIn("there", with: phone.fix(0, accuracy: 0)).status == 201)
    }
  }

  /// Of a clock-in made offline at `at`.
  private func body(_ attempt: String, at: String, with fix: String, in world: DeviceWorld)
    -> String
  {
    let report = #"{"authorization":"always","accuracy":"full","services":"on","recordedAt":"T"}"#
      .replacing("T", with: at)
    return #"{"actionId":"\#(attempt)","occurredAt":"\#(at)","sentAt":"\#(world.time())","#
      + #""report":\#(report),"# + fix + "}"
  }

  // R: G5
  @Test("an offline clock-in is judged by the sites of its time, and never lost")
  func changedSites() async throws {
    try await DeviceWorld.run { world in
      try await world.addDepot()
      try await world.judge([.offSite: .block])
      let phone = try await world.phone()
      try await phone.report("always")
      let held = try await phone.get("/v1/me/sites")["version"]
      let (firstAt, firstFix) = (world.time(), phone.fix(0))
      world.clock.move(by: .minutes(10))
      let yard = try #require(
        Coordinate(latitude: depot.latitude + 0.012, longitude: depot.longitude))
      _ = try await world.operations.people.changeSite(
        1, of: TeamID(1), SiteChange(name: "Yard", center: yard), by: mira
      ).get()
      #expect(try await phone.get("/v1/me/sites")["version"] != held)
      world.clock.move(by: .minutes(10))
      let before = body("a", at: firstAt, with: firstFix, in: world)
      #expect(try await phone.post("/v1/clock-in", before).status == 201)
      #expect(try await phone.clockOut().status == 200)

      // By a phone that does not know yet that the site has moved.
      world.clock.move(by: .minutes(10))
      let (start, fix) = (world.clock.now, phone.fix(0))
      world.clock.move(by: .hours(10))
      try await world.operations.people.removeSite(1, from: TeamID(1), by: mira)
      world.clock.move(by: .hours(10))
      let after = body("b", at: start.rfc3339, with: fix, in: world)
      let kept = try await phone.post("/v1/clock-in", after)
      #expect(kept.status == 202 && kept["reason"] == "blocked" && kept["review"] == "pending")
      _ = try await world.operations.reviews.accept(
        clockAction: 3, of: EmployeeID(7), endedAt: start + .hours(8),
        reason: "She was at the old depot", by: mira
      ).get()
      #expect(try await phone.post("/v1/clock-in", after)["review"] == "accepted")
    }
  }

  // R: G1, W3
  @Test("an override for the place shows before the clock-in that it serves, and once only")
  func override() async throws {
    try await DeviceWorld.run { world in
      try await world.addDepot()
      try await world.judge([.offSite: .block])
      let phone = try await world.phone()
      try await phone.report("always")
      #expect(try await phone.clockIn("a", with: phone.fix(12)).status == 409)
      #expect(try await phone.get("/v1/me")["overriddenBy"] == nil)
      _ = try await world.operations.reviews.giveOverride(
        to: EmployeeID(7), FindingSet(.offSite), reason: "Gate is locked", by: mira
      ).get()
      #expect(try await phone.get("/v1/me")["overriddenBy", "reason"] == "Gate is locked")
      let check = try await world.operations.insight.check(
        employee: EmployeeID(7), device: nil, preset: nil)
      #expect(check.snapshot?.availableOverride?.number == 1)
      let opened = try await phone.clockIn("b", with: phone.fix(12))
      #expect(opened.status == 201 && opened["decision", "verdict"] == "warn")
      #expect(try await phone.get("/v1/me")["overriddenBy"] == nil)
    }
  }

  // R: G1, G3
  @Test("a check judges the plan, and the place only where the phone says it")
  func check() async throws {
    try await DeviceWorld.run { world in
      try await world.addDepot()
      try await world.judge([.offSite: .warn, .tooEarly: .warn])
      try await world.plan(from: .minutes(60), to: .hours(5))
      let phone = try await world.phone()
      try await phone.report("always")
      for path in ["/v1/me"] {
        let answer = try await phone.get(path)
        #expect(answer["position"] == "checked_at_clock_in")
        #expect(answer["decision", "findings", 0, "code"] == "too_early")
        #expect(answer["decision", "findings", 1, "code"] != "off_site")
      }
      let checked = try await phone.post(
        "/v1/guard/check", #"{"sentAt":"\#(world.time())","# + phone.fix(12) + "}")
      #expect(checked["position"] == nil)
      #expect(checked["decision", "findings", 0, "code"] == "off_site")
      #expect(checked["decision", "findings", 1, "code"] == "too_early")
      #expect(checked["guidance", "remedies", 1, "from"] == .string(world.time(.minutes(45))))
      #expect(checked["guidance", "remedies", 1, "action"] == "wait_until")
      world.clock.move(by: .minutes(45))
      let later = try await phone.get("/v1/me")
      #expect(!later.text.contains(#""code":"too_early""#))
    }
  }

  // R: G3
  @Test("too early and not planned block as the policy says, and a changed plan shows at once")
  func plan() async throws {
    try await DeviceWorld.run { world in
      try await world.judge([.notPlanned: .block, .tooEarly: .block])
      let phone = try await world.phone()
      try await phone.report("always")
      let unplanned = try await phone.clockIn("a")
      #expect(unplanned["decision", "findings", 0, "code"] == "not_planned")
      #expect(unplanned["action"] == "ask_manager")
      try await world.plan(from: .hours(2), to: .hours(4))
      let early = try await phone.clockIn("b")
      #expect(early["decision", "findings", 0, "code"] == "too_early")
      #expect(early["guidance", "remedies", 0, "from"] == .string(world.time(.minutes(105))))
      let isEarly = #""code":"too_early""#
      #expect(try await phone.get("/v1/me").text.contains(isEarly))
      try await world.plan(from: .minutes(10), to: .minutes(60))
      #expect(!(try await phone.get("/v1/me").text.contains(isEarly)))
      #expect(try await phone.clockIn("c").status == 201)
    }
  }

  // R: G3
  @Test("an absence makes a clock-in not planned, and adding and removing it shows at once")
  func absence() async throws {
    try await DeviceWorld.run { world in
      try await world.judge([.notPlanned: .block, .tooEarly: .block])
      let phone = try await world.phone()
      try await phone.report("always")
      try await world.plan(from: .zero, to: .hours(8))
      let free = try await phone.get("/v1/me")
      func isPlanned(_ answer: Answer) -> Bool {
        answer["decision", "verdict"] == "allow"
          && answer["decision", "findings", 0, "code"] != "not_planned"
      }
      #expect(isPlanned(free))
      func status(knowing tag: String?) async throws -> Int {
        var asking = phone
        asking.headers["If-None-Match"] = tag
        return try await asking.get("/v1/me").status
      }
      func add(from start: TimeSpan, to end: TimeSpan) async throws -> Absence {
        let now = world.clock.now
        return try await world.operations.people.addAbsence(
          of: EmployeeID(7), Interval(from: now + start, to: now + end), note: "secret", by: mira
        ).get().row
      }
      #expect(try await status(knowing: free.headers["ETag"]) == 304)
      _ = try await add(from: .zero - .hours(1), to: .minutes(2))
      #expect(try await status(knowing: free.headers["ETag"]) == 200)
      let absent = try await phone.get("/v1/me")
      #expect(absent["decision", "findings", 0, "code"] == "not_planned")
      #expect(!absent.text.contains("secret"))
      let refused = try await phone.clockIn("a")
      #expect(refused.status == 409 && refused["action"] == "ask_manager")
      // Time alone ends it.
      let tag = try await phone.get("/v1/me").headers["ETag"]
      world.clock.move(by: .minutes(2) - .milliseconds(1))
      #expect(try await status(knowing: tag) == 304)
      world.clock.move(by: .milliseconds(1))
      #expect(try await status(knowing: tag) == 200)
      #expect(isPlanned(try await phone.get("/v1/me")))
      let other = try await add(from: .zero, to: .hours(2))
      #expect(try await phone.clockIn("b").status == 409)
      let last = try await phone.get("/v1/me").headers["ETag"]
      _ = try await world.operations.people.removeAbsence(other.id, of: EmployeeID(7), by: mira)
      #expect(try await status(knowing: last) == 200)
      #expect(try await phone.clockIn("c").status == 201)
    }
  }

  // R: G2
  @Test("the sites that the planned shift names are in force, else those of the team")
  func namedSites() async throws {
    try await DeviceWorld.run { world in
      try await world.addDepot()
      let yard = try #require(
        Coordinate(latitude: depot.latitude + 0.012, longitude: depot.longitude))
      _ = try await world.operations.people.addSite(
        name: "Yard", center: yard, radiusMeters: 100, to: TeamID(1), by: mira)
      try await world.judge([.offSite: .block, .siteUnknown: .block])
      let phone = try await world.phone()
      try await phone.report("always")
      let now = world.clock.now
      _ = try await world.operations.people.planShift(
        EmployeeID(7), Interval(from: now - .hours(1), to: now + .hours(3)), sites: [2], by: mira
      ).get()
      func check(_ thousandths: Double) async throws -> Answer {
        try await phone.post(
          "/v1/guard/check",
          #"{"sentAt":"\#(world.time())","# + phone.fix(thousandths) + "}")
      }
      let atDepot = try await check(0)
      #expect(atDepot["decision", "findings", 0, "code"] == "off_site")
      #expect(!(try await check(12).text.contains("off_site")))
      let refused = try await phone.clockIn("a", with: phone.fix(0))
      #expect(refused["guidance", "remedies", 0, "site", "name"] == "Yard")
      #expect(refused["guidance", "remedies", 0, "site", "meters"] == .integer(1_400))
      let kept: Int64 = try await world.operations.pool.value(
        "SELECT count(*) FROM clock_action WHERE site_no = 2 AND has_sites")
      #expect(kept == 1)
      // Removed, the yard is not named any more: those of the team apply.
      _ = try await world.operations.people.removeSite(2, from: TeamID(1), by: mira)
      #expect(!(try await check(0).text.contains("off_site")))
      #expect(try await phone.clockIn("b", with: phone.fix(12)).status == 409)
      #expect(try await phone.clockIn("c", with: phone.fix(0)).status == 201)
    }
  }

  // R: G2
  @Test("an offline clock-in is judged by the sites of the shift that was planned for its time")
  func offlineSites() async throws {
    try await DeviceWorld.run { world in
      try await world.addDepot()
      let yard = try #require(
        Coordinate(latitude: depot.latitude + 0.012, longitude: depot.longitude))
      _ = try await world.operations.people.addSite(
        name: "Yard", center: yard, radiusMeters: 100, to: TeamID(1), by: mira)
      try await world.judge([.offSite: .block])
      let phone = try await world.phone()
      try await phone.report("always")
      world.clock.move(by: .hours(2))
      let now = world.clock.now
      for (start, end, site) in [(-120, -60, 2), (0, 60, 1)] as [(Int64, Int64, Int16)] {
        _ = try await world.operations.people.planShift(
          EmployeeID(7), Interval(from: now + .minutes(start), to: now + .minutes(end)),
          sites: [site], by: mira
        ).get()
      }
      let at = world.time(.zero - .minutes(90))
      let fix = #"{"recordedAt":"\#(at)","latitude":\#(depot.latitude),"longitude":13.405}"#
      let report = #"{"authorization":"always","accuracy":"full","services":"on"}"#
      let kept = try await phone.post(
        "/v1/clock-in",
        #"{"actionId":"a","occurredAt":"\#(at)","sentAt":"\#(world.time())","fix":\#(fix),"#
          + #""report":\#(report)}"#)
      #expect(kept.status == 202 && kept["reason"] == "blocked")
      let site: Int64 = try await world.operations.pool.value(
        "SELECT max(site_no)::bigint FROM clock_action")
      #expect(site == 2)
    }
  }

  // R: G4
  @Test("a simulated position is a finding of its own, by the fix or by the report")
  func mock() async throws {
    try await DeviceWorld.run(.strict) { world in
      let phone = try await world.phone(platform: "android", version: "14")
      try await phone.report("always")
      let refused = try await phone.clockIn("a", with: phone.fix(0, more: #","mock":true"#))
      #expect(refused["decision", "findings", 0, "code"] == "mock_location")
      #expect(refused["action"] == "turn_off_mock_location")
      #expect(try await phone.clockIn("b", with: phone.fix(0)).status == 201)
    }
  }

  // R: G6, G8
  @Test("of an attempt no position is kept, and a draft policy is replayed by the distance")
  func kept() async throws {
    try await DeviceWorld.run { world in
      try await world.addDepot()
      let phone = try await world.phone()
      try await phone.report("denied")
      _ = try await phone.clockIn("a", with: phone.fix(12))
      try await phone.report("always")
      _ = try await phone.clockIn("b", with: phone.fix(3))
      let pings: Int64 = try await world.operations.pool.value("SELECT count(*) FROM ping")
      let kept: Int64 = try await world.operations.pool.value(
        "SELECT count(*) FROM clock_action WHERE site_no = 1 AND site_margin_m < 0")
      #expect(pings == 0 && kept == 2)
      let draft = PolicyChanges(severities: [.offSite: .block])
      func trial() async throws -> PolicyTrial {
        try await world.operations.policies.tryPolicy(of: TeamID(1), draft, weeks: 1)
      }
      let tried = try await trial()
      #expect(tried.total == 2 && tried.uncertain == 0)
      #expect(tried.differences.map(\.replayed.decision.verdict) == [.block])
      // Where it is not kept any more, nobody can say. A denial blocks in any case.
      _ = try await world.operations.pool.transaction { (session) throws(PostgresError) in
        try session.execute(forgetPlaces(before: world.clock.now + .seconds(1)))
      }
      #expect(try await trial().uncertain == 1)
    }
  }
}
