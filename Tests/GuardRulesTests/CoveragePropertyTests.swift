import GuardRules
import ShiftDomain
import Testing

@Suite("Every coverage") struct CoveragePropertyTests {
  @Test("agrees, at every instant at which anything begins or ends, with the rule's own words")
  func agrees() {
    var random = SeededRandom(seed: 5)
    var met: Set<CoverageReason> = []
    for round in 0..<1_000 {
      let facts = CoverageFacts.random(&random)
      let oracle = CoverageOracle(facts)
      let segments = coverage(of: facts)
      let boundaries = oracle.boundaries
      for (start, next) in zip(boundaries, boundaries.dropFirst()) {
        for instant in [start, next - .milliseconds(1)] {
          let expected = oracle.reason(at: instant)
          let found = segments.first {
            $0.interval.start <= instant && instant < $0.interval.end
          }
          let agrees = found?.reason == expected.reason && found?.isAtRisk == expected.isAtRisk
          #expect(agrees, "round \(round) at \(instant.inSeconds): \(expected)")
        }
      }
      met.formUnion(segments.map(\.reason))
    }
    #expect(met == Set(CoverageReason.allCases))
  }

  // R: W9
  @Test("is sorted, without gap or overlap, and sums to the shift exactly")
  func sums() {
    var random = SeededRandom(seed: 6)
    for round in 0..<1_000 {
      let facts = CoverageFacts.random(&random)
      let segments = coverage(of: facts)
      var end = facts.shift.start
      for segment in segments {
        #expect(segment.interval.start == end, "round \(round)")
        #expect(segment.interval.start < segment.interval.end, "round \(round)")
        #expect(!segment.isAtRisk || segment.reason == .tracked, "round \(round)")
        end = segment.interval.end
      }
      #expect(end == facts.shift.end, "round \(round)")
    }
  }

  @Test("depends neither on the order of facts nor on how often they are told")
  func orderAndDuplicates() {
    var random = SeededRandom(seed: 8)
    for round in 0..<1_000 {
      let facts = CoverageFacts.random(&random)
      var told = facts
      told.fixes = (facts.fixes + facts.fixes).shuffled(using: &random)
      told.contacts = (facts.contacts + facts.contacts).shuffled(using: &random)
      told.takeOvers = (facts.takeOvers + facts.takeOvers).shuffled(using: &random)
      told.inferred = (facts.inferred + facts.inferred).shuffled(using: &random)
      #expect(coverage(of: told) == coverage(of: facts), "round \(round)")
    }
  }

  @Test("does not change the past when an open shift goes on")
  func provisional() {
    var random = SeededRandom(seed: 9)
    for round in 0..<500 {
      let facts = CoverageFacts.random(&random)
      var sooner = facts
      sooner.shift.end = facts.shift.start + .milliseconds(facts.shift.length.milliseconds / 2)
      let past = IntervalSet([sooner.shift])
      let whole = coverage(of: facts).flatMap { segment in
        past.intersection(IntervalSet([segment.interval])).intervals.map {
          CoverageSegment(interval: $0, reason: segment.reason, isAtRisk: segment.isAtRisk)
        }
      }
      #expect(coverage(of: sooner).inWords == whole.inWords, "round \(round)")
    }
  }

  @Test("a reason is told only where no stronger one holds")
  func precedence() {
    // All of a short shift, under every reason at once; then the strongest is taken away in turn.
    let all = Interval(from: at(0), to: at(100))
    var facts = CoverageFacts(shift: all, fixAgeMax: .seconds(180))
    facts.breaks = IntervalSet([all])
    facts.fixes = [at(0)]
    facts.states = [ReportedState(since: at(-1), state: phone(.restricted, services: .off))]
    facts.inferred = [InferredCause(interval: all, reason: .appTerminated)]
    facts.outages = IntervalSet([all])
    facts.contacts = [at(0)]
    var told: [String] = []
    func tell() { told.append(coverage(of: facts).inWords) }
    func hold(_ state: PermissionState) {
      facts.states = [ReportedState(since: at(-1), state: state)]
      tell()
    }
    tell()
    facts.breaks = IntervalSet()
    tell()
    facts.fixes = []
    tell()
    hold(phone(.denied, services: .off, accuracy: .reduced))
    hold(phone(.denied, accuracy: .reduced))
    hold(phone(.notDetermined, accuracy: .reduced))
    hold(phone(.whenInUse, accuracy: .reduced))
    hold(phone(.whenInUse))
    facts.states.append(ReportedState(since: at(0), state: phone()))
    tell()
    facts.inferred = []
    tell()
    facts.outages = IntervalSet()
    tell()
    facts.shift.start = at(-300)  // waiting since long before, so it is over
    #expect(coverage(of: facts).inWords.hasSuffix("resuming 0–100"))
    facts.states = []
    #expect(coverage(of: facts).inWords.hasSuffix("no_fix 0–100"))
    facts.contacts = []
    #expect(coverage(of: facts).inWords.hasSuffix("no_contact -120–100"))
    #expect(
      told == [
        "on_break 0–100", "tracked 0–100", "restricted 0–100", "services_off 0–100",
        "denied 0–100", "not_determined 0–100", "accuracy_reduced 0–100", "when_in_use 0–100",
        "app_terminated 0–100", "service_unavailable 0–100", "waiting_first_fix 0–100",
      ])
  }

  @Test("no instant, however absurd, traps it")
  func extremes() {
    let edges = [Int64.min, .min + 1, 0, .max - 1, .max].map(Instant.init(milliseconds:))
    for start in edges {
      for end in edges {
        var facts = CoverageFacts(
          shift: Interval(from: start, to: end), fixAgeMax: .milliseconds(.max))
        facts.fixes = edges
        facts.contacts = edges
        facts.takeOvers = edges
        facts.states = edges.map { ReportedState(since: $0, state: phone(.denied)) }
        facts.breaks = IntervalSet([Interval(from: edges[1], to: edges[2])])
        let segments = coverage(of: facts)
        #expect(segments.first?.interval.start == (start < end ? start : nil))
        #expect(segments.last?.interval.end == (start < end ? end : nil))
        var totals = TrackingTotals()
        totals.add(segments)
        #expect(totals.permille.map { (0...1_000).contains($0) } ?? true)
      }
    }
  }
}
