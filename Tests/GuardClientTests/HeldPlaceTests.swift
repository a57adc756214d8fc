import GuardRules
import JSONText
import ShiftDomain
import Testing

@testable import GuardClient

// R: G5
@Suite("Place and plan on the phone", .timeLimit(.minutes(5))) struct HeldPlaceTests {
  private let folder: TestFolder
  private let server = FakeServer()
  private let clock = TestClock()
  private let location = FakeLocation(3)
  private static let sites = "/v1/me/sites"

  init() throws { folder = try TestFolder() }

  private func session(_ tokens: FakeTokens = FakeTokens()) throws -> GuardSession {
    try GuardSession(
      GuardSettings(
        folder: folder.path, phone: PhoneDescription(platform: .ios, systemVersion: "18.1"),
        policy: .policy(of: .standard)),
      location: location, tokens: tokens, transport: server, clock: clock.client)
  }

  /// The answer to `GET /v1/me`, under a policy that blocks by place and warns by plan.
  private func me(sites version: String?, _ plan: JSONValue? = nil, skew: Int64? = nil) async
    -> GuardResponse
  {
    let rules: JSONValue = [
      "policyVersion": 1, "freshFor": 300, "earlyWindow": 600, "selfOverride": "off",
      "blocking": ["off_site", "site_unknown"], "warning": ["not_planned", "too_early"],
      "ignored": [],
    ]
    let object: JSONObject = [
      "tracking": .object(await server.trackingOrder), "rules": rules,
      "decision": ["verdict": "allow", "findings": []],
      "sitesVersion": version.map { .string($0) }, "plan": plan,
      "clock": skew.map { ["skewMs": .integer($0)] },
    ]
    return .json(200, object)
  }

  /// The answer to `GET /v1/me/sites`: one around 45° north, 13° east.
  private func sites(_ version: String, latitude: Double = 45) -> GuardResponse {
    let site: JSONValue = [
      "site": 3, "name": "Depot", "latitude": .number(latitude), "longitude": 13, "radius": 100,
    ]
    return .json(200, ["version": .string(version), "sites": [site]])
  }

  /// A plan of shifts from and to so many minutes from now, known for so many hours.
  private func plan(_ shifts: [(Int64, Int64)], absent: (Int64, Int64)? = nil, hours: Int64 = 24)
    -> JSONValue
  {
    func span(_ span: (Int64, Int64)) -> JSONValue {
      [
        "start": JSONValue(clock.now + .minutes(span.0)),
        "end": JSONValue(clock.now + .minutes(span.1)),
      ]
    }
    return [
      "shifts": .array(shifts.map(span)), "absences": .array([absent].compactMap { $0 }.map(span)),
      "until": JSONValue(clock.now + .hours(hours)),
    ]
  }

  /// Puts the phone so many meters north of the site.
  private func stand(_ meters: Double, accuracy: Double? = nil, isMock: Bool = false) async {
    let coordinate = Coordinate(latitude: 45 + meters / 111_195, longitude: 13)
    await location.find(
      coordinate.map {
        RecordedPing(
          recordedAt: clock.now, fix: Fix(coordinate: $0, accuracyMeters: accuracy),
          isMock: isMock)
      })
  }

  private func body() async throws -> JSONFields {
    let request = try #require(await server.requests.last { $0.path == "/v1/clock-in" })
    return try JSONFields(JSONValue(parsing: try #require(request.body)))
  }

  @Test func `the sites are read once a version, and decide after a restart without the network`()
    async throws
  {
    do {
      let session = try session()
      await server.answerNext(await me(sites: "a"), sites("a"))
      _ = await session.refresh()
      await server.answerNext(await me(sites: "a"))
      _ = await session.refresh()
      #expect(await server.paths.filter { $0 == Self.sites }.count == 1)
    }
    let session = try session()
    await stand(340)
    #expect(try await session.beginClockIn() == .notice(.offSite, .goToSite))
    let nearest = try #require(await session.nearestSite)
    #expect(nearest.site.name == "Depot" && abs(nearest.meters - 340) < 0.1)
    #expect(await session.waiting == 0, "a position for a decision is not recorded")
    clock.move(.seconds(31))
    await stand(249, accuracy: 150)
    guard case .clockIn = try await session.answerClockIn(.returned) else {
      Issue.record("249 m with 150 m of doubt are at a site of 100 m")
      return
    }
    _ = await session.send()
    #expect(await !server.paths.contains("/v1/pings"))
    let sent = try await body()
    #expect(try sent.object("fix")?.number("accuracy") == 150)
    #expect(
      sent["localDecision"] == [
        "findings": [["code": "always_unproven", "severity": "advice"]], "policyVersion": 1,
        "sitesVersion": "a",
      ])
  }

  @Test func `without a position the site is unknown, and the button looks for one again`()
    async throws
  {
    let session = try session()
    await server.answerNext(await me(sites: "a"), sites("a"))
    _ = await session.refresh()
    #expect(try await session.beginClockIn() == .notice(.siteUnknown, .sendFix))
    await stand(0, accuracy: 501)
    #expect(try await session.answerClockIn(.proceed) == .notice(.siteUnknown, .sendFix))
    // Exactly 0/0 is no position.
    let nowhere = Coordinate(latitude: 0, longitude: 0).map { Fix(coordinate: $0) }
    clock.move(.minutes(1))
    await location.find(RecordedPing(recordedAt: clock.now, fix: nowhere))
    #expect(try await session.answerClockIn(.proceed) == .notice(.siteUnknown, .sendFix))
    clock.move(.minutes(1))
    await stand(0)
    guard case .clockIn = try await session.answerClockIn(.proceed) else {
      Issue.record("no clock-in")
      return
    }
    #expect(await location.fixesAsked == 4)
  }

  @Test func `other sites are read, and an answer that fails is asked for again`() async throws {
    let session = try session()
    await server.answerNext(await me(sites: "a"), nil)
    _ = await session.refresh()
    await server.answerNext(await me(sites: "a"), .problem(503, "overloaded"))
    _ = await session.refresh()
    await server.answerNext(await me(sites: "a"), sites("a"))
    _ = await session.refresh()
    await server.answerNext(await me(sites: "b"), sites("b", latitude: 46))
    _ = await session.refresh()
    #expect(await server.paths.filter { $0 == Self.sites }.count == 4)
    await stand(111_195)
    guard case .clockIn = try await session.beginClockIn() else {
      Issue.record("the site is at 46° now")
      return
    }
  }

  @Test func `where the policy asks for no place no more, nothing is left of it`() async throws {
    let session = try session()
    await server.answerNext(await me(sites: "a", plan([])), sites("a"))
    _ = await session.refresh()
    #expect(try folder.bytes("shiftguard-place.json").count > 100)
    // An answer about pings says nothing of it.
    try await session.signOfLife()
    _ = await session.send()
    #expect(await session.held.sites.count == 1)
    await server.answerNext(await me(sites: nil))
    _ = await session.refresh()
    #expect(await session.held == HeldPlace())
    #expect(try folder.bytes("shiftguard-place.json").count < 20)
    guard case .clockIn = try await session.beginClockIn() else {
      Issue.record("no clock-in")
      return
    }
    #expect(await location.fixesAsked == 0, "no position is looked for")
  }

  @Test func `a new enrolment begins without sites and plan`() async throws {
    let session = try session()
    await server.answerNext(await me(sites: "a", plan([])), sites("a"))
    _ = await session.refresh()
    _ = try await session.enrol(code: "7-B")
    #expect(await session.held == HeldPlace())
    #expect(HeldPlace(reading: folder.path + "/shiftguard-place.json") == HeldPlace())
  }

  @Test func `a damaged file is as none`() throws {
    for text in ["", "{", "[]", #"{"held":7}"#, #"{"held":{"version":"a","sites":[{}]}}"#] {
      try folder.write(text.utf8, "shiftguard-place.json")
      #expect(HeldPlace(reading: folder.path + "/shiftguard-place.json") == HeldPlace(), "\(text)")
    }
  }

  @Test func `a simulated position is a finding, also where no place is judged`() async throws {
    let session = try session()
    await stand(0, isMock: true)
    let fix = try #require(await location.currentFix())
    try await session.record(fix)
    guard case .warning(let decision) = try await session.beginClockIn() else {
      Issue.record("no warning")
      return
    }
    #expect(decision.warning == FindingSet(.mockLocation))
    _ = try await session.answerClockIn(.proceed)
    _ = await session.send()
    #expect(try await body().object("fix")?.flag("mock") == true)
  }

  typealias Row = (
    name: String, shifts: [(Int64, Int64)], absent: (Int64, Int64)?, hours: Int64, skew: Int64?,
    finds: FindingSet
  )
  private static let (early, none) = (FindingSet(.tooEarly), FindingSet(.notPlanned))
  static let rows: [Row] = [
    ("contains it", [(-60, 60)], nil, 24, nil, []),
    ("in the window", [(10, 60)], nil, 24, nil, []),
    ("before the window", [(11, 60)], nil, 24, nil, early),
    ("before the window, but the phone's clock is behind", [(11, 60)], nil, 24, 120_000, []),
    ("in the window, but the phone's clock is ahead", [(10, 60)], nil, 24, -120_000, early),
    ("nothing", [], nil, 24, nil, none),
    ("nothing for as long as it is known", [], nil, 12, nil, []),
    ("too early, however long it is known", [(11, 60)], nil, 1, nil, early),
    ("past the plan", [(-60, 60)], nil, 0, nil, []),
    ("absent", [(-60, 60)], (-1, 1), 24, nil, none),
    ("absent before", [(-60, 60)], (-2, -1), 24, nil, []),
  ]

  @Test(arguments: rows) func `the plan decides as the server`(_ row: Row) async throws {
    let session = try session()
    await server.answerNext(
      await me(
        sites: nil, plan(row.shifts, absent: row.absent, hours: row.hours), skew: row.skew))
    _ = await session.refresh()
    let step = try await session.beginClockIn()
    var found: FindingSet = []
    if case .warning(let decision) = step { found = decision.warning }
    #expect(found == row.finds, "\(row.name): \(step)")
    guard row.finds == Self.early, let start = row.shifts.first?.0 else { return }
    #expect(await session.clockInAllowedFrom == clock.now + .minutes(start - 10), "\(row.name)")
  }

  @Test func `another decision about the place counts only for the same sites`() async throws {
    let session = try session()
    await server.answerNext(await me(sites: "a"), sites("a"))
    _ = await session.refresh()
    for (version, findings, reports) in [
      ("a", ["off_site"], 1), ("b", ["off_site"], 1), ("a", ["too_early"], 1), ("a", [], 1),
      ("b", ["off_site", "denied"], 2),
    ] {
      await stand(0)
      guard case .clockIn = try await session.beginClockIn() else {
        Issue.record("no clock-in")
        return
      }
      let listed = (findings + ["always_unproven"]).map { code -> JSONValue in
        ["code": .string(code), "severity": code == "always_unproven" ? "advice" : "warn"]
      }
      // A problem, which changes nothing that the phone holds.
      await server.answerNext(
        .json(
          409,
          [
            "code": "clock_in_blocked", "sitesVersion": .string(version),
            "decision": ["verdict": "block", "findings": .array(listed)],
            "tracking": .object(await server.trackingOrder),
          ]))
      _ = await session.send()
      let count = await server.paths.filter { $0 == "/v1/me/rule-differences" }.count
      #expect(count == reports, "\(version) \(findings)")
      clock.move(.minutes(2))
    }
  }
}
