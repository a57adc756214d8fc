import GuardRules
import ShiftDomain
import Testing

// R: A11, M3

/// RULES 4, *Records*: incidents of the reported dimensions are a function of all reports in their
/// order, of what was accepted and of the shift's timeline, in whatever order these came.
@Suite("What comes late") struct RecountTests {
  @Test("leaves the incidents that there would be if it had come in time") func lateReports() {
    var recounted = 0
    for seed in 0..<1_000 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let life = RandomLife(&random)
      let inTime = life.played(life.happenings)
      #expect(inTime.recounts == 0, "seed \(seed): what came in time is recounted")
      let late = life.played(life.delayed(&random))
      #expect(late.record == inTime.record, "seed \(seed)")
      #expect(late.present == inTime.present, "seed \(seed)")
      if late.record != inTime.record || inTime.recounts != 0 { break }
      recounted += late.recounts
    }
    #expect(recounted > 500)
  }

  // R: G4
  @Test("leaves a simulated position at the clock-in accepted", arguments: [true, false])
  func mockAtClockIn(isAccepted: Bool) {
    let mocked = phone(conditions: DeviceConditions(mockLocation: .on))
    let reports = [(phone(), 0.0), (mocked, 30)].map { state, second in
      var report = report(state, at: at(second))
      report.id = ReportID(Int64(second))
      return ReceivedReport(report, from: 1, receivedAt: at(second))
    }
    let replay = ShiftReplay(
      CoverageFrame(
        shift: Interval(from: at(0), to: at(600)), fixAgeMax: .minutes(3),
        devices: [TrackingSpan(device: 1, since: at(0))], reports: reports,
        isMockAccepted: isAccepted), isOpen: true)
    #expect(replay.incidents.map(\.incident.kind) == [.mockLocation])
    #expect(replay.incidents.map(\.incident.isAccepted) == [isAccepted])
  }
}

/// A shift with reports of two phones, breaks and take-overs.
private struct RandomLife {
  struct Happening {
    var event: GuardEvent
    var at: Instant
    var report: (PermissionReport, device: Int16)?
  }

  private(set) var happenings: [Happening] = []

  init(_ random: inout SeededRandom) {
    var (second, tracking, isResting) = (0, 1 as Int16, false)
    var next: [Int16: Int64] = [1: 1, 2: 1]
    func state(_ random: inout SeededRandom) -> PermissionState {
      let authorizations: [Authorization] = [.always, .always, .whenInUse, .denied, .unknown]
      return phone(
        authorizations.pick(&random), services: random.oneIn(5) ? .off : .on)
    }
    func report(_ device: Int16, _ random: inout SeededRandom) -> PermissionReport {
      defer { next[device, default: 1] += 1 }
      var report = GuardRulesTests.report(
        state(&random), at: at(Double(second)), sequence: next[device])
      report.id = ReportID(Int64(second) * 2 + Int64(device))
      return report
    }
    var first = report(1, &random)
    // It is dated by its own delay, and so is what follows it at once.
    first.effectiveAt = at([-20, 0, 0.3].pick(&random))
    first.countsFrom = first.effectiveAt
    happenings.append(
      Happening(
        event: .clockIn(device: 1, at: at(0), .report(first, .android)), at: at(0),
        report: (first, 1)))
    for _ in 0..<Int.random(in: 1...14, using: &random) {
      second += Int.random(in: 1...90, using: &random)
      let now = at(Double(second))
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        happenings.append(
          Happening(event: isResting ? .breakEnd(at: now) : .breakStart(at: now), at: now))
        isResting.toggle()
      case 1:
        tracking = 3 - tracking
        let report = report(tracking, &random)
        happenings.append(
          Happening(
            event: .takeOver(device: tracking, at: now, report), at: now,
            report: (report, tracking)))
      default:
        let report = report(tracking, &random)
        happenings.append(
          Happening(event: .report(report, device: tracking), at: now, report: (report, tracking)))
      }
    }
  }

  /// The same, but some reports come last, and some breaks and take-overs after the reports up to
  /// the next one.
  func delayed(_ random: inout SeededRandom) -> [Happening] {
    var (order, reports, action) = ([Happening](), [Happening](), Happening?.none)
    for happening in happenings {
      switch happening.event {
      case .report where random.oneIn(3): reports.append(happening)
      case .report, .clockIn: order.append(happening)
      default:
        order += [action].compactMap(\.self)
        action = happening
        if !random.oneIn(3) {
          order.append(happening)
          action = nil
        }
      }
    }
    return order + [action].compactMap(\.self) + reports.shuffled(using: &random)
  }

  /// As the service would: after each happening the record is compared with a replay.
  func played(_ order: [Happening]) -> Played {
    var played = Played()
    for happening in order { played.take(happening) }
    return played
  }
}

