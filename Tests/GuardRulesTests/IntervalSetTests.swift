import GuardRules
import ShiftDomain
import Testing

/// Compares the algebra with its plainest model: one truth value for each of 64 milliseconds.
@Suite("Interval sets") struct IntervalSetTests {
  private static let width = 64

  private func randomIntervals(_ random: inout SeededRandom) -> [Interval] {
    (0..<Int.random(in: 0...8, using: &random)).map { _ in
      let start = Int64.random(in: 0..<Int64(Self.width), using: &random)
      let end = Int64.random(in: 0...Int64(Self.width), using: &random)
      return Interval(from: Instant(milliseconds: start), to: Instant(milliseconds: end))
    }
  }

  private func instants(_ intervals: [Interval]) -> [Bool] {
    (0..<Self.width).map { millisecond in
      let instant = Instant(milliseconds: Int64(millisecond))
      return intervals.contains { $0.start <= instant && instant < $0.end }
    }
  }

  private func expectTidy(_ set: IntervalSet, _ round: Int) {
    for interval in set.intervals {
      #expect(interval.start < interval.end, "round \(round)")
    }
    for (one, next) in zip(set.intervals, set.intervals.dropFirst()) {
      #expect(one.end < next.start, "round \(round)")
    }
  }

  @Test("union, intersection, difference, length and membership match sets of instants")
  func algebra() {
    var random = SeededRandom(seed: 7)
    for round in 0..<5_000 {
      let (some, others) = (randomIntervals(&random), randomIntervals(&random))
      let (mine, theirs) = (IntervalSet(some), IntervalSet(others))
      let (inMine, inTheirs) = (instants(some), instants(others))
      let both = mine.intersection(theirs)
      let without = mine.subtracting(theirs)
      #expect(instants(mine.intervals) == inMine, "round \(round): \(some)")
      #expect(instants(both.intervals) == zip(inMine, inTheirs).map { $0 && $1 }, "round \(round)")
      #expect(
        instants(without.intervals) == zip(inMine, inTheirs).map { $0 && !$1 }, "round \(round)")
      #expect(mine.length.milliseconds == Int64(inMine.count { $0 }), "round \(round)")
      #expect(
        inMine.indices.map { mine.contains(Instant(milliseconds: Int64($0))) } == inMine,
        "round \(round)")
      for set in [mine, both, without] { expectTidy(set, round) }
      #expect(IntervalSet(some.shuffled(using: &random) + some) == mine, "round \(round)")
      #expect(both == theirs.intersection(mine), "round \(round)")
    }
  }

  @Test("empty and backward intervals contain no time")
  func nothing() {
    #expect(IntervalSet().intervals.isEmpty)
    #expect(IntervalSet(from: at(1), to: at(1)).intervals.isEmpty)
    #expect(IntervalSet(from: at(2), to: at(1)).intervals.isEmpty)
    #expect(IntervalSet(from: at(2), to: at(1)).length == .zero)
  }

  @Test("touching intervals are merged")
  func touching() {
    let halves = [Interval(from: at(1), to: at(2)), Interval(from: at(0), to: at(1))]
    #expect(IntervalSet(halves) == IntervalSet(from: at(0), to: at(2)))
  }

  @Test("all of time is a set like any other")
  func allOfTime() {
    let (first, last) = (Instant(milliseconds: .min), Instant(milliseconds: .max))
    let all = IntervalSet(from: first, to: last)
    let rest = all.subtracting(IntervalSet(from: at(0), to: at(1)))
    #expect(rest.intervals.count == 2)
    #expect(rest.intersection(all) == rest)
    #expect(all.length.milliseconds == .max)
  }
}
