import GuardRules
import ShiftDomain

/// A shift drawn as one line of characters, each an equal part of it and shown by the reason that
/// takes most of it.
struct CoverageBar {
  private let segments: [CoverageSegment]
  private let cells: Int

  init(_ segments: [CoverageSegment], cells: Int) {
    self.segments = segments
    self.cells = cells
  }

  /// The drawing; empty for a shift without length.
  var text: String {
    guard let start = segments.first?.interval.start, let end = segments.last?.interval.end,
      start < end
    else { return "" }
    let length = (end - start).milliseconds
    let bounds = (0...cells).map { start + .milliseconds(length * Int64($0) / Int64(cells)) }
    return String(zip(bounds, bounds.dropFirst()).map { sign(from: $0, to: $1) })
  }

  /// What the signs mean.
  static let legend =
    "█ tracked   ▓ at risk   ▒ permission   ░ silent or without position   · break"

  private func sign(from start: Instant, to end: Instant) -> Character {
    var shares: [Character: Int64] = [:]
    for segment in segments {
      let common = min(segment.interval.end, end) - max(segment.interval.start, start)
      if common > .zero { shares[segment.sign, default: 0] += common.milliseconds }
    }
    // Equal shares go to the sign that sorts last, so that the drawing is always the same.
    let longest = shares.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    // An equal part of a very short shift may be nothing: then what held at that moment.
    return longest ?? segments.last { $0.interval.start <= start }?.sign ?? " "
  }
}

extension CoverageSegment {
  fileprivate var sign: Character {
    switch reason {
    case .tracked: isAtRisk ? "▓" : "█"
    case .onBreak: "·"
    case .restricted, .servicesOff, .denied, .notDetermined: "▒"
    case .appTerminated, .serviceUnavailable, .waitingFirstFix, .resuming, .noFix, .noContact,
      .mockLocation, .lowAccuracy, .pageHidden, .notAsked:
      "░"
    }
  }
}

/// How long each reason held, in the order of the reasons; they sum to the shift.
func totals(of segments: [CoverageSegment]) -> [(reason: CoverageReason, span: TimeSpan)] {
  CoverageReason.allCases.compactMap { reason in
    let spans = segments.filter { $0.reason == reason }.map(\.interval.length)
    return spans.isEmpty ? nil : (reason, spans.reduce(.zero, +))
  }
}
