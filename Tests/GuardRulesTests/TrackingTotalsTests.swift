import GuardRules
import ShiftDomain
import Testing

@Suite("Tracking rate") struct TrackingTotalsTests {
  private static func segments(_ parts: [(CoverageReason, Int64)]) -> [CoverageSegment] {
    var start = morning
    return parts.map { reason, milliseconds in
      let end = start + .milliseconds(milliseconds)
      defer { start = end }
      return CoverageSegment(
        interval: Interval(from: start, to: end), reason: reason, isAtRisk: false)
    }
  }

  typealias Row = (name: String, parts: [(CoverageReason, Int64)], permille: Int?)
  // R: W9
  static let rows: [Row] = [
    ("nothing", [], nil),
    ("a break only", [(.onBreak, 1_000)], nil),
    ("our outage only", [(.serviceUnavailable, 1_000)], nil),
    ("all tracked", [(.tracked, 1_000)], 1_000),
    ("none tracked", [(.noContact, 1_000)], 0),
    ("two thirds, rounded down", [(.tracked, 2), (.noFix, 1)], 666),
    ("a millisecond short of all", [(.tracked, 999_999), (.noContact, 1)], 999),
    ("a single tracked millisecond", [(.tracked, 1), (.noContact, 999_999)], 0),
    ("a break does not count", [(.tracked, 5), (.onBreak, 90), (.noContact, 5)], 500),
    (
      "our outage does not count",
      [(.tracked, 5), (.serviceUnavailable, 90), (.denied, 5)], 500
    ),
    ("three million years", [(.tracked, 1 << 56), (.denied, 1 << 56)], 500),
  ]

  @Test("is tracked time divided by accountable time, rounded down", arguments: rows)
  func rate(_ row: Row) {
    var totals = TrackingTotals()
    totals.add(Self.segments(row.parts))
    #expect(totals.permille == row.permille)
  }

  @Test("of several shifts comes from their totals, never from a mean of rates")
  func durationsAdd() {
    var totals = TrackingTotals()
    totals.add(Self.segments([(.tracked, 900), (.noContact, 100)]))
    totals.add(Self.segments([(.noContact, 9_000)]))
    #expect(totals.permille == 90)
    #expect(totals.tracked == .milliseconds(900))
    #expect(totals.accountable == .milliseconds(10_000))
  }

  @Test("every reason but a break, our outage and `not_asked` is accountable")
  func accountable() {
    for reason in CoverageReason.allCases {
      var totals = TrackingTotals()
      totals.add(Self.segments([(reason, 10)]))
      let counts = ![.onBreak, .serviceUnavailable, .notAsked].contains(reason)
      #expect(totals.accountable == (counts ? .milliseconds(10) : .zero), "\(reason)")
      #expect(totals.tracked == (reason == .tracked ? .milliseconds(10) : .zero), "\(reason)")
    }
  }
}
