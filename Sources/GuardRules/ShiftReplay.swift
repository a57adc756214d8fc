public import ShiftDomain

/// An incident as it is on record.
public struct RecordedIncident: Hashable, Sendable {
  public var incident: OpenIncident
  public var device: Int16
  public var closedAt: Instant?
  public var closing: IncidentClosing?
  /// Of no contact: the last receipt before it, if that is known.
  public var silentSince: Instant?
  /// Of no contact: its cause.
  public var explanation: IncidentKind?

  public init(
    _ incident: OpenIncident, on device: Int16, closedAt: Instant? = nil,
    closing: IncidentClosing? = nil, silentSince: Instant? = nil, explanation: IncidentKind? = nil
  ) {
    self.incident = incident
    self.device = device
    self.closedAt = closedAt
    self.closing = closing
    self.silentSince = silentSince
    self.explanation = explanation
  }
}

/// A shift from its start, by all its reports in their order, its breaks and its take-overs: the
/// record of its reported dimensions as it would be if nothing had come late.
public struct ShiftReplay {
  /// By opening. Without those that were replaced at the instant of their opening.
  public private(set) var incidents: [RecordedIncident] = []
  /// The shift as it is then. Its incidents have numbers from 1.
  private(set) var state = GuardState()

  /// What is accepted by then.
  public var accepted: AcceptedKinds { state.shift?.accepted ?? AcceptedKinds() }

  /// - Parameter isOpen: Whether the shift has not ended.
  public init(_ frame: CoverageFrame, isOpen: Bool) {
    let asked = IntervalSet([frame.shift]).subtracting(frame.notAsked).intervals
    guard let first = asked.first, let last = asked.last else { return }
    let span = Interval(from: first.start, to: last.end)
    // Nothing is recorded of time within the shift for which no phone was asked either.
    let unasked = IntervalSet([span]).subtracting(IntervalSet(asked)).intervals
    let pauses = IntervalSet(unasked + frame.breaks.intersection(IntervalSet([span])).intervals)
    let moments = Moments(frame, during: span, pauses: pauses)
    let accepted = AcceptedKinds(isMockIgnored: frame.isMockIgnored)
    begin(moments.device, with: moments.held, at: span.start, accepted)
    if frame.isMockAccepted { state.shift?.accepted.acceptMock(on: moments.device) }
    for moment in moments.inOrder { apply(moment) }
    if !isOpen {
      var life = life(at: span.end)
      life.endAll(.shiftEnded)
      take(life)
    }
    incidents.removeAll { $0.closedAt == $0.incident.openedAt }
  }

  private mutating func begin(
    _ device: Int16, with held: [CountedReport], at start: Instant, _ accepted: AcceptedKinds
  ) {
    let known = KnownState(held)
    state.shift = OpenShift(
      number: 1, device: device, startedAt: start, report: held.last?.current, known: known,
      accepted: accepted)
    var life = life(at: start)
    life.begin(with: known.state)
    take(life)
  }

  private mutating func apply(_ moment: Moment) {
    guard let shift = state.shift else { return }
    var life = life(at: moment.at)
    switch moment.what {
    case .pauseEnd:
      life.state.shift?.latestBreak?.endedAt = moment.at
      life.record(shift.known.state, isOnBreak: false)
    case .pauseStart(let closing):
      life.suspend(closing)
      life.state.shift?.latestBreak = ShiftBreak(number: 1, startedAt: moment.at)
    case .takeOver(let device, let held):
      let known = KnownState(held)
      life.suspend(.deviceChanged)
      life.state.shift?.device = device
      life.state.shift?.takenOverAt = moment.at
      life.state.shift?.report = held.last?.current
      life.state.shift?.known = known
      life.record(known.state, isOnBreak: shift.isOnBreak)
    case .report(let counted):
      let report = counted.current
      let impairedSince = report.withoutOldExit(after: shift.report).impairedSince
      life = self.life(
        at: shift.tracked(from: counted.since), openingAt: shift.tracked(from: impairedSince))
      life.record(report.state, isOnBreak: shift.isOnBreak)
      life.state.shift?.report = report
      life.state.shift?.known.learn(from: report.state)
    }
    take(life)
  }

