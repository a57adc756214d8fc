import GuardRules
import ShiftDomain
import Testing

/// The findings of RULES 10.
private let five: [Finding] = [.mockLocation, .siteUnknown, .offSite, .notPlanned, .tooEarly]

/// Place, time and truth of a clock-in beside the state of the phone, by RULES 2 and 10.
@Suite("Decision by place and time") struct PlaceAndTimeDecisionTests {
  // R: M2, B1, G1, G2, G3, G4
  @Test("every finding alone is decided by its severity", arguments: DecisionTableTests.cells)
  func cell(_ cell: DecisionTableTests.Cell) {
    for (preset, severity) in [
      (Preset.standard, cell.standard), (.strict, cell.strict), (.advisory, cell.advisory),
    ] {
      let table = Policy.policy(of: preset).severities
      let decision = Decision(FindingSet(cell.finding), under: table)
      let expected = Outcome([(cell.finding, severity)], naming: [])
      #expect(Outcome(decision) == expected, "\(preset)")
    }
  }

  @Test("they have codes, and early is before the last quarter of an hour")
  func codes() {
    #expect(
      five.map(\.code) == [
        "mock_location", "site_unknown", "off_site", "not_planned", "too_early",
      ])
    #expect(Policy.policy(of: .standard).earlyWindow == .minutes(15))
  }

  @Test("only the five can be ignored")
  func ignoring() {
    let others = FindingSet.all.subtracting(five.reduce(into: []) { $0.insert($1) })
    let all = SeverityTable(blocking: [], warning: [], ignored: .all)
    #expect(Decision(.all, under: all).findings == others)
    for finding in Finding.allCases {
      let isOne = five.contains(finding)
      for preset in Preset.allCases {
        let ignored = Policy.policy(of: preset).severities.moving(finding, to: .ignore)
        #expect((ignored[finding] == .ignore) == isOne, "\(finding) under \(preset)")
        let decision = Decision(FindingSet(finding), under: ignored)
        #expect(decision.findings.isEmpty == isOne, "\(finding) under \(preset)")
      }
    }
  }

  @Test("moving one of the five moves no other finding, from any severity to any severity")
  func moving() {
    for finding in five {
      for from in Severity.allCases {
        for to in Severity.allCases {
          let before = Policy.policy(of: .standard).severities.moving(finding, to: from)
          let after = before.moving(finding, to: to)
          #expect(before[finding] == from && after[finding] == to, "\(finding) \(from) \(to)")
          for cell in DecisionTableTests.cells where cell.finding != finding {
            #expect(after[cell.finding] == cell.standard, "\(finding) \(from) \(to)")
          }
        }
      }
    }
  }
}

/// Each of the five findings with each of the four severities: 1,024 policies.
@Suite("Decision under any severities of place and time") struct AnyPlaceAndTimeTests {
  private static let policies: [(severities: [Severity], policy: Policy)] = (0..<1_024).map {
    number in
    let severities = (0..<5).map { Severity.allCases[(number >> (2 * $0)) & 3] }
    return (severities, Policy(preset: .standard, severities: Self.table(severities)))
  }

  private static func table(_ severities: [Severity]) -> SeverityTable {
    zip(five, severities).reduce(Policy.policy(of: .standard).severities) {
      $0.moving($1.0, to: $1.1)
    }
  }

  /// Those of the five whose bit is set.
  private static func those(_ bits: Int) -> FindingSet {
    var those: FindingSet = []
    for index in 0..<5 where (bits >> index) & 1 == 1 { those.insert(five[index]) }
    return those
  }

