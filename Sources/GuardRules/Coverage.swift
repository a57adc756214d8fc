import ShiftDomain

/// Every instant of the shift with its reason: sorted, without gaps. Reasons are layers in the
/// order of precedence. Each explains a part of the time that is still unexplained, so segments
/// cannot overlap and nothing is left over.
public func coverage(of facts: CoverageFacts) -> [CoverageSegment] {
  let frame = facts.frame
  let timeline = StateTimeline(frame)
  let positions = CoveragePositions(facts, timeline)
  var layers = CoverageLayers(over: frame.shift)
  layers.take(frame.breaks, as: .onBreak)
  layers.take(positions.tracked, as: .tracked)
  // Only breaks and tracked time separate gaps.
  let gaps = layers.rest
  let tracked = positions.tracked.subtracting(frame.breaks)
    .intersection(IntervalSet([frame.shift]))
  let causes = SilenceCauses(frame, timeline, tracked: tracked, gaps: gaps)

  layers.take(frame.notAsked, as: .notAsked)
  for (reason, time) in timeline.unlocatable { layers.take(time, as: reason) }
  layers.take(frame.outages, as: .serviceUnavailable)
  for (reason, time) in causes.inferred { layers.take(time, as: reason, isInferred: true) }
  layers.take(positions.mock, as: .mockLocation)
  layers.take(positions.coarse, as: .lowAccuracy)
  layers.take(positions.hidden, as: .pageHidden)
  layers.take(positions.waits, as: .waitingFirstFix)
  layers.take(positions.resumptions, as: .resuming)
  layers.take(frame.silence(.noContact), as: .noContact)
  layers.take(frame.timeBeforeReceipt, as: .noContact)
  layers.take(frame.silence(.noFix), as: .noFix)
  layers.take(frame.timeBeforeSilence(in: gaps), as: .noContact)
  layers.take(layers.rest, as: .noFix)
  return layers.segments(
    atRiskDuring: timeline.atRisk, likely: causes.likely + timeline.likely)
}

extension CoverageFrame {
  fileprivate func silence(_ kind: SilenceKind) -> IntervalSet {
    IntervalSet(silences.filter { $0.kind == kind }.map { $0.interval })
  }

  /// A silence starts before it is too long: from the start of the gap in which its incident opens.
  fileprivate func timeBeforeSilence(in gaps: IntervalSet) -> IntervalSet {
    let openings = silences.filter { $0.kind == .noContact }.map { $0.interval.start }
    return IntervalSet(
      openings.compactMap { opening in
        let next = gaps.intervals.partitionIndex { $0.start > opening }
        guard next > 0, opening < gaps.intervals[next - 1].end else { return nil }
        return Interval(from: gaps.intervals[next - 1].start, to: opening)
      })
  }

  /// There was no contact before the clock-in was received.
  fileprivate var timeBeforeReceipt: IntervalSet {
    IntervalSet(from: shift.start, to: offlineReceipt ?? shift.start)
  }
}

struct CoverageLayers {
  private(set) var rest: IntervalSet
  private var taken: [CoverageSegment] = []

  init(over shift: Interval) { rest = IntervalSet([shift]) }

  mutating func take(_ time: IntervalSet, as reason: CoverageReason, isInferred: Bool = false) {
    guard !time.intervals.isEmpty else { return }
    for interval in rest.intersection(time).intervals {
      taken.append(
        CoverageSegment(
          interval: interval, reason: reason, isAtRisk: false, isInferred: isInferred))
    }
    rest = rest.subtracting(time)
  }

  /// In order of time; tracked time is split where a risk begins or ends, silence where a probable
  /// cause does: of several causes the first counts.
  func segments(
    atRiskDuring risk: IntervalSet, likely: [(cause: Finding, time: IntervalSet)]
  ) -> [CoverageSegment] {
    var segments: [CoverageSegment] = []
    for segment in taken {
      var left = IntervalSet([segment.interval])
      if segment.reason == .tracked {
        segments += left.intersection(risk).intervals.map { interval in
          CoverageSegment(interval: interval, reason: .tracked, isAtRisk: true)
        }
        left = left.subtracting(risk)
      } else if segment.reason.isSilence {
        for (cause, time) in likely {
          segments += left.intersection(time).intervals.map { interval in
            CoverageSegment(
              interval: interval, reason: segment.reason, isAtRisk: false, likely: cause)
          }
          left = left.subtracting(time)
        }
      }
      segments += left.intervals.map { interval in
        var part = segment
        part.interval = interval
        return part
      }
    }
    return segments.sorted { $0.interval.start < $1.interval.start }.joined
  }
}

extension [CoverageSegment] {
  /// Neighbours with the same reason, although from different evidence, are one segment.
  fileprivate var joined: [CoverageSegment] {
    var joined: [CoverageSegment] = []
    for segment in self {
      if var last = joined.last, last.interval.end == segment.interval.start {
        last.interval = segment.interval
        if last == segment {
          joined[joined.count - 1].interval.end = segment.interval.end
          continue
        }
      }
      joined.append(segment)
    }
    return joined
  }
}
