import ShiftDomain

/// A device's states in the order in which they held: by their numbers or, without one, after all
/// that had been received by then. Two reports are each dated by their own delay on the way, so the
/// later one may seem the older; as for incidents it holds from the one before at the earliest.
public func statesInOrder(_ reports: [ReceivedReport]) -> [ReportedState] {
  var states: [ReportedState] = []
  for report in inOrder(reports).map(\.report) {
    let since = max(report.effectiveAt, states.last?.since ?? report.effectiveAt)
    states.append(ReportedState(since: since, state: report.state))
  }
  return states
}

/// A device's reports laid out over a shift: when which impairment held.
///
/// A value that a report leaves unknown keeps the one before, as it does for incidents: `unknown`
/// neither begins nor ends an impairment.
struct StateTimeline {
  /// When each impairment held, by reason.
  private var held: [(reason: CoverageReason, time: IntervalSet)] = []
  /// When the phone could not be located whatever it tried; each interval is one such state.
  private(set) var cannotLocate = IntervalSet()
  /// When fixes were at risk: while in use, or reduced accuracy.
  private(set) var atRisk = IntervalSet()
  /// When the last impairment ended.
  private(set) var restorations: [Instant] = []

  /// The reasons a report can give, in the order of remedy.
  static let reasonsByRank: [CoverageReason] = [
    .restricted, .servicesOff, .denied, .notDetermined, .accuracyReduced, .whenInUse,
  ]

  init(_ states: [ReportedState], over shift: Interval) {
    var times: [[Interval]] = Array(repeating: [], count: Self.reasonsByRank.count)
    var known = PermissionState(authorization: .unknown)
    var wasImpaired = false
    for (index, reported) in states.enumerated() {
      known = reported.startsAnew ? reported.state : known.overlaid(by: reported.state)
      // What another report replaces in the same instant never held: it is only remembered.
      if index + 1 < states.count, states[index + 1].since == reported.since { continue }
      let reasons = known.impairments
      let end = index + 1 < states.count ? states[index + 1].since : shift.end
      for (place, reason) in Self.reasonsByRank.enumerated() where reasons.contains(reason) {
        times[place].append(Interval(from: reported.since, to: end))
      }
      if wasImpaired, reasons.isEmpty { restorations.append(reported.since) }
      wasImpaired = !reasons.isEmpty
    }
    held = zip(Self.reasonsByRank, times).map { ($0, IntervalSet($1)) }
    cannotLocate = union(of: [.restricted, .servicesOff, .denied, .notDetermined])
    atRisk = union(of: [.accuracyReduced, .whenInUse])
  }

  /// When `reason` held.
  func time(of reason: CoverageReason) -> IntervalSet {
    held.first { $0.reason == reason }?.time ?? IntervalSet()
  }

  private func union(of reasons: [CoverageReason]) -> IntervalSet {
    IntervalSet(reasons.flatMap { time(of: $0).intervals })
  }
}

extension PermissionState {
  /// This state with all that `newer` knows; what `newer` leaves unknown stays.
  func overlaid(by newer: PermissionState) -> PermissionState {
    var state = newer
    if newer.authorization == .unknown { state.authorization = authorization }
    if newer.services == .unknown { state.services = services }
    if newer.accuracy == .unknown { state.accuracy = accuracy }
    return state
  }

  fileprivate var impairments: [CoverageReason] {
    var reasons: [CoverageReason] = []
    switch authorization {
    case .restricted: reasons.append(.restricted)
    case .denied: reasons.append(.denied)
    case .notDetermined: reasons.append(.notDetermined)
    case .whenInUse: reasons.append(.whenInUse)
    case .always, .unknown: break
    }
    if services == .off { reasons.append(.servicesOff) }
    if accuracy == .reduced { reasons.append(.accuracyReduced) }
    return reasons
  }
}
