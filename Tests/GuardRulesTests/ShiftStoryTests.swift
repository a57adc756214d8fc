import ShiftDomain
import Testing

@testable import GuardRules

@Suite("The story of a shift") struct ShiftStoryTests {
  private let six = Instant(milliseconds: 1_795_500_000_000)

  private func at(_ minutes: Int64) -> Instant { six + .minutes(minutes) }

  private func segment(
    _ from: Int64, _ to: Int64, _ reason: CoverageReason, atRisk: Bool = false,
    isInferred: Bool = false
  ) -> CoverageSegment {
    CoverageSegment(
      interval: Interval(from: at(from), to: at(to)), reason: reason, isAtRisk: atRisk,
      isInferred: isInferred)
  }

  private func incident(_ number: Int32, _ kind: IncidentKind, _ from: Int64, _ to: Int64?)
    -> ToldIncident
  {
    ToldIncident(
      number, kind,
      during: Interval(from: at(from), to: to.map { at($0) } ?? Instant(milliseconds: .max)))
  }

  private func records(
    _ segments: [CoverageSegment], _ incidents: [ToldIncident] = [], isOpen: Bool = false,
    corrections: [ToldCorrection] = [], remarks: [StoryEntry] = []
  ) -> StoryRecords {
    StoryRecords(
      span: ShiftSpan(
        from: segments[0].interval.start, to: isOpen ? nil : segments.last?.interval.end),
      openedBy: .employee, ending: isOpen ? nil : .employee, corrections: corrections,
      segments: segments, incidents: incidents, remarks: remarks)
  }

  /// What the spans and the incidents beside them say, in short.
  private func told(_ records: StoryRecords) -> [String] {
    story(of: records).compactMap { entry in
      let minute = (entry.at - six).milliseconds / 60_000
      let until = entry.until.map { "\(($0 - six).milliseconds / 60_000)" } ?? ""
      switch entry.content {
      case .spent(let segment, let incidents):
        return "\(minute)-\(until) \(segment.reason.code) \(incidents)"
      case .impaired(let number): return "\(minute)-\(until) impaired \(number)"
      case .offline(let number): return "\(minute)-\(until) offline \(number)"
      default: return nil
      }
    }
  }

  // R: W20
  @Test("an incident is told by the span that says the same, once")
  func span() {
    let told = told(
      records(
        [segment(0, 60, .tracked), segment(60, 90, .denied), segment(90, 120, .tracked)],
        [incident(1, .denied, 60, 90)]))
    #expect(told == ["0-60 tracked []", "60-90 denied [1]", "90-120 tracked []"])
  }

