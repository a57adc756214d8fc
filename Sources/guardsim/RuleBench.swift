import GuardRules
import ShiftDomain

/// How long one kind of work took, in several rounds.
struct Figure {
  /// What was done.
  var name: String
  /// How often in each round.
  var count: Int
  /// Nanoseconds for one, shortest round first.
  var nanoseconds: [Double]
  /// The median may take so long; `nil`: no promise.
  var target: Double?

  var median: Double { nanoseconds[nanoseconds.count / 2] }
  var isMet: Bool { target.map { median <= $0 } ?? true }
}

/// Times the rules. All answers are folded into one number, of every pass, so that no compiler may
/// leave out the work. It is told at the end: rules that answer alike have it alike.
struct RuleBench {
  private let rounds: Int
  private(set) var checksum: UInt64 = 0
  private(set) var figures: [Figure] = []

  /// Each round of each figure lasts at least this long.
  private static let roundMin: Duration = .milliseconds(50)

  /// - Parameter rounds: How many after the first, which warms up and is not told.
  init(rounds: Int) { self.rounds = rounds }

  mutating func run() {
    let policy = Policy.policy(of: .standard)
    let evidence = benchEvidence()
    measure("decision", each: evidence.count, target: 200) {
      evidence.reduce(0) { sum, given in
        sum &+ decideClockIn(given.0, policy: policy, now: given.1).folded
      }
    }
    let states = benchStates()
    measure("comparison", each: states.count, target: 200) {
      states.reduce(0) { sum, pair in sum &+ compare(pair.0, pair.1).folded }
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
    measure("coverage: \(name)", each: 1, target: target) { coverage(of: facts).folded }
    measure("  from the records", each: 1) { coverage(of: shift.facts).folded }
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
      // Rounds that are too short to be timed well find out how many passes make a good one.
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

// Every part of an answer has a share in the checksum.

extension Decision {
  fileprivate var folded: UInt64 {
    // No array: that would cost more than the decision.
    UInt64(blocking.rawValue) &* 29_791 &+ UInt64(warning.rawValue) &* 961
      &+ UInt64(informing.rawValue) &* 31 &+ UInt64(verdict.rawValue)
  }
}

extension ReportComparison {
  fileprivate var folded: UInt64 {
    UInt64(authorization.rawValue) &* 9 &+ UInt64(services.rawValue) &* 3
      &+ UInt64(accuracy.rawValue)
  }
}

extension [CoverageSegment] {
  fileprivate var folded: UInt64 {
    reduce(UInt64(count)) { sum, segment in
      sum &* 31 &+ UInt64(bitPattern: segment.interval.length.milliseconds)
        &+ UInt64(segment.reason.rawValue)
    }
  }
}