  private func life(at instant: Instant, openingAt: Instant? = nil) -> IncidentLife {
    IncidentLife(state, at: instant, openingAt: openingAt, now: instant)
  }

  private mutating func take(_ life: IncidentLife) {
    state = life.state
    for effect in life.effects {
      switch effect {
      case .incidentOpened(let incident, after: _):
        incidents.append(RecordedIncident(incident, on: state.shift?.device ?? 0))
      case .incidentClosed(let number, let at, let closing):
        incidents[Int(number) - 1].closedAt = at
        incidents[Int(number) - 1].closing = closing
      default: break
      }
    }
  }
}

private struct Moment {
  /// In the order in which they count when they coincide.
  enum What {
    case pauseEnd
    /// A break, or time for which no phone was asked, as if the shift had ended.
    case pauseStart(IncidentClosing)
    case takeOver(Int16, held: [CountedReport])
    case report(CountedReport)

    var place: Int {
      switch self {
      case .pauseEnd: 0
      case .pauseStart: 1
      case .takeOver: 2
      case .report: 3
      }
    }
  }

  let at: Instant
  let what: What
}

/// What happened in a part of a shift.
private struct Moments {
  /// The device that tracked at its start, and what it had reported by then.
  private(set) var device: Int16 = 0
  private(set) var held: [CountedReport] = []
  private(set) var inOrder: [Moment] = []

  init(_ frame: CoverageFrame, during span: Interval, pauses: IntervalSet) {
    let reports = StateTimeline(frame).reports
    for turn in frame.turns where turn.time.overlaps(span) {
      let own = reports[turn.device] ?? []
      let isFirst = turn.time.start <= span.start
      let start = max(turn.time.start, span.start)
      // Before an acceptance in review there was no phone to show what was accepted.
      let begins = turn.time.start == span.start || frame.shift.start == span.start
      var count = isFirst ? own.partitionIndex { $0.since > start } : turn.begun(with: own)
      if isFirst, begins {
        let begun = own.firstIndex { $0.received.report.id == frame.evidence }
        count = frame.evidence == nil ? 0 : begun.map { $0 + 1 } ?? count
      }
      let oldest = turn.freshFor.map { turn.time.start - $0 }
      let held = own.prefix(count).filter { report in
        oldest.map { report.since >= $0 } ?? true
      }
      if isFirst {
        (device, self.held) = (turn.device, held)
      } else {
        inOrder.append(Moment(at: start, what: .takeOver(turn.device, held: held)))
      }
      inOrder += own.dropFirst(count).filter { $0.since < min(turn.time.end, span.end) }
        .map { Moment(at: max($0.since, start), what: .report($0)) }
    }
    for pause in pauses.intervals {
      let isBreak = frame.breaks.intervals.contains { $0.start == pause.start }
      inOrder.append(
        Moment(at: pause.start, what: .pauseStart(isBreak ? .breakStarted : .shiftEnded)))
      if pause.end < span.end { inOrder.append(Moment(at: pause.end, what: .pauseEnd)) }
    }
    // The sort is stable: reports of one instant stay in their order.
    inOrder.sort { ($0.at, $0.what.place) < ($1.at, $1.what.place) }
    inOrder = inOrder.reduce(into: []) { kept, moment in
      guard let both = kept.last.flatMap(moment.replacing) else { return kept.append(moment) }
      kept[kept.count - 1] = both
    }
  }
}

extension Moment {
  /// This report with the known values of `earlier`, a report of the same instant, which never
  /// counted; `nil`: it is no such report. An app exit would tell of the time before.
  fileprivate func replacing(_ earlier: Moment) -> Moment? {
    guard at == earlier.at, case .report(var report) = what, case .report(let first) = earlier.what,
      first.received.report.appExit == nil, report.received.report.appExit == nil
    else { return nil }
    var known = KnownState(first.state)
    known.learn(from: report.state)
    report.received.report.state.learn(from: known.state)
    return Moment(at: at, what: .report(report))
  }
}

extension CountedReport {
  /// The report, with the time from which it counts.
  fileprivate var current: PermissionReport {
    var report = received.report
    report.countsFrom = since
    return report
  }
}

extension KnownState {
  fileprivate init(_ reports: [CountedReport]) {
    self.init()
    for report in reports { learn(from: report.state) }
  }
}
