import ShiftDomain

/// What the silences of a shift were, as later evidence tells.
///
/// A report that says that the phone cannot be located, effective within or before a silence and
/// received with or after the request that ended it, explains the silence: from the end of the
/// app's process that it tells of or, when it tells of none, as a probable cause only.
struct SilenceCauses {
  private var causes: [(reason: CoverageReason, time: Interval)] = []
  private var probable: [(cause: Finding, time: Interval)] = []

  init(_ frame: CoverageFrame, _ timeline: StateTimeline, tracked: IntervalSet) {
    guard frame.silences.contains(where: { $0.kind == .noContact }) else { return }
    let turns = frame.turns
    for (device, reports) in timeline.reports {
      let silences = frame.silences.filter { $0.kind == .noContact && $0.device == device }
      guard !silences.isEmpty else { continue }
      let own = turns.filter { $0.device == device }.map { $0.time }
      for place in reports.indices {
        guard let kind = reports.cause(at: place),
          silences.contains(where: { silence in
            let longest = turns.turn(at: silence.interval.start)?.fixAgeMax ?? frame.fixAgeMax
            return reports.explain(silence.interval, fixAgeMax: longest, at: place)
          })
        else { continue }
        let report = reports[place]
        if report.tellsNewExit(after: reports[..<place]), let exit = report.received.report.appExit
        {
          guard let reason = kind.coverageReason else { continue }
          causes += own.clipping(Interval(from: exit.at, to: report.since)).map { (reason, $0) }
        } else if let finding = kind.finding, kind != .appTerminated {
          let next = tracked.intervals.partitionIndex { $0.start >= report.since }
          let before = next > 0 ? tracked.intervals[next - 1].end : frame.shift.start
          let located = reports[..<place].last { !$0.state.cannotLocate && $0.state.isKnown }?.since
          probable += own.clipping(
            Interval(from: max(before, located ?? before), to: report.since)
          ).map { (finding, $0) }
        }
      }
    }
  }

  /// When `reason` is the cause of a silence.
  func inferred(_ reason: CoverageReason) -> IntervalSet {
    IntervalSet(causes.filter { $0.reason == reason }.map { $0.time })
  }

  /// When what was the probable cause of a silence, in the order of remedy.
  var likely: [(cause: Finding, time: IntervalSet)] {
    Set(probable.map { $0.cause }).sorted { $0.rank < $1.rank }.map { cause in
      (cause, IntervalSet(probable.filter { $0.cause == cause }.map { $0.time }))
    }
  }
}

extension [CountedReport] {
  /// What the report at `place` says that a silence was.
  fileprivate func cause(at place: Int) -> IncidentKind? {
    let report = self[place]
    let loss = report.state.worstLoss
    guard report.tellsNewExit(after: self[..<place]) else { return loss }
    return report.received.report.silenceCause
  }

  /// Whether the report at `place` explains a silence.
  fileprivate func explain(_ silence: Interval, fixAgeMax: TimeSpan, at place: Int) -> Bool {
    let report = self[place]
    // Whatever was received before it opened was no news of it.
    guard report.received.receivedAt >= silence.start else { return false }
    if report.tellsNewExit(after: self[..<place]), let exit = report.received.report.appExit {
      guard exit.at < silence.end, report.since <= silence.end else { return false }
    } else if report.since >= silence.end {
      return false
    }
    if report.since >= silence.start - fixAgeMax { return true }
    let healed = self[(place + 1)...].first { !$0.state.cannotLocate && $0.state.isKnown }
    return healed.map { $0.since > silence.start } ?? true
  }
}

extension CountedReport {
  /// Whether it tells of an end of the app's process that no report before it could have told of:
  /// Android tells its last one again and again.
  fileprivate func tellsNewExit(after earlier: ArraySlice<CountedReport>) -> Bool {
    guard received.report.tellsExit, let exit = received.report.appExit else { return false }
    return earlier.last.map { exit.at > $0.since } ?? true
  }
}

extension PermissionState {
  /// Whether it tells that the phone can be located, or that it cannot.
  fileprivate var isKnown: Bool { authorization != .unknown || services != .unknown }
}

extension [Interval] {
  /// The parts of `interval` in these.
  fileprivate func clipping(_ interval: Interval) -> [Interval] {
    compactMap { own in
      let part = Interval(
        from: Swift.max(own.start, interval.start), to: Swift.min(own.end, interval.end))
      return part.start < part.end ? part : nil
    }
  }
}

extension IncidentKind {
  /// The reason it gives to time that was not tracked.
  var coverageReason: CoverageReason? {
    switch self {
    case .restricted: .restricted
    case .denied: .denied
    case .notDetermined: .notDetermined
    case .servicesOff: .servicesOff
    case .appTerminated: .appTerminated
    case .whenInUse, .accuracyReduced, .noContact, .noFix, .mockLocation: nil
    }
  }
}