private struct Played {
  private(set) var recounts = 0
  private var state = GuardState()
  private var incidents: [Int32: RecordedIncident] = [:]
  private var now = at(0)
  private var policy = Policy.policy(of: .advisory)
  private var frame = CoverageFrame(
    shift: Interval(from: at(0), to: Instant(milliseconds: .max)), fixAgeMax: .minutes(3),
    devices: [TrackingSpan(device: 1, since: at(0))], reports: [])

  init() { policy.debounce = .zero }

  mutating func take(_ happening: RandomLife.Happening) {
    now = max(now, happening.at)
    switch happening.event {
    case .takeOver(let device, let at, let report?):
      let held = frame.reports.filter {
        $0.device == device && at - $0.report.effectiveAt <= policy.freshFor
      }
      apply(.takeOver(device: device, at: at, report.overlaid(on: held)))
      frame.devices.append(TrackingSpan(device: device, since: at, freshFor: policy.freshFor))
    case .breakStart(let at):
      apply(happening.event)
      let pause = Interval(from: at, to: Instant(milliseconds: .max))
      frame.breaks = IntervalSet(frame.breaks.intervals + [pause])
    case .breakEnd(let end):
      apply(happening.event)
      frame.breaks = frame.breaks.intersection(IntervalSet(from: frame.shift.start, to: end))
    default: apply(happening.event)
    }
    if frame.evidence == nil { frame.evidence = happening.report?.0.id }
    if let (report, device) = happening.report {
      frame.reports.append(ReceivedReport(report, from: device, receivedAt: now))
    }
    let recount = Recount(
      of: 1, incidents.values.sorted { $0.incident.number < $1.incident.number },
      as: ShiftReplay(frame, isOpen: true),
      CoverageFacts(frame, contactRuns: ContactRuns()), state, debounce: policy.debounce)
    guard let recount else { return }
    recounts += 1
    apply(.recounted(recount))
  }

  private mutating func apply(_ event: GuardEvent) {
    let step = step(state, event, policy: policy, now: now)
    state = step.state
    for effect in step.effects {
      switch effect {
      case .incidentOpened(let incident, _):
        incidents[incident.number] = RecordedIncident(incident, on: state.shift?.device ?? 0)
      case .incidentClosed(let number, let at, let closing):
        incidents[number]?.closedAt = at
        incidents[number]?.closing = closing
      case .incidentRecorded(let recorded, _): incidents[recorded.incident.number] = recorded
      case .incidentWithdrawn(let number):
        let openedAt = incidents[number]?.incident.openedAt
        incidents[number]?.closedAt = openedAt
        incidents[number]?.closing = .withdrawn
      default: break
      }
    }
  }

  var present: [IncidentKind] { state.incidents.map(\.kind).sorted { $0.rawValue < $1.rawValue } }

  var record: [RecordedIncident] {
    incidents.values.filter { $0.closedAt != $0.incident.openedAt }.map(\.plain).sorted {
      ($0.incident.openedAt, $0.incident.kind.rawValue)
        < ($1.incident.openedAt, $1.incident.kind.rawValue)
    }
  }
}

extension RecordedIncident {
  /// Without its numbers and what was notified.
  fileprivate var plain: RecordedIncident {
    let incident = OpenIncident(
      number: 1, kind: incident.kind, origin: incident.origin, evidence: incident.evidence,
      openedAt: incident.openedAt, isAccepted: incident.isAccepted, debouncedUntil: at(0),
      notificationDueAt: nil)
    return RecordedIncident(incident, on: device, closedAt: closedAt, closing: closing)
  }
}
