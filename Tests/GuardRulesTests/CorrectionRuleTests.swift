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

  typealias BreakRow = (
    name: String, shift: ShiftSpan, old: [ShiftSpan], new: [ShiftSpan], is: SpanFault?
  )

  /// Now is 20:00.
  static let breakRows: [BreakRow] = [
    ("within", span(480, 960), [], [span(600, 630)], nil),
    ("from start to end", span(480, 960), [], [span(480, 960)], nil),
    ("touching", span(480, 960), [], [span(600, 630), span(630, 640)], nil),
    ("removed", span(480, 960), [span(600, 630)], [], nil),
    ("before the start", span(480, 960), [], [span(479, 490)], .breakOutsideShift),
    ("after the end", span(480, 960), [], [span(950, 961)], .breakOutsideShift),
    ("overlapping", span(480, 960), [], [span(600, 630), span(629, 640)], .breaksOverlap),
    ("at once", span(480, 960), [], [span(600, 600)], .breakEndsBeforeStart),
    ("backwards", span(480, 960), [], [span(630, 600)], .breakEndsBeforeStart),
    ("without end", span(480, 960), [], [span(600, nil)], .breakWithoutEnd),
    ("open shift, in the future", span(480, nil), [], [span(1_100, 1_201)], .breakOutsideShift),
    ("open shift, begun by a manager", span(480, nil), [], [span(600, nil)], .breakWithoutEnd),
    ("open shift, going on", span(480, nil), [span(600, nil)], [span(610, nil)], nil),
    (
      "going on, but not the last", span(480, nil), [span(600, nil)],
      [span(600, nil), span(700, 710)], .breakWithoutEnd
    ),
    (
      "begun later than now", span(480, nil), [span(600, nil)], [span(1_200, nil)],
      .breakEndsBeforeStart
    ),
    (
      "too many", span(480, 960), [], (0..<21).map { span(480 + $0, 481 + $0) }, .tooManyBreaks
    ),
  ]

  // R: W21
  @Test(arguments: breakRows) func judgesBreaks(_ row: BreakRow) {
    let fault = correctionFault(
      from: row.shift, to: row.shift, CorrectedBreaks(from: row.old, to: row.new),
      shiftMax: .hours(16), now: Self.at(1_200))
    #expect(fault == row.is, "\(row.name)")
  }

  // R: W21
  @Test("what a correction takes out of breaks and puts into them is told apart")
  func changes() {
    let change = CorrectedBreaks(
      from: [Self.span(500, 510), Self.span(600, nil)],
      to: [Self.span(505, 520), Self.span(600, 630)])
    let set = { (parts: [(Int64, Int64)]) in
      IntervalSet(parts.map { Interval(from: Self.at($0), to: Self.at($1)) })
    }
    #expect(change.removed(at: Self.at(700)) == set([(500, 505), (630, 700)]))
    #expect(change.inserted == set([(510, 520)]))
    #expect(change.numbered(after: 1).map(\.number) == [1, 2])
    #expect(change.numbered(after: 7).map(\.number) == [6, 7])
  }

  // R: W21
  @Test("a shift is added of the last sixty days, with breaks that fit")
  func additions() {
    let now = Self.at(60 * 1_440)
    func fault(_ from: Int64, _ to: Int64, _ breaks: [ShiftSpan] = []) -> SpanFault? {
      additionFault(of: Self.span(from, to), breaks: breaks, now: now)
    }
    #expect(fault(0, 480) == nil && fault(-1, 480) == .tooOld)
    #expect(fault(0, 480, [Self.span(470, 481)]) == .breakOutsideShift)
    #expect(fault(0, 480, [Self.span(100, nil)]) == .breakWithoutEnd)
    #expect(fault(60 * 1_440 - 10, 60 * 1_440 + 1) == .inFuture)
    #expect(fault(0, 1_441) == .tooLong && fault(5, 5) == .endsBeforeStart)
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
