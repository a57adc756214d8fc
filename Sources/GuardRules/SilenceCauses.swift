import ShiftDomain

/// The causes of a shift's silences, from later evidence.
///
/// A report that the phone cannot be located explains a silence of the same device if it counts
/// from a time in the silence, or before it in the same gap, and was received after the incident
/// had opened. If the report names the end of the app's process, the cause is known from then on;
/// otherwise it is only probable. The first such report counts.
struct SilenceCauses {
  /// The known reasons, in the order of the reports.
  private(set) var inferred: [(reason: CoverageReason, time: IntervalSet)] = []
  /// The probable causes, in the order of the reports.
  private(set) var likely: [(cause: Finding, time: IntervalSet)] = []

  init(
    _ frame: CoverageFrame, _ timeline: StateTimeline, tracked: IntervalSet, gaps: IntervalSet
  ) {
    // An open one lasts no longer than the shift.
    let silences = frame.silences.filter { $0.kind == .noContact }.map { silence in
      let isOpen = silence.interval.end == Instant(milliseconds: .max)
      let end = isOpen ? frame.shift.end : silence.interval.end
      var ended = silence
      ended.interval.end = end
      return ended
    }
    guard !silences.isEmpty else { return }
    let turns = frame.turns
    for (device, reports) in timeline.reports.sorted(by: { $0.key < $1.key }) {
      let own = IntervalSet(turns.filter { $0.device == device }.map { $0.time })
      for (place, report) in reports.enumerated()
      where turns.turn(at: report.since)?.device == device
        && silences.contains(where: {
          $0.device == device && report.explains($0, before: reports[(place + 1)...], in: gaps)
        })
      {
        let earlier = reports[..<place]
        if let exit = report.newExit(after: earlier) {
          guard let reason = report.received.report.silenceCause?.row.reason else { continue }
          let time = IntervalSet(from: exit.at, to: report.since).intersection(own)
          inferred.append((reason, time))
        } else if let cause = report.state.worstLoss?.finding {
          let next = tracked.intervals.partitionIndex { $0.start >= report.since }
          let before = next > 0 ? tracked.intervals[next - 1].end : frame.shift.start
          let located = earlier.last { $0.state.couldLocate }?.since ?? before
          let time = IntervalSet(from: max(before, located), to: report.since)
          likely.append((cause, time.intersection(own)))
        }
      }
    }
  }
}

extension [CountedReport] {
  func cause(of silence: Interval, since receipt: Instant) -> IncidentKind? {
    indices.lazy.compactMap { place in
      self[place].cause(of: silence, since: receipt, before: self[(place + 1)...])
    }.first
  }
}

extension CountedReport {
  /// The cause of a silence that it explains: it was received after that had opened, and its
  /// finding was in force between the last receipt before the silence and its end, not replaced
  /// before it counted. An app exit from before that receipt explains nothing.
  fileprivate func cause(
    of silence: Interval, since receipt: Instant, before later: ArraySlice<CountedReport>
  ) -> IncidentKind? {
    guard received.receivedAt >= silence.start, since <= silence.end else { return nil }
    var report = received.report
    if let exit = report.appExit, exit.at < receipt { report.appExit = nil }
    guard let cause = report.silenceCause else { return nil }
    let end = later.first { $0.state.says(cause.dimension) }?.since
    return end.map { $0 > max(since, receipt) } ?? true ? cause : nil
  }

  /// Whether it may explain the silence. Where the last receipt before that is not known, it counts
  /// from the same gap on.
  fileprivate func explains(
    _ silence: SilentSpan, before later: ArraySlice<CountedReport>, in gaps: IntervalSet
  ) -> Bool {
    let time = silence.interval
    if let receipt = silence.silentSince {
      return cause(of: time, since: receipt, before: later) != nil
    }
    guard received.receivedAt >= time.start, since <= time.end else { return false }
    if since >= time.start { return true }
    let next = gaps.intervals.partitionIndex { $0.start > time.start }
    guard next > 0, time.start < gaps.intervals[next - 1].end else { return false }
    return gaps.intervals[next - 1].start <= since
  }

  /// The app exit that no earlier report could contain: Android repeats the last exit.
  fileprivate func newExit(after earlier: ArraySlice<CountedReport>) -> AppExit? {
    guard let exit = received.report.appExit, received.report.silenceCause != nil else {
      return nil
    }
    return earlier.last.map { exit.at > $0.since } ?? true ? exit : nil
  }
}

extension PermissionState {
  fileprivate func says(_ dimension: Dimension) -> Bool {
    switch reading(of: dimension) {
    case .clear, .impaired: true
    case .absent, .unknown: false
    }
  }

  fileprivate var couldLocate: Bool {
    authorization != .unknown && !cannotLocate
  }
}
