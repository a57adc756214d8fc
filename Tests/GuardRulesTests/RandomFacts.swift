import GuardRules
import ShiftDomain

extension CoverageFacts {
  /// Facts of a shift of up to an hour. Instants lie on a coarse grid, so that things often begin
  /// and end together, and sometimes a millisecond beside it.
  static func random(_ random: inout SeededRandom) -> CoverageFacts {
    let length = Int64.random(in: 0...360, using: &random) * 10
    var facts = CoverageFacts(
      shift: Interval(from: morning, to: morning + .seconds(length)),
      fixAgeMax: [.seconds(120), .seconds(180), .seconds(900)].pick(&random))
    facts.fixes = instants(upTo: 20, &random)
    facts.contacts = instants(upTo: 20, &random) + facts.fixes.prefix(random.oneIn(2) ? 20 : 0)
    facts.takeOvers = instants(upTo: 2, &random)
    facts.breaks = IntervalSet(intervals(upTo: 2, &random))
    facts.outages = IntervalSet(intervals(upTo: 2, &random))
    facts.inferred = IntervalSet(intervals(upTo: 2, &random)).intervals.map { interval in
      let reasons: [CoverageReason] = [.appTerminated, .notDetermined, .denied]
      return InferredCause(interval: interval, reason: reasons.pick(&random))
    }
    facts.states = Set(instants(upTo: 6, &random)).sorted().map { since in
      let state = PermissionState(
        authorization: Authorization.allCases.pick(&random),
        accuracy: LocationAccuracy.allCases.pick(&random), services: Switch.allCases.pick(&random))
      return ReportedState(since: since, state: state)
    }
    return facts
  }

  private static func instants(upTo count: Int, _ random: inout SeededRandom) -> [Instant] {
    (0..<Int.random(in: 0...count, using: &random)).map { _ in instant(&random) }
  }

  private static func intervals(upTo count: Int, _ random: inout SeededRandom) -> [Interval] {
    (0..<Int.random(in: 0...count, using: &random)).map { _ in
      let start = instant(&random)
      return Interval(
        from: start, to: start + .seconds(Int64.random(in: 0...60, using: &random) * 10))
    }
  }

  /// From ten minutes before the shift to ten minutes after the longest.
  private static func instant(_ random: inout SeededRandom) -> Instant {
    let grid = morning + .seconds(Int64.random(in: -60...420, using: &random) * 10)
    return random.oneIn(4)
      ? grid + .milliseconds(Int64.random(in: -1...1, using: &random)) : grid
  }
}
