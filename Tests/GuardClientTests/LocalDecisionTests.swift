import GuardRules
import GuardRulesWasm
import JSONText
import ShiftDomain
import Testing

@testable import GuardClient

@Suite("A decision on the phone", .timeLimit(.minutes(5))) struct LocalDecisionTests {
  private let folder: TestFolder
  private let server = FakeServer()
  private let clock = TestClock()

  init() throws { folder = try TestFolder() }

  /// - Parameter status: `CLAuthorizationStatus`; 4 is while in use.
  private func session(_ status: Int64 = 4) throws -> GuardSession {
    try GuardSession(
      GuardSettings(
        folder: folder.path,
        phone: PhoneDescription(platform: .ios, systemVersion: "18.1", app: "Shifts 3.2"),
        policy: .policy(of: .standard)),
      location: FakeLocation(status), tokens: FakeTokens(), transport: server, clock: clock.client)
  }

  /// The answer to `GET /v1/me`.
  private func me(
    warning: [String] = ["when_in_use"], version: Int64 = 1, skew: Int64? = nil
  ) async -> GuardResponse {
    let rules: JSONValue = [
      "policyVersion": .integer(version), "freshFor": 300, "selfOverride": "with_reason",
      "blocking": ["denied"], "warning": .array(warning.map { .string($0) }),
    ]
    let object: JSONObject = [
      "tracking": .object(await server.trackingOrder), "rules": rules,
      "clock": skew.map { ["skewMs": .integer($0)] },
    ]
    return .json(200, object)
  }

  private func answer(
    _ status: Int, _ findings: [(String, String)], overridden: [JSONValue]? = nil,
    version: Int64 = 1, code: JSONValue? = nil
  ) async -> GuardResponse {
    let decision: JSONObject = [
      "verdict": "warn",
      "findings": JSONValue(findings) { ["code": .string($0.0), "severity": .string($0.1)] },
      "overridden": overridden.map { .array($0) },
    ]
    let order = JSONObject(await server.trackingOrder.members.filter { $0.name != "policyVersion" })
      .adding(["policyVersion": .integer(version)])
    return .json(
      status,
      ["decision": .object(decision), "tracking": .object(order), "code": code])
  }

  private func bodies(_ path: String) async throws -> [JSONFields] {
    try await server.requests.filter { $0.path == path }.map {
      try JSONFields(JSONValue(parsing: try #require($0.body)))
    }
  }

  private func clockIn(_ session: GuardSession) async throws {
    var step = try await session.beginClockIn()
    if case .warning = step { step = try await session.answerClockIn(.proceed) }
    guard case .clockIn = step else {
      Issue.record("\(step)")
      return
    }
  }

  // R: W4
  @Test func `is made at the clock-in, under the rules known then, and sent the same every time`()
    async throws
  {
    let session = try session()
    try await clockIn(session)
    _ = await session.send()
    await server.answerNext(await me())
    _ = await session.refresh()
    try await clockIn(session)
    await server.answerNext(nil, await me(warning: [], version: 2))
    _ = await session.send()
    #expect(await session.refresh()?.rules?.policyVersion == 2)
    clock.move(.minutes(10))
    _ = await session.send()
    let sent = try await bodies("/v1/clock-in").map { $0["localDecision"] }
    let decision: JSONValue = [
      "findings": [["code": "when_in_use", "severity": "warn"]], "policyVersion": 1,
    ]
    #expect(sent == [nil, decision, decision], "without the team's rules, none")
  }

  /// The findings of a clock-in in spite of a block, by the phone.
  private func blocked(_ session: GuardSession) async throws -> [String?] {
    _ = try await session.clockIn(inSpiteOfBlock: "No signal")
    _ = await session.send()
    let local = try #require(try await bodies("/v1/clock-in").last?.object("localDecision"))
    return try local.objects("findings").map { try $0.text("code", max: 20) }
  }

  @Test func `judges what cannot be read as reported shortly before, also by an earlier run`()
    async throws
  {
    do {
      let session = try session(2)
      await server.answerNext(await me(warning: ["unreadable"]))
      _ = await session.refresh()
      try await session.report(.launch)
    }
    clock.move(.seconds(299))
    // A status that no version of iOS has.
    let session = try session(99)
    try await session.report(.launch)
    clock.move(.seconds(1))
    #expect(try await session.beginClockIn() == .notice(.denied, .openAppSettings))
    #expect(try await blocked(session) == ["denied"])
    clock.move(.milliseconds(1))
    #expect(try await blocked(session) == ["unreadable"], "over five minutes after the denial")
  }

  @Test func `in spite of a block is sent too, and other clock actions have none`() async throws {
    let session = try session(2)
    await server.answerNext(await me())
    _ = await session.refresh()
    _ = try await session.clockIn(inSpiteOfBlock: "No signal")
    _ = try await session.clockOut()
    _ = try await session.takeOver()
    _ = await session.send()
    let local = try #require(try await bodies("/v1/clock-in").first?.object("localDecision"))
    #expect(try local.objects("findings").map { try $0.text("severity", max: 9) } == ["block"])
    for path in ["/v1/clock-out", "/v1/take-over"] {
      #expect(try await bodies(path).map { $0["localDecision"] } == [nil])
    }
  }

  // R: M5
  @Test func `that the server does not share is reported once, with what it was made of`()
    async throws
  {
    do {
      let session = try session()
      await server.answerNext(await me(skew: 700_000))
      _ = await session.refresh()
      try await clockIn(session)
      // The app ends before the answer.
      await server.answerNext(nil)
      _ = await session.send()
    }
    let tapped = clock.now.milliseconds
    clock.move(.minutes(6))
    let session = try session()
    await server.answerNext(await answer(201, [("of_tomorrow", "block")]), nil)
    #expect(await session.send() != nil, "the report waits")
    #expect(await session.waiting == 0, "the clock-in is answered")
    clock.move(.minutes(6))
    for _ in 1...3 { #expect(await session.send() == nil) }
    let reports = try await bodies("/v1/me/rule-differences")
    #expect(reports.count == 2, "an answer was lost")
    let report = try #require(reports.last)
    let action = try await bodies("/v1/clock-in").last?["actionId"]
    #expect(report["actionId"] == action && report["rulesVersion"] == "Shifts 3.2")
    #expect(
      report["local"] == [
        "findings": [
          ["code": "when_in_use", "severity": "warn"],
          ["code": "clock_wrong", "severity": "advice"],
        ], "policyVersion": 1,
      ])
    #expect(report["server"] == ["findings": [["code": "of_tomorrow", "severity": "block"]]])
    let numbers = try #require(try report.elements("arguments")).compactMap(\.wholeNumber)
    try #require(numbers.count == 9)
    #expect(Array(numbers[1...3]) == [tapped, tapped, 700_000] && numbers[4] == 300_000)
    let warning = UInt64(2) << (2 * UInt64(Finding.whenInUse.rawValue))
    let advice = UInt64(1) << (2 * UInt64(Finding.clockWrong.rawValue))
    #expect(repeated(numbers) == warning | advice | 1 << 60, "the decision can be repeated")
  }

  @Test func `is no difference where something else than the rules explains it`() async throws {
    let warned = ("when_in_use", "warn")
    let answers: [GuardResponse] = [
      await answer(201, [warned]),
      await answer(201, [warned, ("clock_wrong", "advice")]),
      await answer(201, [("denied", "warn"), warned], overridden: ["denied"]),
      await answer(201, [], version: 2),
      await answer(200, []),
      .problem(409, "open_elsewhere"),
      await answer(409, [warned], code: "clock_in_blocked"),
    ]
    let session = try session()
    await server.answerNext(await me())
    _ = await session.refresh()
    for answer in answers {
      try await clockIn(session)
      await server.answerNext(answer)
      #expect(await session.send() == nil)
    }
    #expect(try await bodies("/v1/clock-in").count == answers.count)
    #expect(try await bodies("/v1/me/rule-differences").isEmpty)
    try await clockIn(session)
    await server.answerNext(await answer(409, [("denied", "block")], code: "clock_in_blocked"))
    #expect(await session.send() == nil)
    #expect(try await bodies("/v1/me/rule-differences").count == 1)
  }

  @Test func `is repeated by the numbers for every state of a phone`() throws {
    var random = SeededNumbers(3)
    let rules = try ClockInRules(
      JSONFields(JSONValue(parsing: Array(Self.rules.utf8))))
    for _ in 0..<5_000 {
      func pick<Value: Coded>(_: Value.Type = Value.self) -> Value {
        Array(Value.allCases)[random.below(Array(Value.allCases).count)]
      }
      let state = PermissionState(
        authorization: pick(), grantPath: pick(), accuracy: pick(), services: pick(),
        conditions: DeviceConditions(
          notifications: pick(), batteryOptimisation: pick(), backgroundRefresh: pick(),
          powerSave: pick(), foregroundService: pick(), backgroundFix: pick()))
      let skew: TimeSpan? = random.below(2) == 0 ? nil : .minutes(Int64(random.below(40)) - 20)
      let local = try #require(
        LocalDecision(
          on: state, of: pick(), at: clock.now, skew: skew, under: rules,
          adding: FindingSet(rawValue: UInt32(random.below(32)) << 18)))
      let decision = local.decision
      let sets = [decision.informing, decision.warning, decision.blocking]
      var wanted = UInt64(decision.verdict.rawValue) << 60
      for (code, findings) in zip(UInt64(1)..., sets) {
        for finding in findings.ranked { wanted |= code << (2 * UInt64(finding.rawValue)) }
      }
      #expect(repeated(local.arguments) == wanted, "\(state)")
    }
  }

  private static let rules = """
    {"policyVersion":1,"freshFor":300,"blocking":["denied","restricted","unreadable"],
     "warning":["when_in_use","power_save","clock_wrong","off_site"],
     "ignored":["site_unknown","too_early"]}
    """

  /// The decision word of what a difference names.
  private func repeated(_ numbers: [Int64]) -> UInt64 {
    shiftguardDecide(
      UInt32(numbers[0]), numbers[1], numbers[2], numbers[3], numbers[4], UInt32(numbers[5]),
      UInt32(numbers[6]), UInt32(numbers[7]), UInt32(numbers[8]))
  }
}
