import GuardRules
import ShiftDomain

/// Coverage of one instant at a time, sentence by sentence as the rule has it: slow and plain.
struct CoverageOracle {
  private struct Span {
    var since: Instant
    var reasons: Set<CoverageReason>
    var cannotLocate: Bool { !reasons.isDisjoint(with: CoverageOracle.cannotLocate) }
  }

  private static let cannotLocate: Set<CoverageReason> = [
    .denied, .restricted, .notDetermined, .servicesOff,
  ]
  private static let byRank: [CoverageReason] = [
    .restricted, .servicesOff, .denied, .notDetermined, .accuracyReduced, .whenInUse,
  ]

  private let facts: CoverageFacts
  private let spans: [Span]
  private let entered: [Instant]
  private let restored: [Instant]
  private let begun: [Instant]

  init(_ facts: CoverageFacts) {
    self.facts = facts
    let spans = Self.spans(of: facts.states)
    self.spans = spans
    let before = [Span(since: Instant(milliseconds: .min), reasons: [])] + spans
    entered = zip(before, spans).filter { !$0.cannotLocate && $1.cannotLocate }.map { $1.since }
    restored = zip(before, spans).filter { !$0.reasons.isEmpty && $1.reasons.isEmpty }
      .map { $1.since }
    begun = [facts.shift.start] + facts.breaks.intervals.map { $0.end } + facts.takeOvers
  }

  /// Every instant at which something may begin or end, within the shift.
  var boundaries: [Instant] {
    let starts =
      facts.fixes + facts.contacts + begun + restored + entered + facts.states.map { $0.since }
    let intervals =
      facts.breaks.intervals + facts.outages.intervals + facts.inferred.map { $0.interval }
      + [facts.shift]
    let all =
      starts + starts.map { $0 + facts.fixAgeMax } + intervals.flatMap { [$0.start, $0.end] }
    return Set(all).filter { facts.shift.start <= $0 && $0 <= facts.shift.end }.sorted()
  }

  /// The reason at `instant`, and whether it is tracked at risk.
  func reason(at instant: Instant) -> (reason: CoverageReason, isAtRisk: Bool) {
    let force = spans.last { $0.since <= instant }?.reasons ?? []
    if facts.breaks.contains(instant) { return (.onBreak, false) }
    if isTracked(instant) {
      return (.tracked, !force.isDisjoint(with: [.whenInUse, .accuracyReduced]))
    }
    if let finding = Self.byRank.first(where: force.contains) { return (finding, false) }
    if let cause = facts.inferred.first(where: { $0.interval.holds(instant) }) {
      return (cause.reason, false)
    }
    if facts.outages.contains(instant) { return (.serviceUnavailable, false) }
    if isWaiting(instant, since: begun) { return (.waitingFirstFix, false) }
    if isWaiting(instant, since: restored) { return (.resuming, false) }
    let spoke = facts.contacts.contains { instant - facts.fixAgeMax < $0 && $0 <= instant }
    return (spoke ? .noFix : .noContact, false)
  }

  private func isTracked(_ instant: Instant) -> Bool {
    facts.fixes.contains { fix in
      facts.shift.holds(fix) && fix <= instant && instant < fix + facts.fixAgeMax
        && !entered.contains { fix <= $0 && $0 <= instant }
    }
  }

  private func isWaiting(_ instant: Instant, since starts: [Instant]) -> Bool {
    starts.contains { start in
      start <= instant && instant < start + facts.fixAgeMax
        && !facts.fixes.contains { start <= $0 && $0 <= instant }
    }
  }

  private static func spans(of states: [ReportedState]) -> [Span] {
    var (authorization, services) = (Authorization.unknown, Switch.unknown)
    var accuracy = LocationAccuracy.unknown
    return states.map { reported in
      if reported.state.authorization != .unknown { authorization = reported.state.authorization }
      if reported.state.services != .unknown { services = reported.state.services }
      if reported.state.accuracy != .unknown { accuracy = reported.state.accuracy }
      var reasons: Set<CoverageReason> = []
      let causes: [Authorization: CoverageReason] = [
        .denied: .denied, .restricted: .restricted, .notDetermined: .notDetermined,
        .whenInUse: .whenInUse,
      ]
      if let cause = causes[authorization] { reasons.insert(cause) }
      if services == .off { reasons.insert(.servicesOff) }
      if accuracy == .reduced { reasons.insert(.accuracyReduced) }
      return Span(since: reported.since, reasons: reasons)
    }
  }
}

extension Interval {
  fileprivate func holds(_ instant: Instant) -> Bool { start <= instant && instant < end }
}
