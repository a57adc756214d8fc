import ShiftDomain
import Testing

@Suite("Instants and spans") struct InstantTests {
  static let edges: [Int64] = [
    .min, .min + 1, -86_400_000, -1, 0, 1, 86_400_000, .max - 1, .max,
  ]

  /// The nearest value that fits into 64 bits.
  private static func clamped(_ value: (high: Int64, low: UInt64)) -> Int64 {
    switch value.high {
    case 0: value.low > UInt64(Int64.max) ? .max : Int64(value.low)
    case -1: value.low < UInt64(bitPattern: .min) ? .min : Int64(bitPattern: value.low)
    default: value.high < 0 ? .min : .max
    }
  }

  @Test("sums and differences are exact or the nearest value that fits, and never trap")
  func saturate() {
    for a in Self.edges {
      for b in Self.edges {
        let sum = Double(a) + Double(b)
        let difference = Double(a) - Double(b)
        let (exactSum, sumOverflows) = a.addingReportingOverflow(b)
        let (exactDifference, differenceOverflows) = a.subtractingReportingOverflow(b)
        let expectedSum = sumOverflows ? (sum < 0 ? Int64.min : .max) : exactSum
        let expectedDifference =
          differenceOverflows ? (difference < 0 ? Int64.min : .max) : exactDifference
        let (instant, span) = (Instant(milliseconds: a), TimeSpan(milliseconds: b))
        #expect((instant + span).milliseconds == expectedSum, "\(a) + \(b)")
        #expect((instant - span).milliseconds == expectedDifference, "\(a) - \(b)")
        #expect(
          (instant - Instant(milliseconds: b)).milliseconds == expectedDifference, "\(a) - \(b)")
        #expect((TimeSpan(milliseconds: a) + span).milliseconds == expectedSum, "\(a) + \(b)")
        #expect((TimeSpan(milliseconds: a) - span).milliseconds == expectedDifference)
        #expect((instant < Instant(milliseconds: b)) == (a < b))
        #expect((TimeSpan(milliseconds: a) < span) == (a < b))
      }
    }
  }

  @Test("units multiply exactly or to the nearest value that fits, and never trap")
  func units() {
    for count in Self.edges {
      for (unit, make) in [
        (1, TimeSpan.milliseconds), (1_000, TimeSpan.seconds), (60_000, TimeSpan.minutes),
        (3_600_000, TimeSpan.hours),
      ] as [(Int64, (Int64) -> TimeSpan)] {
        #expect(
          make(count).milliseconds == Self.clamped(count.multipliedFullWidth(by: unit)),
          "\(count) × \(unit)")
      }
    }
    #expect(TimeSpan.milliseconds(1_999).seconds == 1)
    #expect(TimeSpan.milliseconds(-1_999).seconds == -1)
  }

  typealias LimitRow = (pingInterval: TimeSpan, fixAgeMax: TimeSpan)
  static let limits: [LimitRow] = [
    (.seconds(1), .seconds(120)), (.seconds(40), .seconds(120)), (.seconds(41), .seconds(123)),
    (.seconds(60), .seconds(180)), (.seconds(300), .seconds(900)), (.zero, .seconds(120)),
    (.seconds(-5), .seconds(120)), (.milliseconds(.max), .milliseconds(.max)),
    (.milliseconds(.min), .seconds(120)),
  ]

  @Test("a fix counts for three ping intervals, and for at least two minutes", arguments: limits)
  func fixAgeMax(_ row: LimitRow) {
    let policy = Policy(
      preset: .standard, severities: SeverityTable(blocking: [], warning: []),
      pingInterval: row.pingInterval)
    #expect(policy.fixAgeMax == row.fixAgeMax)
  }

  @Test("a new policy has the defaults of the rules")
  func beginnings() {
    let policy = Policy(
      preset: .standard, severities: SeverityTable(blocking: [], warning: []))
    #expect(policy.freshFor == .seconds(300))
    #expect(policy.debounce == .seconds(2))
    #expect(policy.pingInterval == .seconds(60))
    #expect(policy.breakMax == .hours(2))
    #expect(policy.shiftMax == .hours(16))
    #expect(policy.reminderAfter == .hours(10))
    #expect(policy.selfOverride == .off)
  }
}
