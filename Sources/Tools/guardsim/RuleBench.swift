import GuardRules
import ShiftDomain

/// The times of one kind of work, in several rounds.
struct Figure {
  /// The work.
  var name: String
  /// The number of repetitions in each round.
  var count: Int
  /// Nanoseconds per repetition, shortest round first.
  var nanoseconds: [Double]
  /// The maximum for the median; `nil`: no target.
  var target: Double?

  var median: Double { nanoseconds[nanoseconds.count / 2] }
  var isMet: Bool { target.map { median <= $0 } ?? true }
}

/// Measures the rules. A checksum over all answers keeps the compiler from removing the work. It is
/// printed at the end: rules with equal answers have equal checksums.
struct RuleBench {
  private let rounds: Int
  private(set) var checksum: UInt64 = 0
  private(set) var figures: [Figure] = []

  /// The minimum length of each round.
  private static let roundMin: Duration = .milliseconds(50)

  /// - Parameter rounds: The number of rounds after the first, which only warms up.
  init(rounds: Int) { self.rounds = rounds }

  mutating func run() {
    let policy = Policy.policy(of: .standard)
    let evidence = benchEvidence()
    measure("decision", each: evidence.count, target: 200) {
      evidence.reduce(0) { sum, given in
        sum &+ decideClockIn(given.0, policy: policy, now: given.1).checksum
      }
    }
    let place = benchPlace()
    measure("decision among 100 sites", each: evidence.count, target: 20_000) {
      evidence.reduce(0) { sum, given in
        sum
          &+ decideClockIn(
            given.0, PlaceAndPlan(place: place), policy: policy, now: given.1
          ).checksum
      }
    }
    let states = benchStates()
    measure("comparison", each: states.count, target: 200) {
      states.reduce(0) { sum, pair in sum &+ compare(pair.0, pair.1).checksum }
    }
    let events = benchEvents()
    measure("step", each: events.count) {
      var (state, sum) = (GuardState(), UInt64(0))
      for (event, now) in events {
        let step = GuardRules.step(state, event, policy: policy, now: now)
        sum = sum &+ UInt64(step.effects.count)
        state = step.state
      }
      return sum
    }
    let shift = BenchShift(pings: 5_000, reports: 6, takeOvers: 0)
    measureCoverage(shift, "8 h, 5,000 pings", target: 1_000_000)
    let restless = BenchShift(pings: 5_000, reports: 200, takeOvers: 50)
    measureCoverage(restless, "and 200 reports, 50 take-overs")
  }

  private mutating func measureCoverage(
    _ shift: BenchShift, _ name: String, target: Double? = nil
  ) {
    let facts = shift.facts
    measure("coverage: \(name)", each: 1, target: target) { coverage(of: facts).checksum }
    measure("  from the records", each: 1) { coverage(of: shift.facts).checksum }
  }

  private mutating func measure(
    _ name: String, each count: Int, target: Double? = nil, _ work: () -> UInt64
  ) {
    let answer = work()
    checksum = checksum &+ answer
    var passes = 1
    var nanoseconds: [Double] = []
    while nanoseconds.count < rounds {
      var sum: UInt64 = 0
      let began = ContinuousClock.now
      for _ in 0..<passes { sum = sum &+ work() }
      let span = ContinuousClock.now - began
      precondition(sum == answer &* UInt64(passes), "the rules are not pure")
      // Double the passes until a round is long enough to be measured well.
      if span < Self.roundMin {
        passes *= 2
        nanoseconds = []
      } else {
        nanoseconds.append(span / .nanoseconds(1) / Double(passes * count))
      }
    }
    figures.append(
      Figure(
        name: name, count: passes * count, nanoseconds: nanoseconds.sorted(), target: target))
  }
}

// The checksum covers every part of an answer.

extension Decision {
  fileprivate var checksum: UInt64 {
    // No array: it would cost more than the decision.
    UInt64(blocking.rawValue) &* 29_791 &+ UInt64(warning.rawValue) &* 961
      &+ UInt64(informing.rawValue) &* 31 &+ UInt64(verdict.rawValue)
  }
}

extension ReportComparison {
  fileprivate var checksum: UInt64 {
    Dimension.reported.reduce(0) { $0 &* 4 &+ UInt64(self[$1].rawValue) }
  }
}

extension [CoverageSegment] {
  fileprivate var checksum: UInt64 {
    reduce(UInt64(count)) { sum, segment in
      sum &* 31 &+ UInt64(bitPattern: segment.interval.length.milliseconds)
        &+ UInt64(segment.reason.rawValue)
    }
  }
}