  // R: G1, G2, G3, G4
  @Test("counts each of any set of the five by itself, whatever an override names")
  func everySet() {
    for (number, row) in Self.policies.enumerated() {
      let severities = row.severities
      for bits in 0..<32 {
        let found = (0..<5).filter { (bits >> $0) & 1 == 1 }.map { (five[$0], severities[$0]) }
        for names in [0, 31, (number * 7 + bits * 11) % 32] {
          let named = Self.those(names)
          let decision = Decision(
            Self.those(bits), under: row.policy.severities, excusing: named)
          #expect(
            Outcome(decision) == Outcome(found, naming: named), "\(severities) \(bits) \(names)")
        }
      }
    }
  }

  /// A clock-in, and which findings it must have, whatever the policy.
  private struct ClockIn {
    var place: ClockInPlace?
    var isReportedMock = false
    var plan: ClockInPlan?
    var finds: Set<Finding> = []

    var evidence: Evidence {
      let conditions = DeviceConditions(mockLocation: isReportedMock ? .on : .off)
      return .report(report(phone(conditions: conditions)), .android)
    }
  }

  /// At a site, off it, too inaccurate and without a position, each mock or not, and not judged.
  private static func places() throws -> [(ClockInPlace?, Set<Finding>)] {
    let depot = try #require(Coordinate(latitude: 45.3, longitude: 13.7))
    let far = try #require(Coordinate(latitude: 45.4, longitude: 13.7))
    let sites = [Site(number: 1, name: "Depot", center: depot, radiusMeters: 200)]
    var places: [(ClockInPlace?, Set<Finding>)] = [
      (nil, []), (ClockInPlace(sites: sites, position: nil), [.siteUnknown]),
      (ClockInPlace(sites: [], position: nil), []),
    ]
    let rows: [(Coordinate, Double?, Set<Finding>)] = [
      (depot, 10, []), (far, nil, [.offSite]), (depot, 501, [.siteUnknown]),
    ]
    for (coordinate, accuracy, finds) in rows {
      for isMock in [false, true] {
        let position = ClockInPlace.Position(
          coordinate, accuracyMeters: accuracy, isMock: isMock)
        places.append(
          (
            ClockInPlace(sites: sites, position: position),
            isMock ? finds.union([.mockLocation]) : finds
          ))
      }
    }
    return places
  }

  private static let plans: [(ClockInPlan?, Set<Finding>)] = [
    (nil, []),
    (ClockInPlan(planned: [Interval(from: at(-60), to: at(28_800))]), []),
    (ClockInPlan(planned: [Interval(from: at(7_200), to: at(28_800))]), [.tooEarly]),
    (ClockInPlan(planned: []), [.notPlanned]),
    (
      ClockInPlan(
        planned: [Interval(from: at(0), to: at(60))],
        absences: [Interval(from: at(0), to: at(60))]), [.notPlanned]
    ),
  ]

  private static func clockIns() throws -> [ClockIn] {
    var clockIns: [ClockIn] = []
    for (place, findsOfPlace) in try places() {
      for (plan, findsOfPlan) in plans {
        for isMock in [false, true] {
          var finds = findsOfPlace.union(findsOfPlan)
          if isMock { finds.insert(.mockLocation) }
          clockIns.append(
            ClockIn(place: place, isReportedMock: isMock, plan: plan, finds: finds))
        }
      }
    }
    return clockIns
  }

  // R: G1, G2, G3, G4
  @Test("decides every clock-in by its place, its plan and its report")
  func everyClockIn() throws {
    for (index, clockIn) in try Self.clockIns().enumerated() {
      let evidence = clockIn.evidence
      let placeAndPlan = PlaceAndPlan(place: clockIn.place, plan: clockIn.plan)
      let indices = (0..<5).filter { clockIn.finds.contains(five[$0]) }
      for (number, row) in Self.policies.enumerated() {
        let named = Self.those((number * 5 + index) % 32)
        let decision = decideClockIn(
          evidence, placeAndPlan, policy: row.policy, now: morning, excusing: named)
        let found = indices.map { (five[$0], row.severities[$0]) }
        #expect(
          Outcome(decision) == Outcome(found, naming: named),
          "clock-in \(index): \(clockIn.finds), \(row.severities), \(named.ranked)")
      }
    }
  }

  /// What each of these phones has besides, by RULES 2.
  private static let phones: [(Evidence, Set<Finding>)] = [
    (.report(report(phone()), .android), []),
    (.report(report(phone(.whenInUse)), .android), [.whenInUse]),
    (.report(report(phone(.denied, services: .off)), .android), [.denied, .servicesOff]),
    (
      .report(report(phone(accuracy: .reduced), at: at(-300.001)), .android),
      [.accuracyReduced, .staleReport]
    ),
    (
      .report(
        report(
          phone(conditions: DeviceConditions(powerSave: .on, mockLocation: .on)), at: at(-3_600)),
        .android), [.staleReport, .powerSave, .mockLocation]
    ),
    (.noReport, [.noReport]),
    (.cannotReport(lastFixAt: at(-10)), [.cannotReport]),
    (.cannotReport(lastFixAt: nil), [.cannotReportNoFix]),
  ]

  // R: A8, G1, G2, G3, G4
  @Test("judges place, time and phone together, under any table and any override")
  func everythingTogether() throws {
    var random = SeededRandom(seed: 23)
    let clockIns = try Self.clockIns().filter { !$0.isReportedMock }
    var verdicts: Set<Verdict> = []
    for round in 0..<20_000 {
      let clockIn = clockIns.pick(&random)
      let (evidence, findsOfPhone) = Self.phones.pick(&random)
      var table = Policy.policy(of: Preset.allCases.pick(&random)).severities
      var severities: [Finding: Severity] = [:]
      for finding in Finding.allCases {
        let isOne = five.contains(finding)
        let severity = (isOne ? Severity.allCases : [.advice, .warn, .block]).pick(&random)
        severities[finding] = severity
        table = table.moving(finding, to: severity)
      }
      let bits = UInt32.random(in: 0...FindingSet.all.rawValue, using: &random)
      let named = random.oneIn(3) ? FindingSet(rawValue: bits) : []
      let decision = decideClockIn(
        evidence, PlaceAndPlan(place: clockIn.place, plan: clockIn.plan),
        policy: Policy(preset: .standard, severities: table), now: morning, excusing: named)
      let found = clockIn.finds.union(findsOfPhone).map { ($0, severities[$0] ?? .block) }
      #expect(Outcome(decision) == Outcome(found, naming: named), "round \(round): \(found)")
      verdicts.insert(decision.verdict)
    }
    #expect(verdicts.count == 3)
  }

  // R: B1, G1, G2, G3, G4
  @Test("of all five causes, the presets judge the mock position only")
  func presets() throws {
    for clockIn in try Self.clockIns() {
      for (preset, severity) in [
        (Preset.standard, Severity.warn), (.strict, .block), (.advisory, .advice),
      ] {
        let decision = decideClockIn(
          clockIn.evidence, PlaceAndPlan(place: clockIn.place, plan: clockIn.plan),
          policy: .policy(of: preset), now: morning)
        let found = clockIn.finds.contains(.mockLocation) ? [(Finding.mockLocation, severity)] : []
        #expect(Outcome(decision) == Outcome(found, naming: []), "\(preset): \(clockIn.finds)")
      }
    }
  }

  // R: G4
  @Test("leaves out place and plan where they are not judged, but not a report of mock positions")
  func notJudged() {
    var policy = Policy.policy(of: .standard)
    policy.severities = Self.table([.warn, .block, .block, .block, .block])
    for (value, finds) in [
      (Switch.on, FindingSet.of(.mockLocation)), (.off, []), (.unknown, []),
    ] {
      let state = phone(conditions: DeviceConditions(mockLocation: value))
      let decision = decideClockIn(
        .report(report(state), .android), PlaceAndPlan(), policy: policy, now: morning)
      #expect(decision.findings == finds && decision.warning == finds, "\(value)")
    }
  }
}

/// A decision by the naive model: every finding by itself.
private struct Outcome: Equatable {
  var verdict: Verdict
  var blocking: FindingSet = []
  var warning: FindingSet = []
  var informing: FindingSet = []
  var overridden: FindingSet = []

  init(_ decision: Decision) {
    (verdict, overridden) = (decision.verdict, decision.overridden)
    (blocking, warning) = (decision.blocking, decision.warning)
    informing = decision.informing
  }

  /// An ignored finding is nowhere; one that would block and is named by the override is overridden
  /// and warns.
  init(_ found: [(Finding, Severity)], naming named: FindingSet) {
    var highest = Verdict.allow
    for (finding, severity) in found {
      switch severity {
      case .ignore: break
      case .advice: informing.insert(finding)
      case .warn: warning.insert(finding)
      case .block where named.contains(finding):
        overridden.insert(finding)
        warning.insert(finding)
      case .block: blocking.insert(finding)
      }
    }
    if !warning.isEmpty { highest = .warn }
    if !blocking.isEmpty { highest = .block }
    verdict = highest
  }
}
