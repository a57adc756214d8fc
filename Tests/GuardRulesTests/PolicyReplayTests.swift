import GuardRules
import ShiftDomain
import Testing

/// What another policy would have decided, by RULES 2 and 7.
@Suite("A policy replayed") struct PolicyReplayTests {
  private func clockIn(
    _ findings: FindingSet, under policy: Policy = .policy(of: .standard),
    _ override: Override? = nil, age: DecidedClockIn.ReportAge = .known(.seconds(10))
  ) -> DecidedClockIn {
    DecidedClockIn(
      Decision(findings, under: policy.severities, excusing: override?.findings ?? []),
      override: override, reportAge: age, freshFor: policy.freshFor,
      earlyWindow: policy.earlyWindow)
  }

  // R: G3, G8
  @Test("says that it is not known what a window of another length would have found")
  func earlyWindow() {
    func policy(_ minutes: Int64) -> Policy {
      var policy = Policy.policy(of: .standard)
      policy.earlyWindow = .minutes(minutes)
      policy.severities = policy.severities.moving(.tooEarly, to: .block)
        .moving(.notPlanned, to: .block)
      return policy
    }
    let (none, early, unplanned) = (
      FindingSet(), FindingSet(.tooEarly), FindingSet(.notPlanned)
    )
    for (found, draft, verdict, isCertain) in [
      (none, 15, .allow, true), (early, 15, .block, true), (unplanned, 15, .block, true),
      (none, 60, .allow, true), (early, 60, .block, false), (unplanned, 60, .block, true),
      (none, 5, .allow, false), (early, 5, .block, true), (unplanned, 5, .block, true),
    ] as [(FindingSet, Int64, Verdict, Bool)] {
      let replayed = replay(clockIn(found, under: policy(15)), under: policy(draft))
      #expect(replayed.decision.verdict == verdict, "\(found) \(draft)")
      #expect(replayed.isCertain == isCertain, "\(found) \(draft)")
    }
  }

  // R: M2, A8, A9, C6
  @Test("gives every finding the effect of its table", arguments: DecisionTableTests.cells)
  func tables(_ cell: DecisionTableTests.Cell) {
    let age: DecidedClockIn.ReportAge =
      cell.finding == .staleReport ? .known(.seconds(400)) : .known(.seconds(10))
    for then in Preset.allCases {
      let decided = clockIn(FindingSet(cell.finding), under: .policy(of: then), age: age)
      for (preset, severity) in [
        (Preset.standard, cell.standard), (.strict, cell.strict), (.advisory, cell.advisory),
      ] {
        let replayed = replay(decided, under: .policy(of: preset))
        let verdict: Verdict =
          severity == .block ? .block : severity == .warn ? .warn : .allow
        #expect(replayed.decision.verdict == verdict && replayed.isCertain, "\(then) \(preset)")
        let found: FindingSet = severity == .ignore ? [] : FindingSet(cell.finding)
        #expect(replayed.decision.findings == found)
      }
    }
  }

  typealias Row = (
    name: String, age: DecidedClockIn.ReportAge, then: Int64, draft: Int64, wasStale: Bool,
    blocks: Bool, certain: Bool
  )

  /// A report is stale when it is older than `freshFor`, not at that age.
  static let ages: [Row] = [
    ("the same limit", .known(.seconds(10)), 300, 300, false, false, true),
    ("the same limit, a report sent twice", .known(.seconds(10)), 300, 300, true, true, true),
    ("a longer limit, fresh before", .unknown, 300, 600, false, false, true),
    ("a longer limit, stale before", .known(.seconds(600)), 300, 600, true, false, true),
    ("a longer limit, still stale", .known(.milliseconds(600_001)), 300, 600, true, true, true),
    ("a shorter limit, stale before", .unknown, 300, 100, true, true, true),
    ("a shorter limit, at it", .known(.seconds(100)), 300, 100, false, false, true),
    ("a shorter limit, past it", .known(.milliseconds(100_001)), 300, 100, false, true, true),
    ("a shorter limit, not stored any more", .unknown, 300, 100, false, false, false),
    ("a longer limit, not stored any more", .unknown, 300, 600, true, true, false),
    ("no report", .noReport, 300, 1, false, false, true),
  ]