  @Test("while-in-use stands beside the spans, and what something worse hides, too")
  func beside() {
    let told = told(
      records(
        [
          segment(0, 60, .tracked, atRisk: true), segment(60, 80, .servicesOff),
          segment(80, 90, .denied), segment(90, 95, .tracked),
        ],
        [
          incident(1, .whenInUse, 0, 70), incident(2, .servicesOff, 60, 80),
          incident(3, .denied, 70, 90),
        ]))
    #expect(
      told == [
        "0-60 tracked []", "0-70 impaired 1", "60-80 services_off [2]", "70-90 impaired 3",
        "80-90 denied []", "90-95 tracked []",
      ])
  }

  @Test("a phone that was silent and had recorded all the same was offline until it arrived")
  func offline() {
    let segments = [segment(0, 85, .tracked), segment(85, 120, .denied)]
    let told = told(records(segments, [incident(1, .noContact, 31, 100)]))
    #expect(told == ["0-85 tracked []", "31-100 offline 1", "85-120 denied []"])
    let entry = story(of: records(segments, [incident(1, .noContact, 31, 100)])).first {
      $0.content == .offline(incident: 1)
    }
    #expect(entry?.knownAt == at(100))
    // A break that was made offline ended the silence before the phone was heard.
    var silence = incident(1, .noContact, 31, 80)
    silence.arrivedAt = at(100)
    let arrival = story(of: records(segments, [silence])).first {
      $0.content == .offline(incident: 1)
    }
    #expect(arrival?.until == at(80) && arrival?.knownAt == at(100))
    // While it lasts nobody knows whether anything was recorded.
    let open = self.told(
      records(
        [segment(0, 40, .tracked), segment(40, 60, .noContact)],
        [incident(1, .noContact, 31, nil)], isOpen: true))
    #expect(open == ["0-40 tracked []", "31- impaired 1", "40- no_contact []"])
  }

  @Test("a silence beside a denial from before is no contact, not records that arrived later")
  func denied() {
    let told = told(
      records(
        [segment(0, 30, .tracked), segment(30, 90, .denied)],
        [incident(1, .denied, 30, 90), incident(2, .noContact, 40, 70)]))
    #expect(told == ["0-30 tracked []", "30-90 denied [1]", "40-70 impaired 2"])
  }

  @Test("a silence is told by its span, which begins before it, also where its cause is known")
  func silence() {
    let told = told(
      records(
        [
          segment(0, 30, .tracked), segment(30, 40, .noContact),
          segment(40, 60, .denied, isInferred: true), segment(60, 70, .denied),
        ],
        [incident(1, .noContact, 33, 60), incident(2, .denied, 40, 70)]))
    #expect(
      told == [
        "0-30 tracked []", "30-40 no_contact [1]", "40-60 denied [2]", "60-70 denied []",
      ])
  }

  @Test("what came late is told with when it was received, but not what was said about it")
  func late() {
    var records = records(
      [segment(0, 30, .tracked), segment(30, 40, .denied), segment(40, 60, .onBreak)],
      [incident(1, .denied, 30, 40)], remarks: [StoryEntry(.noted(1), at: at(30), until: at(40))])
    records.lateReceipts = [at(30): at(90), at(40): at(91), at(60): at(92)]
    let known = story(of: records).map(\.knownAt)
    #expect(known == [nil, nil, at(90), nil, at(91), at(92)])
  }

  @Test("clock actions are told as they were made, corrections as what they are")
  func corrections() {
    let made = ShiftSpan(from: at(43), to: nil)
    let earlier = ShiftSpan(from: at(0), to: nil)
    let ended = ShiftSpan(from: at(0), to: at(50))
    let entries = story(
      of: records(
        [segment(0, 43, .notAsked), segment(43, 90, .tracked)],
        corrections: [
          ToldCorrection(1, at: at(60), from: made, endedBy: nil, to: earlier),
          ToldCorrection(2, at: at(61), from: earlier, endedBy: nil, to: ended),
          ToldCorrection(3, at: at(62), from: ended, endedBy: .manager, to: earlier),
        ])
    ).filter { if case .spent = $0.content { false } else { true } }
    #expect(
      entries.map(\.content) == [
        .opened(.employee), .corrected(1), .corrected(2), .corrected(3), .ended(.employee),
      ])
    #expect(entries.map(\.at) == [at(43), at(60), at(61), at(62), at(90)])
    // The end that a manager moved was a clock-out, at its own time.
    let moved = story(
      of: records(
        [segment(0, 90, .tracked)],
        corrections: [
          ToldCorrection(
            1, at: at(200), from: ShiftSpan(from: at(0), to: at(100)), endedBy: .limit,
            to: ShiftSpan(from: at(0), to: at(90)))
        ]))
    #expect(
      moved.map(\.content)
        == [
          .opened(.employee), .spent(segment(0, 90, .tracked), incidents: []), .ended(.limit),
          .corrected(1),
        ])
    #expect(moved.map(\.at) == [at(0), at(0), at(100), at(200)])
  }

  // R: W20
  @Test("over 10,000 random shifts: every segment and every incident once, in order")
  func random() {
    var random = SeededRandom(seed: 36)
    for _ in 0..<10_000 {
      var ends = (0..<Int64.random(in: 1...30, using: &random)).map { _ in
        Int64.random(in: 1...960, using: &random)
      }
      ends = Array(Set(ends)).sorted()
      let segments = zip([0] + ends, ends).map { from, to in
        segment(
          from, to, CoverageReason.allCases.randomElement(using: &random) ?? .tracked,
          isInferred: Bool.random(using: &random))
      }
      let incidents = (0..<Int32.random(in: 0...20, using: &random)).map { number in
        let from = Int64.random(in: 0...960, using: &random)
        let to = Int64.random(in: from...960, using: &random)
        return incident(
          number, IncidentKind.allCases.randomElement(using: &random) ?? .denied, from, to)
      }
      let entries = story(of: records(segments, incidents))
      var spent: [CoverageSegment] = []
      var told: [Int32] = []
      for entry in entries {
        switch entry.content {
        case .spent(let segment, let numbers):
          spent.append(segment)
          told += numbers
          #expect(entry.at == segment.interval.start && entry.until == segment.interval.end)
        case .impaired(let number), .offline(let number): told.append(number)
        default: break
        }
      }
      #expect(spent == segments)
      #expect(told.sorted() == incidents.map(\.number))
      #expect(entries.map(\.at) == entries.map(\.at).sorted())
    }
  }
}
