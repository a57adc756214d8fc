import ShiftDomain

// A rest, hidden time or position that comes after the silence around it was over: the silence on
// record is cut to what remains. Until then `silenceEvents` does this.

/// A silence that is over, and the parts of it that remain.
public struct SilenceCut: Hashable, Sendable {
  public let silence: SilentSpan
  public let parts: [Interval]
}

extension CoverageFacts {
  /// The silences on record of which something is to be cut.
  public var silenceCuts: [SilenceCut] {
    let ended = frame.silences.filter {
      $0.interval.start < $0.interval.end && $0.interval.end < Instant(milliseconds: .max)
    }
    guard !ended.isEmpty else { return [] }
    let (timeline, turns) = (StateTimeline(frame), frame.turns)
    return ended.compactMap { silence in
      guard let turn = turns.turn(at: silence.interval.start), turn.device == silence.device,
        let signs = contactRuns.devices.first(where: { $0.device == silence.device })
      else { return nil }
      let reports = timeline.reports[silence.device]?.map { $0.since } ?? []
      let evidence = SilenceEvidence(fixAgeMax: turn.fixAgeMax, outages: frame.outages)
      let parts = evidence.remains(
        of: silence.interval, without: signs.ending(silence, reports: reports))
      return parts == [silence.interval] ? nil : SilenceCut(silence: silence, parts: parts)
    }
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
