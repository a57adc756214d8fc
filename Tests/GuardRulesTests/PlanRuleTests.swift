import GuardRules
import ShiftDomain
import Testing

/// Whether a shift is planned for the time of a clock-in, by RULES 10.
@Suite("Plan of a clock-in") struct PlanRuleTests {
  /// A policy that ignores neither finding.
  private static func policy(early: Int64) -> Policy {
    var policy = Policy.policy(of: .standard)
    policy.earlyWindow = .minutes(early)
    policy.severities = policy.severities.moving(.notPlanned, to: .warn)
      .moving(.tooEarly, to: .warn)
    return policy
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Minutes.
    var early: Int64
    /// In seconds from the clock-in.
    var planned: [Interval]
    var finds: FindingSet
    /// From when the clock-in is allowed, in seconds from the clock-in; `nil`: no answer.
    var from: Double?

    init(
      _ name: String, early: Int64 = 15, _ planned: [(Double, Double)], _ finds: FindingSet = [],
      from: Double? = nil
    ) {
      (testDescription, self.early, self.finds, self.from) = (name, early, finds, from)
      self.planned = planned.map { Interval(from: at($0.0), to: at($0.1)) }
    }
  }

  // R: G3
  static let contained = [
    Row("it begins at that instant", [(0, 28_800)]),
    Row("it begins at that instant, without a window", early: 0, [(0, 28_800)]),
    Row("it began a millisecond before", early: 0, [(-0.001, 28_800)]),
    Row("it has a millisecond left", early: 0, [(-28_800, 0.001)]),
    Row("it has ended at that instant", [(-28_800, 0)], .of(.notPlanned)),
    Row("it has ended at that instant, the widest window", early: 240, [(-9, 0)], .of(.notPlanned)),
    Row("it ended a millisecond before", [(-28_800, -0.001)], .of(.notPlanned)),
    Row("one ends and the next begins at that instant", early: 0, [(-9, 0), (0, 9)]),
    Row("one runs, another begins in an hour", early: 0, [(3_600, 7_200), (-60, 60)]),
    Row("two run", early: 0, [(-60, 60), (-90, 30)]),
    Row("a night shift runs", early: 0, [(-20_000, 8_000)]),
  ]

  // R: G3
  static let windows = [
    Row("a millisecond ahead, no window", early: 0, [(0.001, 9)], .of(.tooEarly), from: 0.001),
    Row("at the window of 15 min", [(900, 9_000)]),
    Row("just within 15 min", [(899.999, 9_000)]),
    Row("a millisecond beyond 15 min", [(900.001, 9_000)], .of(.tooEarly), from: 0.001),
    Row("at a window of 1 min", early: 1, [(60, 9_000)]),
    Row("a millisecond beyond 1 min", early: 1, [(60.001, 90)], .of(.tooEarly), from: 0.001),
    Row("at the window of 240 min", early: 240, [(14_400, 20_000)]),
    Row(
      "a millisecond beyond 240 min", early: 240, [(14_400.001, 20_000)], .of(.tooEarly),
      from: 0.001),
    Row("within the window, shorter than it", [(600, 660)]),
  ]

  // R: G3
  static let hours = [
    Row("in an hour", [(3_600, 9_000)], .of(.tooEarly), from: 2_700),
    Row("in an hour, no window", early: 0, [(3_600, 9_000)], .of(.tooEarly), from: 3_600),
    Row("in 12 h", [(43_200, 50_000)], .of(.tooEarly), from: 42_300),
    Row("in 12 h, no window", early: 0, [(43_200, 50_000)], .of(.tooEarly), from: 43_200),
    Row("in 12 h, the widest window", early: 240, [(43_200, 50_000)], .of(.tooEarly), from: 28_800),
    Row("in less than 12 h", [(43_199.999, 50_000)], .of(.tooEarly), from: 42_299.999),
    Row("a millisecond beyond 12 h", [(43_200.001, 50_000)], .of(.notPlanned)),
    Row("beyond 12 h, the widest window", early: 240, [(43_200.001, 50_000)], .of(.notPlanned)),
    Row("tomorrow", [(86_400, 115_200)], .of(.notPlanned)),
    Row("nothing", [], .of(.notPlanned)),
    Row("nothing, the widest window", early: 240, [], .of(.notPlanned)),
  ]

  // R: G3
  static let several = [
    Row("one is over, one is in an hour", [(-9, 0), (3_600, 9_000)], .of(.tooEarly), from: 2_700),
    Row("one is over, one is in the window", [(-9, 0), (900, 9_000)]),
    Row("one is over, one is tomorrow", [(-9, 0), (86_400, 90_000)], .of(.notPlanned)),
    Row(
      "two later: the first counts", [(4_000, 4_500), (3_600, 3_900)], .of(.tooEarly), from: 2_700),
    Row("the same in order", [(3_600, 3_900), (4_000, 4_500)], .of(.tooEarly), from: 2_700),
    Row("two later that overlap", [(3_600, 9_000), (7_200, 7_260)], .of(.tooEarly), from: 2_700),
    Row(
      "one in 11 h, one in 13 h", [(46_800, 50_000), (39_600, 40_000)], .of(.tooEarly),
      from: 38_700),
    Row("one in the window, one in an hour", [(3_600, 9_000), (60, 90)]),
    Row("two beyond 12 h", [(43_201, 44_000), (50_000, 51_000)], .of(.notPlanned)),
  ]

  static let rows: [Row] = contained + windows + hours + several

