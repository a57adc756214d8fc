import GuardRules
import ShiftDomain
import Testing

/// L is 180 s; device 1 tracks from second 0. All silences are over.
@Suite("What comes after its silence was over") struct EndedSilenceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var kind: SilenceKind
    var silence: (Double, Double)
    var pings: [ReceivedPing]
    var reports: [Double] = []
    var outages: [(Double, Double)] = []
    var breaks: [(Double, Double)] = []
    var takeOvers: [TrackingSpan] = []
    var notAsked: [(Double, Double)] = []
    /// `nil`: nothing is cut.
    var leaves: [(Double, Double)]?
    var closing = IncidentClosing.resumed
  }

  // R: W8
  static let rows: [Row] = [
    Row(
      testDescription: "positions from before its deadline and from its end on take nothing",
      kind: .noFix, silence: (180, 400), pings: [fix(0), fix(400)]),
    Row(
      testDescription: "an older position moves the opening", kind: .noFix, silence: (180, 400),
      pings: [fix(0), fix(90), fix(400)], leaves: [(270, 400)]),
    Row(
      testDescription: "one from its last three minutes moves the close", kind: .noFix,
      silence: (180, 400), pings: [fix(0), fix(300), fix(400)], leaves: [(180, 300)]),
    Row(
      testDescription: "one from the middle leaves two parts", kind: .noFix, silence: (180, 600),
      pings: [fix(0), fix(300), fix(600)], leaves: [(180, 300), (480, 600)]),
    Row(
      testDescription: "positions all along leave nothing", kind: .noFix, silence: (180, 600),
      pings: stride(from: 0.0, through: 600, by: 120).map { fix($0) }, leaves: []),
    Row(
      testDescription: "a mocked or inaccurate one counts too", kind: .noFix, silence: (180, 600),
      pings: [fix(0), fix(120, .mock), fix(240, .coarse), fix(600)], leaves: [(420, 600)]),
    Row(
      testDescription: "of another device, none does", kind: .noFix, silence: (180, 400),
      pings: [fix(0), fix(90, of: 2), fix(400)]),
    Row(
      testDescription: "a sign at rest counts after a position", kind: .noFix, silence: (180, 400),
      pings: [fix(0), resting(90), fix(400)], leaves: [(270, 400)]),
    Row(
      testDescription: "and not before", kind: .noFix, silence: (180, 400),
      pings: [resting(90), fix(400)]),
    Row(
      testDescription: "positions prove no contact", kind: .noContact, silence: (180, 400),
      pings: [fix(0), fix(90), fix(300), resting(310), fix(400)]),
    Row(
      testDescription: "a rest from before it leaves what is after its end and L",
      kind: .noContact, silence: (180, 600), pings: [fix(0), resting(60, until: 240), fix(600)],
      leaves: [(420, 600)]),
    Row(
      testDescription: "one within it leaves what is before it, too", kind: .noContact,
      silence: (180, 600), pings: [fix(0), resting(240, until: 300), fix(600)],
      leaves: [(180, 240), (480, 600)]),
    Row(
      testDescription: "one that known signs follow is the same", kind: .noContact,
      silence: (180, 600), pings: [fix(0), resting(60, until: 900), fix(90), fix(600)],
      leaves: [(270, 600)]),
    Row(
      testDescription: "or a report", kind: .noContact, silence: (180, 600),
      pings: [fix(0), resting(60, until: 900), fix(600)], reports: [120], leaves: [(300, 600)]),
    Row(
      testDescription: "hidden time lasts until the next sign", kind: .noContact,
      silence: (180, 600), pings: [fix(0), hidden(30), fix(150), fix(600)], leaves: [(330, 600)]),
    Row(
      testDescription: "or until a request without one", kind: .noContact, silence: (180, 600),
      pings: [fix(0), hidden(200)], leaves: [(180, 200)]),
    Row(
      testDescription: "it takes positions' time, too", kind: .noFix, silence: (180, 600),
      pings: [fix(0), hidden(200), fix(600)], leaves: [(180, 200)]),
    Row(
      testDescription: "L after it is L after an outage that began before", kind: .noContact,
      silence: (180, 900), pings: [fix(0), resting(60, until: 240), fix(900)],
      outages: [(400, 500)], leaves: [(680, 900)]),
    Row(
      testDescription: "a break takes its time, with L after it", kind: .noContact,
      silence: (180, 900), pings: [fix(0), fix(900)], breaks: [(60, 400)], leaves: [(580, 900)]),
    Row(
      testDescription: "a break that has not ended takes all that follows", kind: .noFix,
      silence: (180, 900), pings: [fix(0), fix(900)], breaks: [(240, 1e9)], leaves: [(180, 240)],
      closing: .breakStarted),
    Row(
      testDescription: "so does time for which no phone was asked", kind: .noContact,
      silence: (180, 900), pings: [fix(0), fix(900)], notAsked: [(240, 1e9)],
      leaves: [(180, 240)], closing: .shiftEnded),
    Row(
      testDescription: "a take-over ends it", kind: .noFix, silence: (180, 600),
      pings: [fix(0), fix(600)], takeOvers: [TrackingSpan(device: 2, since: at(400))],
      leaves: [(180, 400)], closing: .deviceChanged),
    Row(
      testDescription: "one from before its deadline leaves nothing", kind: .noContact,
      silence: (180, 600), pings: [fix(0), fix(600)],
      takeOvers: [TrackingSpan(device: 2, since: at(60))], leaves: []),
    Row(
      testDescription: "back on the same phone, it begins L later", kind: .noContact,
      silence: (180, 600), pings: [fix(0), fix(600)],
      takeOvers: [
        TrackingSpan(device: 2, since: at(60)), TrackingSpan(device: 1, since: at(90)),
      ], leaves: [(270, 600)]),
    Row(
      testDescription: "a break or a take-over that was known while it lasted takes nothing",
      kind: .noContact, silence: (280, 600), pings: [fix(0), fix(600)], breaks: [(20, 40)],
      takeOvers: [
        TrackingSpan(device: 2, since: at(60)), TrackingSpan(device: 1, since: at(90)),
      ]),
  ]

  @Test(arguments: rows) func cuts(_ row: Row) {
    let silence = SilentSpan(row.kind, of: 1, during: span(row.silence))
    let facts = facts(row, [silence])
    let parts = facts.endedSilences
    #expect(parts.map { $0.interval } == (row.leaves ?? [row.silence]).map(span))
    #expect(facts.changesSilences == (row.leaves != nil))
    #expect(parts.last.map { $0.closing == row.closing } ?? true)
    // What remains is not cut again.
    let left = parts.map { SilentSpan(row.kind, of: 1, during: $0.interval) }
    #expect(!self.facts(row, left).changesSilences)
  }

  // R: W8
  @Test("is cut out of no silence that is still open")
  func open() {
    let row = Self.rows[1]
    let silence = SilentSpan(
      row.kind, of: 1, during: Interval(from: at(180), to: Instant(milliseconds: .max)))
    #expect(!facts(row, [silence]).changesSilences)
  }

  struct GapRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Each with the last receipt before it.
    var onRecord: [(since: Double, time: (Double, Double))] = []
    var gaps: [(Double, Double)] = []
    var pings: [ReceivedPing] = []
    var breaks: [(Double, Double)] = []
    var takeOvers: [TrackingSpan] = []
    var outages: [(Double, Double)] = []
    var clockInReceipt: Double?
    var records: [(Double, Double)]
  }

  // R: W8
  static let gapRows: [GapRow] = [
    GapRow(
      testDescription: "begins L after the last receipt", gaps: [(30, 600)],
      records: [(210, 600)]),
    GapRow(
      testDescription: "is none if the next receipt comes within three minutes", gaps: [(30, 200)],
      records: []),
    GapRow(
      testDescription: "began L after what ended the rest", gaps: [(30, 600)],
      pings: [resting(30, until: 1_830), fix(90), fix(150)], records: [(270, 600)]),
    GapRow(
      testDescription: "began earlier than on record, then", onRecord: [(30, (480, 600))],
      pings: [resting(30, until: 300), fix(90), fix(150)], records: [(270, 600)]),
    GapRow(
      testDescription: "is on both sides of a late break", gaps: [(30, 1_200)],
      breaks: [(120, 180), (600, 660)], records: [(360, 600), (840, 1_200)]),
    GapRow(
      testDescription: "is so too where one side is on record", onRecord: [(30, (840, 1_200))],
      breaks: [(120, 180), (600, 660)], records: [(360, 600), (840, 1_200)]),
    GapRow(
      testDescription: "ended with the gap, however early its first part did",
      onRecord: [(30, (210, 300)), (30, (700, 900))], records: [(210, 900)]),
    GapRow(
      testDescription: "ended as its receipt says, whatever is on record",
      onRecord: [(30, (210, 610))], gaps: [(30, 600)], records: [(210, 600)]),
    GapRow(
      testDescription: "is that of the phone that tracked", gaps: [(30, 900)],
      takeOvers: [
        TrackingSpan(device: 2, since: at(400)), TrackingSpan(device: 1, since: at(500)),
      ],
      records: [(210, 400), (680, 900)]),
    GapRow(
      testDescription: "begins L after an outage of ours that began before",
      gaps: [(30, 900)], outages: [(100, 300)], records: [(480, 900)]),
    GapRow(
      testDescription: "does not begin before the receipt of an offline clock-in",
      gaps: [(-60, 900)],
      clockInReceipt: 900, records: []),
    GapRow(
      testDescription: "is no longer than the shift", gaps: [(3_000, 9_000)],
      records: [(3_180, 3_600)]),
  ]

  @Test("of contact follows from the receipts around it", arguments: gapRows)
  func gaps(_ row: GapRow) {
    let silences = row.onRecord.map {
      SilentSpan(.noContact, of: 1, during: span($0.time), since: at($0.since))
    }
    let cut = Row(
      testDescription: "", kind: .noContact, silence: (0, 0), pings: row.pings,
      outages: row.outages, breaks: row.breaks, takeOvers: row.takeOvers)
    var facts = facts(cut, silences)
    facts.frame.offlineReceipt = row.clockInReceipt.map { at($0) }
    facts.frame.keptReceiptGaps = row.gaps.map { ReceiptGap(of: 1, span($0)) }
    #expect(facts.endedSilences.map { $0.interval } == row.records.map(span))
  }

  // R: W8
  @Test("of contact is left to the watch while one is open")
  func openGap() {
    let row = Self.rows[1]
    var facts = facts(
      row,
      [
        SilentSpan(
          .noContact, of: 1, during: Interval(from: at(210), to: Instant(milliseconds: .max)))
      ])
    facts.frame.keptReceiptGaps = [ReceiptGap(of: 1, span((30, 600)))]
    #expect(!facts.changesSilences)
  }

  // R: W8
  @Test("of contact is over at a break though no receipt has followed, and not after it")
  func gapWithoutEnd() {
    let row = Row(testDescription: "", kind: .noContact, silence: (0, 0), pings: [])
    let never = Instant(milliseconds: .max)
    var facts = facts(row, [])
    facts.frame.shift = Interval(from: at(0), to: never)
    facts.frame.breaks = IntervalSet([span((211, 500))])
    facts.frame.keptReceiptGaps = [ReceiptGap(of: 1, Interval(from: at(30), to: never))]
    #expect(facts.endedSilences.map { $0.interval } == [span((210, 211))])
    #expect(facts.endedSilences.map { $0.closing } == [.breakStarted])
  }

  private func facts(_ row: Row, _ silences: [SilentSpan]) -> CoverageFacts {
    let reports = row.reports.map {
      ReceivedReport(report(phone(), at: at($0)), from: 1, receivedAt: at($0))
    }
    let frame = CoverageFrame(
      shift: span((0, 3_600)), fixAgeMax: .seconds(180),
      devices: [TrackingSpan(device: 1, since: at(0))] + row.takeOvers, reports: reports,
      breaks: IntervalSet(row.breaks.map(span)),
      outages: IntervalSet(row.outages.map(span)), silences: silences,
      notAsked: IntervalSet(row.notAsked.map(span)))
    return CoverageFacts(frame, contactRuns: ContactRuns(row.pings).merged(in: frame))
  }

  private func span(_ seconds: (Double, Double)) -> Interval {
    Interval(from: at(seconds.0), to: at(seconds.1))
  }
}

private func fix(_ second: Double, _ proof: FixProof = .position, of device: Int16 = 1)
  -> ReceivedPing
{
  ReceivedPing(device: device, effectiveAt: at(second), fix: proof)
}

private func resting(_ second: Double, until end: Double? = nil) -> ReceivedPing {
  ReceivedPing(
    device: 1, effectiveAt: at(second), isStationary: true, restsUntil: end.map { at($0) })
}

private func hidden(_ second: Double) -> ReceivedPing {
  ReceivedPing(device: 1, effectiveAt: at(second), isHidden: true)
}
