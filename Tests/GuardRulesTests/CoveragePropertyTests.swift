import GuardRules
import ShiftDomain
import Testing

@Suite("Every coverage") struct CoveragePropertyTests {
  // R: W9
  @Test("is sorted, without gaps or overlaps, and adds up to exactly the shift")
  func durationsAdd() {
    var random = SeededRandom(seed: 6)
    for round in 0..<1_000 {
      let facts = ShiftRecords(random: &random).facts
      let segments = coverage(of: facts)
      var end = facts.frame.shift.start
      for segment in segments {
        #expect(segment.interval.start == end, "round \(round)")
        #expect(segment.interval.start < segment.interval.end, "round \(round)")
        #expect(!segment.isAtRisk || segment.reason == .tracked, "round \(round)")
        end = segment.interval.end
      }
      #expect(end == facts.frame.shift.end, "round \(round)")
    }
  }

  @Test("depends neither on the order of facts nor on duplicates")
  func orderAndDuplicates() {
    var random = SeededRandom(seed: 8)
    for round in 0..<1_000 {
      let records = ShiftRecords(random: &random)
      var told = records
      told.pings = (records.pings + records.pings).shuffled(using: &random)
      told.frame.silences.shuffle(using: &random)
      #expect(coverage(of: told.facts) == coverage(of: records.facts), "round \(round)")
    }
  }

  // R: W8, W9
  @Test("never contradicts an incident of silence")
  func agreesWithSilences() {
    var random = SeededRandom(seed: 11)
    for round in 0..<2_000 {
      let records = ShiftRecords(random: &random)
      let segments = coverage(of: records.facts)
      for segment in segments {
        for instant in [segment.interval.start, segment.interval.end - .milliseconds(1)] {
          let open = records.frame.silences.filter {
            $0.interval.start <= instant && instant < $0.interval.end
          }.map(\.kind)
          switch segment.reason {
          case .noFix:
            #expect(!open.contains(.noContact), "round \(round)")
          case .noContact:
            let isRecorded =
              open.contains(.noContact)
              || records.frame.silences.contains {
                $0.kind == .noContact && instant < $0.interval.start
              } || records.frame.offlineReceipt.map { instant < $0 } ?? false
            #expect(isRecorded, "round \(round)")
            let isOther = open.contains(.noFix) && !open.contains(.noContact)
            #expect(
              !isOther || records.frame.offlineReceipt.map { instant < $0 } ?? false,
              "round \(round)")
          default: break
          }
        }
      }
    }
  }

  @Test("never traps, however absurd the instants")
  func extremes() {
    let edges = [Int64.min, .min + 1, 0, .max - 1, .max].map(Instant.init(milliseconds:))
    for start in edges {
      for end in edges {
        var frame = CoverageFrame(
          shift: Interval(from: start, to: end), fixAgeMax: .milliseconds(.max),
          devices: edges.map { TrackingSpan(device: 1, since: $0) },
          reports: edges.map { received(phone(.denied), at: $0) })
        frame.breaks = IntervalSet([Interval(from: edges[1], to: edges[2])])
        let pings = edges.map {
          ReceivedPing(device: 1, effectiveAt: $0, fix: .position, restsUntil: $0, isHidden: true)
        }
        let segments = coverage(of: CoverageFacts(frame, contactRuns: ContactRuns(pings)))
        #expect(segments.first?.interval.start == (start < end ? start : nil))
        #expect(segments.last?.interval.end == (start < end ? end : nil))
        var totals = TrackingTotals()
        totals.add(segments)
        #expect(totals.permille.map { (0...1_000).contains($0) } ?? true)
      }
    }
  }

  private func received(_ state: PermissionState, at instant: Instant) -> ReceivedReport {
    ReceivedReport(report(state, at: instant), from: 1, receivedAt: instant)
  }
}