  @Test("counts the age of the report by its own limit", arguments: ages)
  func reportAge(_ row: Row) {
    var (then, draft) = (Policy.policy(of: .standard), Policy.policy(of: .standard))
    (then.freshFor, draft.freshFor) = (.seconds(row.then), .seconds(row.draft))
    let findings: FindingSet = row.wasStale ? FindingSet(.staleReport) : []
    let replayed = replay(clockIn(findings, under: then, age: row.age), under: draft)
    #expect(replayed.decision.blocking.contains(.staleReport) == row.blocks, "\(row.name)")
    #expect(replayed.isCertain == row.certain, "\(row.name)")
  }

  @Test("is certain in spite of an unknown age if the verdict does not depend on it")
  func certain() {
    var draft = Policy.policy(of: .standard)
    draft.freshFor = .seconds(1)
    let decided = clockIn(FindingSet(.denied), age: .unknown)
    #expect(replay(decided, under: draft).isCertain)
    draft.severities = draft.severities.moving(.denied, to: .warn)
    #expect(!replay(decided, under: draft).isCertain)
  }

  // R: A8
  @Test("applies the override again: a manager's always, an employee's own if the draft allows it")
  func overrides() {
    let given = Override(number: 1, findings: FindingSet(.denied), author: .manager)
    let denied = FindingSet(.denied)
    var draft = Policy.policy(of: .strict)
    #expect(replay(clockIn(denied, given), under: draft).decision.verdict == .warn)
    #expect(replay(clockIn(denied), under: draft).decision.verdict == .block)
    // It does not name what the draft blocks besides.
    var both = denied
    both.insert(.whenInUse)
    #expect(replay(clockIn(both, given), under: draft).decision.blocking == FindingSet(.whenInUse))
    let own = Override(number: 1, findings: .all, author: .employee)
    #expect(replay(clockIn(denied, own), under: draft).decision.verdict == .block)
    draft.selfOverride = .withReason
    #expect(replay(clockIn(both, own), under: draft).decision.verdict == .warn)
  }

  /// Anything that can be decided, by any policy, is decided the same again by that policy.
  @Test("by the policy that decided is the decision itself, for a random history")
  func itself() {
    var random = SeededRandom(seed: 2_026)
    var verdicts: Set<Verdict> = []
    for _ in 0..<20_000 {
      let policy = Self.policy(&random)
      let (evidence, age) = Self.evidence(&random)
      let override =
        random.oneIn(3)
        ? Override(
          number: 1, findings: FindingSet(rawValue: .random(in: 0..<(1 << 18), using: &random)),
          author: random.oneIn(2) ? .manager : .employee) : nil
      let isUsed = override?.author == .manager || policy.selfOverride == .withReason
      let decision = decideClockIn(
        evidence, policy: policy, now: at(0), excusing: isUsed ? override?.findings ?? [] : [])
      let decided = DecidedClockIn(
        decision, override: override, reportAge: age, freshFor: policy.freshFor,
        earlyWindow: policy.earlyWindow)
      let replayed = replay(decided, under: policy)
      #expect(replayed.decision == decision && replayed.isCertain)
      verdicts.insert(decision.verdict)
      // A draft decides as it would have decided on the evidence, wherever that is known.
      let draft = Self.policy(&random)
      let draftUses = override?.author == .manager || draft.selfOverride == .withReason
      let wanted = decideClockIn(
        evidence, policy: draft, now: at(0), excusing: draftUses ? override?.findings ?? [] : [])
      #expect(replay(decided, under: draft).decision == wanted)
    }
    #expect(verdicts.count == 3)
  }

  private static func policy(_ random: inout SeededRandom) -> Policy {
    var policy = Policy.policy(of: Preset.allCases.pick(&random))
    for _ in 0..<Int.random(in: 0..<4, using: &random) {
      policy.severities = policy.severities.moving(
        Finding.allCases.pick(&random),
        to: Severity.allCases.pick(&random))
    }
    policy.freshFor = .minutes(.random(in: 1...10, using: &random))
    policy.selfOverride = random.oneIn(2) ? .off : .withReason
    return policy
  }

  private static func evidence(_ random: inout SeededRandom) -> (Evidence, DecidedClockIn.ReportAge)
  {
    if random.oneIn(8) { return (.noReport, .noReport) }
    if random.oneIn(8) {
      return (.cannotReport(lastFixAt: random.oneIn(2) ? nil : at(-100)), .noReport)
    }
    let age = Int.random(in: 0..<700, using: &random)
    let state = phone(
      Authorization.allCases.pick(&random),
      services: Switch.allCases.pick(&random),
      accuracy: LocationAccuracy.allCases.pick(&random))
    return (
      .report(report(state, at: at(-Double(age))), .android), .known(.seconds(Int64(age)))
    )
  }
}
