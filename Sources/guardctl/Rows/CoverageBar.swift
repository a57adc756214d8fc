import GuardRules
import ShiftDomain

/// A shift drawn as one line of characters, each for an equal part of the shift. Each character
/// shows the reason that holds longest in its part.
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

  static let legend =
    "█ tracked   ▓ at risk   ▒ permission   ░ silent or without position   · break"

  private func sign(from start: Instant, to end: Instant) -> Character {
    var shares: [Character: Int64] = [:]
    for segment in segments {
      let common = min(segment.interval.end, end) - max(segment.interval.start, start)
      if common > .zero { shares[segment.sign, default: 0] += common.milliseconds }
    }
    // Ties go to the character that sorts last, so that the drawing is deterministic.
    let longest = shares.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    // A part of a very short shift may have no length: then show the reason at that moment.
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

/// How long each reason held, in the order of the reasons; the sum is the shift's length.
func totals(of segments: [CoverageSegment]) -> [(reason: CoverageReason, span: TimeSpan)] {
  CoverageReason.allCases.compactMap { reason in
    let spans = segments.filter { $0.reason == reason }.map(\.interval.length)
    return spans.isEmpty ? nil : (reason, spans.reduce(.zero, +))
  }
}
