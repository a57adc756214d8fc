import GuardRules
import ShiftDomain
import Testing

/// L is 180 s; device 1 tracks from second 0. All silences are over.
@Suite("What comes after its silence was over") struct SilenceCutTests {
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
    let cuts = facts(row, [silence]).silenceCuts
    let parts = cuts.map { $0.parts.map { $0.interval } }
    #expect(parts == (row.leaves.map { [$0.map(span)] } ?? []))
    #expect(cuts.allSatisfy { $0.parts.last.map { $0.closing == row.closing } ?? true })
    // What remains is not cut again.
    let left = cuts.flatMap { $0.parts }.map { SilentSpan(row.kind, of: 1, during: $0.interval) }
    #expect(facts(row, left).silenceCuts.isEmpty)
  }

  // R: W8
  @Test("is cut out of no silence that is still open")
  func open() {
    let row = Self.rows[1]
    let silence = SilentSpan(
      row.kind, of: 1, during: Interval(from: at(180), to: Instant(milliseconds: .max)))
    #expect(facts(row, [silence]).silenceCuts.isEmpty)
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
