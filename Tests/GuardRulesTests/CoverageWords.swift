import GuardRules
import ShiftDomain

extension [CoverageSegment] {
  /// `tracked 0–180, no_contact 180–1000`: in seconds since `morning`.
  var inWords: String {
    map { segment in
      let (start, end) = (segment.interval.start.inSeconds, segment.interval.end.inSeconds)
      let likely = segment.likely.map { "?\($0.code)" } ?? ""
      let marks = (segment.isAtRisk ? " at risk" : "") + likely + (segment.isInferred ? "~" : "")
      return "\(segment.reason.code)\(marks) \(start)–\(end)"
    }.joined(separator: ", ")
  }

  /// Milliseconds by reason; `at_risk` is the part of `tracked` that was at risk.
  var milliseconds: [String: Int64] {
    reduce(into: [:]) { totals, segment in
      totals[segment.reason.code, default: 0] += segment.interval.length.milliseconds
      if segment.isAtRisk { totals["at_risk", default: 0] += segment.interval.length.milliseconds }
    }
  }
}
