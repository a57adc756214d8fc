import GuardRules
import ShiftDomain

extension World {
  /// Compares the tracking state by the state and the newest pings with that by the whole shift;
  /// now and then, as it takes long.
  mutating func presentObjection() -> String? {
    guard steps % 32 == 0, let shift = reference.shift, shift.startedAt <= now else { return nil }
    let probe = CoverageProbe(shift, until: now + .milliseconds(1), track, RulesUnderTest())
    let facts = probe.facts
    let expected = TrackingState(in: coverage(of: facts), at: now)
    let known = state.trackingState(
      in: facts.frame.withoutReports, newest: track.pings, at: now)
    guard let known else { return nil }
    caseCoverage.mark(.presentKnown)
    return known == expected
      ? nil : "the present is \(known.text) instead of \(expected.text)"
  }
}

extension GuardEvent {
  var isClockAction: Bool {
    switch self {
    case .clockIn, .takeOver: true
    default: false
    }
  }
}

extension CoverageFrame {
  fileprivate var withoutReports: CoverageFrame {
    var frame = self
    (frame.reports, frame.silences) = ([], [])
    return frame
  }
}

extension TrackingState {
  fileprivate var text: String { reason?.code ?? value.code }
}
