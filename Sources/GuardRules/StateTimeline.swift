import ShiftDomain

/// A report in its place among those of its device, and from when on it counts.
struct CountedReport {
  var received: ReceivedReport
  let since: Instant
  var state: PermissionState { received.report.state }
}

/// A device's reports in the order in which they count: by their numbers or, without one, after all
/// that had been received before. Two reports are each dated by their own delay, so the later one
/// may seem older; as for incidents, it counts at the earliest from the one before.
/// - Parameter beginning: The report that a shift began with, and when: what had been reported
///   before does not count any more.
func reportsInOrder(
  _ reports: [ReceivedReport], beginning: (with: ReportID, at: Instant)? = nil
) -> [CountedReport] {
  var counted: [CountedReport] = []
  for received in inOrder(reports) {
    let at = received.report.effectiveAt
    var since = max(at, counted.last?.since ?? at)
    if let beginning, received.report.id == beginning.with, since > beginning.at {
      since = min(at, beginning.at)
    }
    counted.append(CountedReport(received: received, since: since))
  }
  return counted
}

/// The tracking device's reports over a shift: when which impairment was in force. A value that a
/// report leaves unknown stays as before, as for incidents.
struct StateTimeline {
  /// When the phone could not be located, by reason, in the order of remedy.
  private(set) var unlocatable: [(reason: CoverageReason, time: IntervalSet)] = []
  /// When a silence had a probable cause in force.
  private(set) var likely: [(cause: Finding, time: IntervalSet)] = []
  /// The tracking device's reports that it cannot be located, whatever the state before.
  private(set) var losses: [Instant] = []
  /// When fixes were at risk: while in use, or reduced accuracy.
  private(set) var atRisk = IntervalSet()
  /// When the phone could be located again in every dimension.
  private(set) var restorations: [Instant] = []
  /// The reports of each device that ever tracked, in order.
  private(set) var reports: [Int16: [CountedReport]] = [:]

  init(_ frame: CoverageFrame) {
    let turns = frame.turns
    var spans: [StateSpan] = []
    for (place, turn) in turns.enumerated() {
      let own =
        reports[turn.device]
        ?? reportsInOrder(
          frame.reports.filter { $0.device == turn.device },
          beginning: frame.evidence.map { ($0, frame.beginning) })
      reports[turn.device] = own
      var known = KnownState()
      var inside = own[...]
      if place > 0 {
        let oldest = turn.freshFor.map { turn.time.start - $0 }
        let begun = turn.begun(with: own)
        inside = own[begun...]
        for report in own[..<begun] {
          if oldest.map({ report.since >= $0 }) ?? true {
            known.learn(from: report.state)
          }
          if turn.time.start <= report.since, report.since < turn.time.end,
            report.state.cannotLocate
          {
            losses.append(report.since)
          }
        }
        spans.append(StateSpan(since: turn.time.start, state: known.state))
      }
      for report in inside where report.since < turn.time.end {
        known.learn(from: report.state)
        spans.append(StateSpan(since: report.since, state: known.state))
        if report.state.cannotLocate { losses.append(report.since) }
      }
    }
    spans = spans.withoutReplaced
    lay(spans, until: frame.shift.end)
    let takeOvers = turns.dropFirst().map { $0.time.start }
    // A state that is replaced in the same instant never counted.
    let lasting = spans.indices.filter { place in
      place + 1 == spans.count || spans[place + 1].since > spans[place].since
    }.map { spans[$0] }
    restorations = zip(lasting, lasting.dropFirst())
      .filter { $0.state.cannotLocate && !$1.state.cannotLocate && !takeOvers.contains($1.since) }
      .map { $1.since }
  }

  /// When the reports of `device` count from, sorted.
  func reportTimes(of device: Int16) -> [Instant] {
    reports[device, default: []].map { $0.since }.sorted()
  }

  private mutating func lay(_ spans: [StateSpan], until end: Instant) {
    var times: [IncidentKind: [Interval]] = [:]
    for (place, span) in spans.enumerated() {
      let time = Interval(
        from: span.since, to: place + 1 < spans.count ? spans[place + 1].since : end)
      guard time.start < time.end else { continue }
      for kind in span.state.impairments { times[kind, default: []].append(time) }
    }
    var risky: [Interval] = []
    for (kind, times) in times.sorted(by: { $0.key.precedes($1.key) }) {
      let row = kind.row
      if let reason = row.reason { unlocatable.append((reason, IntervalSet(times))) }
      if row.isLikelyCause, let cause = row.finding { likely.append((cause, IntervalSet(times))) }
      if row.isRisk { risky += times }
    }
    atRisk = IntervalSet(risky)
    losses.sort()
  }
}

private struct StateSpan {
  let since: Instant
  let state: PermissionState
}

extension [StateSpan] {
  /// Without those that a later one replaced before they counted, as a shift begins with one.
  fileprivate var withoutReplaced: [StateSpan] {
    reduce(into: []) { kept, span in
      while let last = kept.last, last.since > span.since { kept.removeLast() }
      kept.append(span)
    }
  }
}
