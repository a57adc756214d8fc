import ShiftDomain

// What comes after a silence was over, and takes time out of it: a rest, hidden time or position, a
// break or take-over. The silence on record is cut to what remains. Until then `silenceEvents` does
// this.

/// A silence that is over, and the parts of it that remain.
public struct SilenceCut: Hashable, Sendable {
  public let silence: SilentSpan
  public let parts: [SilencePart]
}

public struct SilencePart: Hashable, Sendable {
  public let interval: Interval
  /// What ended it, unless it ends with the silence.
  public let closing: IncidentClosing
}

extension CoverageFacts {
  /// The silences on record of which something is to be cut.
  public var silenceCuts: [SilenceCut] {
    let ended = frame.silences.filter {
      $0.interval.start < $0.interval.end && $0.interval.end < Instant(milliseconds: .max)
    }
    guard !ended.isEmpty else { return [] }
    let (timeline, turns) = (StateTimeline(frame), frame.turns)
    // A missing position is not recorded where these say more.
    let outranking = IntervalSet(
      frame.silences.filter { $0.kind == .noContact }.map { $0.interval }
        + timeline.unlocatable.flatMap { $0.time.intervals })
    return ended.compactMap { silence in
      let own = turns.filter { $0.device == silence.device }
      let evidence = SilenceEvidence(
        fixAgeMax: own.turn(at: silence.interval.start)?.fixAgeMax ?? frame.fixAgeMax,
        outages: frame.outages)
      let reports = timeline.reports[silence.device]?.map { $0.since } ?? []
      let signs = contactRuns.devices.first { $0.device == silence.device }
      let remains = evidence.remains(
        of: silence.interval,
        without: frame.timeOff(silence.device, in: turns)
          + (signs?.ending(silence, reports: reports) ?? [])
      ).filter { part in
        silence.kind == .noContact || part.start == silence.interval.start
          || !outranking.contains(part.start)
      }
      if remains == [silence.interval] { return nil }
      let parts = remains.map { SilencePart(interval: $0, closing: frame.ending($0, in: turns)) }
      return SilenceCut(silence: silence, parts: parts)
    }
  }
}

extension CoverageFrame {
  /// When `device` did not have to track.
  fileprivate func timeOff(_ device: Int16, in turns: [TrackingTurn]) -> [Interval] {
    breaks.intervals + notAsked.intervals + turns.filter { $0.device != device }.map { $0.time }
  }

  /// What ended a silence that lasts no longer than `part`.
  fileprivate func ending(_ part: Interval, in turns: [TrackingTurn]) -> IncidentClosing {
    func starts(_ times: [Interval]) -> Bool { times.contains { $0.start == part.end } }
    if starts(breaks.intervals) { return .breakStarted }
    if starts(notAsked.intervals) { return .shiftEnded }
    return starts(turns.map { $0.time }) ? .deviceChanged : .resumed
  }
}

extension DeviceContactRuns {
  /// Rests and hidden times, each up to the next report, and for positions all that counts as one:
  /// a sign at rest does only after a fix.
  fileprivate func ending(_ silence: SilentSpan, reports: [Instant]) -> [Interval] {
    let end = silence.interval.end
    let announced = (self[.rest] + self[.hidden]).filter { $0.first < end }.map { run in
      let next = reports[reports.firstIndex(from: run.first + .milliseconds(1))...].first
      return Interval(from: run.first, to: min(run.last, next ?? end, end))
    }
    let fixes = self[.fix] + self[.mock] + self[.coarse]
    guard silence.kind == .noFix, let first = fixes.map({ $0.first }).min() else {
      return announced
    }
    let atRest = self[.stationary].filter { $0.last >= first }
    return announced + (fixes + atRest).map { Interval(from: max($0.first, first), to: $0.last) }
  }
}
