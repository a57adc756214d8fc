import GuardRules
import ShiftDomain
import Testing

@Suite("Correction of a shift's span") struct CorrectionRuleTests {
  typealias Row = (name: String, old: ShiftSpan, new: ShiftSpan, is: SpanFault?)

  /// A span in minutes after midnight.
  private static func span(_ start: Int64, _ end: Int64?) -> ShiftSpan {
    ShiftSpan(from: at(start), to: end.map { at($0) })
  }

  private static func at(_ minutes: Int64) -> Instant {
    Instant(milliseconds: 0) + .minutes(minutes)
  }

  /// Now is 20:00; a shift lasts at most 16 hours.
  static let rows: [Row] = [
    ("a later start", span(480, 960), span(500, 960), nil),
    ("an earlier end", span(480, 960), span(480, 900), nil),
    ("both, without overlap with the old span", span(480, 960), span(100, 200), nil),
    ("a minute long", span(480, 960), span(480, 481), nil),
    ("up to now", span(480, 960), span(480, 1_200), nil),
    ("ending in the future", span(480, 960), span(480, 1_201), .inFuture),
    ("entirely in the future", span(480, 960), span(1_201, 1_300), .inFuture),
    ("the end at the start", span(480, 960), span(480, 480), .endsBeforeStart),
    ("the end before the start", span(480, 960), span(480, 479), .endsBeforeStart),
    ("the start past the end", span(480, 960), span(961, 960), .endsBeforeStart),
    ("a day, longer than the policy's maximum", span(480, 960), span(-240, 1_200), nil),
    ("a minute over a day", span(480, 960), span(-241, 1_200), .tooLong),
    ("unchanged", span(480, 960), span(480, 960), .unchanged),
    ("unchanged, though invalid", span(480, 480), span(480, 480), .unchanged),
    ("an open shift, started earlier", span(480, nil), span(400, nil), nil),
    ("an open shift, started a minute ago", span(480, nil), span(1_199, nil), nil),
    ("an open shift, started now", span(480, nil), span(1_200, nil), .inFuture),
    ("an open shift, a minute below its limit", span(480, nil), span(241, nil), nil),
    ("an open shift, at its limit", span(480, nil), span(240, nil), .tooLong),
    ("an open shift, ended", span(480, nil), span(480, 960), nil),
    ("an open shift, ended before its start", span(480, nil), span(480, 400), .endsBeforeStart),
    ("an open shift, unchanged", span(480, nil), span(480, nil), .unchanged),
  ]

  // R: W10
  @Test(arguments: rows) func judges(_ row: Row) {
    let fault = correctionFault(
      from: row.old, to: row.new, shiftMax: .hours(16), now: Self.at(1_200))
    #expect(fault == row.is, "\(row.name)")
  }

  @Test("absurd times get an answer and never crash")
  func absurd() {
    let ends = [Int64.min, -1, 0, 1, .max].map { Instant(milliseconds: $0) }
    for start in ends {
      for end in ends {
        for now in ends {
          let fault = spanFault(
            of: ShiftSpan(from: start, to: end), shiftMax: .hours(16), now: now)
          if fault == nil { #expect(start < end && end <= now) }
          let open = spanFault(of: ShiftSpan(from: start, to: nil), shiftMax: .hours(16), now: now)
          if open == nil { #expect(start < now) }
        }
      }
    }
  }
}