  @Test("has a shift, is too early for one of the next twelve hours, or none", arguments: rows)
  func finds(_ row: Row) {
    let policy = Self.policy(early: row.early)
    for planned in [row.planned, row.planned.reversed()] {
      let plan = ClockInPlan(planned: planned)
      #expect(plan.findings(at: morning, under: policy) == row.finds)
      #expect(plan.allowedFrom(at: morning, under: policy) == row.from.map { at($0) })
    }
  }

  // R: G3
  @Test("has no shift in an absence, whatever is planned", arguments: rows)
  func absent(_ row: Row) {
    let policy = Self.policy(early: row.early)
    let plan = ClockInPlan(planned: row.planned, absences: [Interval(from: at(-60), to: at(60))])
    #expect(plan.findings(at: morning, under: policy) == .of(.notPlanned))
    #expect(plan.allowedFrom(at: morning, under: policy) == nil)
  }

  // R: G3
  @Test("is absent from the first instant of an absence to the last before its end")
  func absenceBorders() {
    let policy = Self.policy(early: 15)
    let planned = [Interval(from: at(-3_600), to: at(3_600))]
    let over = Interval(from: at(-900), to: at(-800))
    for (from, to, isAbsent) in [
      (-60, 60, true), (0, 60, true), (0.001, 60, false), (-60, 0, false), (-60, 0.001, true),
    ] as [(Double, Double, Bool)] {
      let plan = ClockInPlan(
        planned: planned, absences: [over, Interval(from: at(from), to: at(to))])
      let finds: FindingSet = isAbsent ? .of(.notPlanned) : []
      #expect(plan.findings(at: morning, under: policy) == finds, "\(from) to \(to)")
      let turns = plan.turns(under: policy)
      #expect(turns.contains(at(from)) && turns.contains(at(to)), "\(from) to \(to)")
    }
  }

  // R: G3
  @Test("is in order at the instant from which it is allowed, and not a millisecond before")
  func allowedFrom() throws {
    for row in Self.rows where row.from != nil {
      let policy = Self.policy(early: row.early)
      let plan = ClockInPlan(planned: row.planned)
      let from = try #require(plan.allowedFrom(at: morning, under: policy))
      #expect(from > morning, "\(row.testDescription)")
      #expect(plan.findings(at: from, under: policy).isEmpty, "\(row.testDescription)")
      let before = from - .milliseconds(1)
      #expect(plan.findings(at: before, under: policy) == .of(.tooEarly), "\(row.testDescription)")
      #expect(plan.allowedFrom(at: before, under: policy) == from, "\(row.testDescription)")
    }
  }

  // R: G3
  @Test("of random shifts is what the rule says, word by word")
  func randomPlans() {
    var random = SeededRandom(seed: 12)
    var seen: [FindingSet: Int] = [:]
    for round in 0..<20_000 {
      let early: Int64 = [0, 1, 5, 15, 60, 240].pick(&random)
      var planned: [Interval] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let start = Self.nearFiveMinutes(-96...192, &random)
        let length = Self.nearFiveMinutes(1...120, &random)
        planned.append(Interval(from: morning + start, to: morning + start + length))
      }
      let plan = ClockInPlan(planned: planned)
      let policy = Self.policy(early: early)
      let answer = Self.answer(planned, early: early)
      #expect(plan.findings(at: morning, under: policy) == answer.finds, "\(round): \(planned)")
      #expect(
        plan.allowedFrom(at: morning, under: policy) == answer.from, "\(round): \(planned)")
      seen[answer.finds, default: 0] += 1
    }
    #expect(seen.count == 3 && seen.values.allSatisfy { $0 > 500 })
  }

  /// Whole steps of five minutes, so that instants coincide, or a millisecond beside.
  private static func nearFiveMinutes(
    _ steps: ClosedRange<Int64>, _ random: inout SeededRandom
  ) -> TimeSpan {
    let beside: Int64 = [0, 0, 0, -1, 1].pick(&random)
    return TimeSpan.minutes(5 * Int64.random(in: steps, using: &random)) + .milliseconds(beside)
  }

  /// What RULES 10 says at `morning`, in whole milliseconds from then.
  private static func answer(
    _ planned: [Interval], early: Int64
  ) -> (finds: FindingSet, from: Instant?) {
    let window = early * 60_000
    let now = morning.milliseconds
    var starts: [Int64] = []
    for interval in planned where interval.end.milliseconds > now {
      starts.append(interval.start.milliseconds - now)
    }
    // One that is not over and has begun contains the instant.
    if starts.contains(where: { $0 <= window }) { return ([], nil) }
    let next = starts.filter { $0 <= 12 * 60 * 60_000 }.min()
    guard let next else { return (.of(.notPlanned), nil) }
    return (.of(.tooEarly), Instant(milliseconds: now + next - window))
  }

  @Test("never traps, whatever the instants")
  func extremes() {
    let edges = [Instant(milliseconds: .min), morning, Instant(milliseconds: .max)]
    let policy = Self.policy(early: 240)
    for start in edges {
      for end in edges where end > start {
        let plan = ClockInPlan(planned: [Interval(from: start, to: end)])
        for now in edges {
          let finds: FindingSet = start <= now && now < end ? [] : .of(.notPlanned)
          #expect(plan.findings(at: now, under: policy) == finds, "\(start) \(end) \(now)")
          #expect(plan.allowedFrom(at: now, under: policy) == nil, "\(start) \(end) \(now)")
        }
      }
    }
  }
}
