import GuardRules
import ShiftDomain
import Testing

/// The table of decisions at clock-in, cell by cell.
@Suite("Decision at clock-in") struct DecisionTableTests {
  typealias Cell = (finding: Finding, standard: Severity, strict: Severity, advisory: Severity)
  // R: M2, A8, A9, C6, B1
  static let cells: [Cell] = [
    (.restricted, .block, .block, .advice),
    (.servicesOff, .block, .block, .advice),
    (.denied, .block, .block, .advice),
    (.notDetermined, .block, .block, .advice),
    (.unreadable, .block, .block, .advice),
    (.noReport, .block, .block, .advice),
    (.staleReport, .block, .block, .advice),
    (.cannotReport, .warn, .block, .advice),
    (.cannotReportNoFix, .block, .block, .advice),
    (.accuracyReduced, .warn, .warn, .advice),
    (.whenInUse, .warn, .block, .advice),
    (.mockLocation, .warn, .block, .advice),
    (.siteUnknown, .ignore, .ignore, .ignore),
    (.offSite, .ignore, .ignore, .ignore),
    (.notPlanned, .ignore, .ignore, .ignore),
    (.tooEarly, .ignore, .ignore, .ignore),
    (.servicesUnknown, .advice, .advice, .advice),
    (.alwaysUnproven, .advice, .advice, .advice),
    (.batteryOptimised, .advice, .advice, .advice),
    (.backgroundRefreshOff, .advice, .advice, .advice),
    (.powerSave, .advice, .advice, .advice),
    (.notificationsOff, .advice, .advice, .advice),
    (.clockWrong, .advice, .advice, .advice),
  ]

  @Test("every finding has its severity under every preset", arguments: cells)
  func cell(_ cell: Cell) {
    #expect(Policy.policy(of: .standard).severities[cell.finding] == cell.standard)
    #expect(Policy.policy(of: .strict).severities[cell.finding] == cell.strict)
    #expect(Policy.policy(of: .advisory).severities[cell.finding] == cell.advisory)
  }

