import GuardRules
import ShiftDomain
import Testing

@Suite("Waiting for the first fix") struct CoverageBeginningTests {
  // R: W9
  @Test(
    "begins with the phone, whatever a correction says of the start",
    arguments: [
      CoverageTests.Row(
        "corrected to before the clock-in",
        "not_asked 0–300, waiting_first_fix 300–310, tracked 310–490, no_fix 490–1000"
      ) {
        ($0.frame.notAsked, $0.frame.begunAt) = (IntervalSet(from: at(0), to: at(300)), at(300))
        $0.fixes = [at(310)]
      },
      CoverageTests.Row(
        "corrected to after the clock-in",
        "waiting_first_fix 0–30, no_fix 30–310, tracked 310–490, no_fix 490–1000"
      ) {
        $0.frame.begunAt = at(-150)
        $0.fixes = [at(310)]
      },
    ])
  func beginning(_ row: CoverageTests.Row) {
    #expect(coverage(of: row.facts).inWords == row.expected)
  }
}
