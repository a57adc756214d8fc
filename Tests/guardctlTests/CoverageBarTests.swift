import GuardRules
import ShiftDomain
import Testing

@testable import guardctl

@Suite("A shift drawn") struct CoverageBarTests {
  private typealias Part = (seconds: Int64, reason: CoverageReason, isAtRisk: Bool)

  @Test("shows each part by the reason that takes most of it") func parts() {
    let segments = Self.segments([
      (40, .tracked, false), (20, .denied, false), (10, .noContact, false), (10, .onBreak, false),
      (20, .tracked, true),
    ])
    #expect(CoverageBar(segments, cells: 10).text == "████▒▒░·▓▓")
    #expect(CoverageBar(segments, cells: 5).text == "██▒░▓")
  }

  @Test("is nothing for a shift without length") func empty() {
    #expect(CoverageBar([], cells: 10).text == "")
  }

  @Test("has totals by reason that sum to the shift") func durationsAdd() {
    let segments = Self.segments([
      (40, .tracked, false), (20, .denied, false), (5, .tracked, true),
    ])
    let durations = totals(of: segments)
    #expect(durations.map(\.reason) == [.tracked, .denied])
    #expect(durations.map(\.span.seconds) == [45, 20])
  }

  private static func segments(_ parts: [Part]) -> [CoverageSegment] {
    var start = Instant(milliseconds: 0)
    return parts.map { part in
      let end = start + .seconds(part.seconds)
      defer { start = end }
      return CoverageSegment(
        interval: Interval(from: start, to: end), reason: part.reason, isAtRisk: part.isAtRisk)
    }
  }
}