  @Test("the table contains every finding, in the order of remedy")
  func complete() {
    #expect(Self.cells.map(\.finding) == Finding.allCases.sorted())
    for preset in Preset.allCases { #expect(Policy.policy(of: preset).preset == preset) }
  }

  typealias Row = (
    name: String, evidence: Evidence, finds: FindingSet, standard: Verdict, strict: Verdict
  )
  private static func told(
    _ state: PermissionState, on platform: Platform = .android, age: Double = 0,
    skew: TimeSpan? = nil
  ) -> Evidence {
    .report(report(state, at: at(-age), skew: skew), platform)
  }
  private static func only(_ change: (inout DeviceConditions) -> Void) -> PermissionState {
    var conditions = DeviceConditions()
    change(&conditions)
    return phone(conditions: conditions)
  }

  // R: M2, A2, A8, A9, A13, C3, C6
  static let rows: [Row] = [
    ("always, all well", told(phone()), [], .allow, .allow),
    ("always, accuracy not reported", told(phone(accuracy: .unknown)), [], .allow, .allow),
    ("while in use", told(phone(.whenInUse)), .of(.whenInUse), .warn, .block),
    ("denied", told(phone(.denied)), .of(.denied), .block, .block),
    ("never asked", told(phone(.notDetermined)), .of(.notDetermined), .block, .block),
    ("restricted", told(phone(.restricted)), .of(.restricted), .block, .block),
    ("unreadable", told(phone(.unknown)), .of(.unreadable), .block, .block),
    ("location off", told(phone(services: .off)), .of(.servicesOff), .block, .block),
    (
      "location off on iOS, where it also denies", told(phone(.denied, services: .off)),
      .of(.servicesOff, .denied), .block, .block
    ),
    (
      "location switch not reported", told(phone(services: .unknown)), .of(.servicesUnknown),
      .allow, .allow
    ),
    ("approximate", told(phone(accuracy: .reduced)), .of(.accuracyReduced), .warn, .warn),
    (
      "while in use and approximate", told(phone(.whenInUse, accuracy: .reduced)),
      .of(.whenInUse, .accuracyReduced), .warn, .block
    ),
    ("never reported", .noReport, .of(.noReport), .block, .block),
    ("always, reported at the age limit", told(phone(), age: 300), [], .allow, .allow),
    ("always, a millisecond older", told(phone(), age: 300.001), .of(.staleReport), .block, .block),
    (
      "denied, a week ago", told(phone(.denied), age: 604_800), .of(.staleReport, .denied), .block,
      .block
    ),
    ("always, dated in the server's future", told(phone(), age: -59), [], .allow, .allow),
    (
      "no reports possible, no fix ever", .cannotReport(lastFixAt: nil), .of(.cannotReportNoFix),
      .block, .block
    ),
    (
      "no reports possible, a fix just now", .cannotReport(lastFixAt: at(0)), .of(.cannotReport),
      .warn, .block
    ),
    (
      "no reports possible, a fix at the age limit", .cannotReport(lastFixAt: at(-300)),
      .of(.cannotReport), .warn, .block
    ),
    (
      "no reports possible, a fix a millisecond older", .cannotReport(lastFixAt: at(-300.001)),
      .of(.cannotReportNoFix), .block, .block
    ),
    ("a clock ten minutes behind", told(phone(), skew: .minutes(10)), [], .allow, .allow),
    ("a clock ten minutes ahead", told(phone(), skew: .minutes(-10)), [], .allow, .allow),
    (
      "a clock further behind", told(phone(), skew: .milliseconds(600_001)), .of(.clockWrong),
      .allow, .allow
    ),
    (
      "a clock further ahead", told(phone(), skew: .milliseconds(-600_001)), .of(.clockWrong),
      .allow, .allow
    ),
    (
      "a clock as wrong as can be", told(phone(), skew: .milliseconds(.min)), .of(.clockWrong),
      .allow, .allow
    ),
    (
      "iOS always, no background fix yet", told(phone(), on: .ios), .of(.alwaysUnproven), .allow,
      .allow
    ),
    (
      "iOS always, proven by a background fix", told(only { $0.backgroundFix = .on }, on: .ios), [],
      .allow, .allow
    ),
    (
      "iOS always, known to lack such a fix", told(only { $0.backgroundFix = .off }, on: .ios),
      .of(.alwaysUnproven), .allow, .allow
    ),
    (
      "iOS while in use needs no such proof", told(phone(.whenInUse), on: .ios), .of(.whenInUse),
      .warn, .block
    ),
    (
      "battery optimised", told(only { $0.batteryOptimisation = .on }), .of(.batteryOptimised),
      .allow, .allow
    ),
    (
      "background refresh off", told(only { $0.backgroundRefresh = .off }),
      .of(.backgroundRefreshOff), .allow, .allow
    ),
    ("power save", told(only { $0.powerSave = .on }), .of(.powerSave), .allow, .allow),
    (
      "notifications off", told(only { $0.notifications = .off }), .of(.notificationsOff), .allow,
      .allow
    ),
    (
      "no foreground service: no finding", told(only { $0.foregroundService = .off }), [], .allow,
      .allow
    ),
  ]

  @Test("follows from the evidence", arguments: rows)
  func decides(_ row: Row) {
    let standard = decideClockIn(row.evidence, policy: .policy(of: .standard), now: morning)
    let strict = decideClockIn(row.evidence, policy: .policy(of: .strict), now: morning)
    let advisory = decideClockIn(row.evidence, policy: .policy(of: .advisory), now: morning)
    #expect(standard.findings.ranked == row.finds.ranked)
    #expect(strict.findings == row.finds)
    #expect(advisory.informing == row.finds)
    #expect(standard.verdict == row.standard)
    #expect(strict.verdict == row.strict)
    #expect(advisory.verdict == .allow)  // R: B1
  }

  @Test("uses the policy's own age limit")
  func ownFreshness() {
    var policy = Policy.policy(of: .standard)
    policy.freshFor = .seconds(10)
    let evidence = Self.told(phone(), age: 10.001)
    #expect(decideClockIn(evidence, policy: policy, now: morning).findings == .of(.staleReport))
    #expect(decideClockIn(evidence, policy: policy, now: at(-0.001)).findings.isEmpty)
  }

  @Test("has the highest severity found as its verdict, under any table")
  func anyTable() {
    var random = SeededRandom(seed: 2)
    for round in 0..<20_000 {
      var severities: [Finding: Severity] = [:]
      var table = SeverityTable.table(of: Preset.allCases.pick(&random))
      for finding in Finding.allCases {
        let severity = finding.severities.pick(&random)
        severities[finding] = severity
        table = table.moving(finding, to: severity)
      }
      let found = FindingSet(rawValue: UInt32.random(in: 0..<1 << 23, using: &random))
      let highest = found.ranked.compactMap { severities[$0] }.max() ?? .ignore
      let decision = Decision(found, under: table)
      let verdicts: [Severity: Verdict] = [.warn: .warn, .block: .block]
      #expect(decision.verdict == verdicts[highest] ?? .allow, "round \(round)")
      for finding in found.ranked {
        let holders: [Severity?] = [
          decision.informing.contains(finding) ? .advice : nil,
          decision.warning.contains(finding) ? .warn : nil,
          decision.blocking.contains(finding) ? .block : nil,
        ]
        let expected = severities[finding] == .ignore ? [] : [severities[finding]]
        #expect(holders.compactMap { $0 } == expected, "\(finding), round \(round)")
      }
    }
  }

  @Test("never traps, whatever the instants")
  func extremes() {
    let edges = [Instant(milliseconds: .min), morning, Instant(milliseconds: .max)]
    for instant in edges {
      for now in edges {
        let told = Evidence.report(report(phone(), at: instant), .android)
        let isOld = now > instant
        let policy = Policy.policy(of: .standard)
        #expect(decideClockIn(told, policy: policy, now: now).verdict == (isOld ? .block : .allow))
        let silent = Evidence.cannotReport(lastFixAt: instant)
        #expect(decideClockIn(silent, policy: policy, now: now).verdict == (isOld ? .block : .warn))
      }
    }
  }
}
