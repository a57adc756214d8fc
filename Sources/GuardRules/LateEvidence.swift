public import ShiftDomain

// What a report tells of the time before it: Android ends an app whose permission is taken away, so
// the phone falls silent and says why only when it starts again.

extension PermissionReport {
  /// What a past silence was, as this report explains it; `nil` when it explains none. The end of
  /// the app's process does at any time, an impairment when the report comes late.
  func silenceCause(isLate: Bool) -> IncidentKind? {
    switch appExit?.cause {
    case .userRequested: .appTerminated
    case .permissionChange: state.worstImpairment
    case .other, nil: isLate ? state.worstImpairment : nil
    }
  }

  /// Since when its impairments hold: a permission taken away ended the app at once.
  var impairedSince: Instant {
    guard let appExit, appExit.cause == .permissionChange else { return countsFrom }
    return min(appExit.at, countsFrom)
  }

  /// This report without the end of an app that has spoken since. Android tells its last one again
  /// and again, and only the first report after it knows something new.
  func withoutOldExit(after current: PermissionReport?) -> PermissionReport {
    guard let appExit, let current, appExit.at <= current.effectiveAt else { return self }
    var report = self
    report.appExit = nil
    return report
  }
}

extension PermissionState {
  /// The impairment that comes first in the order of remedy.
  var worstImpairment: IncidentKind? {
    var worst: IncidentKind?
    for dimension in Dimension.reported {
      guard case .impaired(let kind) = reading(of: dimension), let rank = kind.finding?.rank
      else { continue }
      if let known = worst?.finding?.rank, known < rank { continue }
      worst = kind
    }
    return worst
  }
}

/// The causes of past silences that the reports of one device explain: from the end of the app's
/// process to its next sign of life or, when no end is told, from the moment the silence began to
/// the report.
/// - Parameters:
///   - reports: The device's reports in a shift, in any order.
///   - signs: Effective times of its fixes, and receipts of whatever came from it, in any order.
///   - fixAgeMax: How long a fix speaks.
public func inferredCauses(
  _ reports: [ReceivedReport], signs: @autoclosure () -> [Instant], fixAgeMax: TimeSpan
) -> [InferredCause] {
  let explaining = explanations(in: reports)
  // Hardly ever is there one, and gathering and sorting would be most of the work.
  guard !explaining.isEmpty else { return [] }
  let signs = signs().sorted()
  let life = (signs + reports.map { $0.report.effectiveAt }).sorted()
  return explaining.compactMap { report, reason in
    let silence: Interval
    if let exit = report.appExit, exit.cause != .other {
      let next = life[life.firstIndex(from: exit.at + .milliseconds(1))...].first
      silence = Interval(from: exit.at, to: min(next ?? report.effectiveAt, report.effectiveAt))
    } else {
      let before = signs.firstIndex(from: report.effectiveAt)
      guard before > 0 else { return nil }
      silence = Interval(from: signs[before - 1] + fixAgeMax, to: report.effectiveAt)
    }
    return silence.start < silence.end ? InferredCause(interval: silence, reason: reason) : nil
  }
}

/// The instants around which `inferredCauses` looks for signs of life.
func silenceProbes(of reports: [ReceivedReport]) -> [Instant] {
  explanations(in: reports).map { report, _ in
    guard let exit = report.appExit, exit.cause != .other else { return report.effectiveAt }
    return exit.at + .milliseconds(1)
  }
}

/// The reports that explain a silence before them, and what it was, in the order of receipt.
private func explanations(
  in reports: [ReceivedReport]
) -> [(report: PermissionReport, reason: CoverageReason)] {
  var explaining: [(report: PermissionReport, reason: CoverageReason)] = []
  // The highest numbers among those received before this one, and together with it.
  var (before, together) = (Int64.min, Int64.min)
  var receivedAt = Instant(milliseconds: .min)
  for received in reports.sorted(by: { $0.receivedAt < $1.receivedAt }) {
    let sequence = received.report.sequence
    if received.receivedAt > receivedAt { before = together }
    receivedAt = received.receivedAt
    together = max(together, sequence ?? .min)
    let isLate = sequence.map { $0 < before } ?? false
    if let reason = received.report.silenceCause(isLate: isLate)?.coverageReason {
      explaining.append((received.report, reason))
    }
  }
  return explaining
}

extension IncidentKind {
  /// The reason it gives to time that was not tracked.
  var coverageReason: CoverageReason? {
    switch self {
    case .restricted: .restricted
    case .denied: .denied
    case .notDetermined: .notDetermined
    case .whenInUse: .whenInUse
    case .servicesOff: .servicesOff
    case .accuracyReduced: .accuracyReduced
    case .appTerminated: .appTerminated
    case .noContact, .noFix, .mockLocation: nil
    }
  }
}

extension PermissionReport {
  /// Whether this report is older than `current`. Late means a lower sequence of the same
  /// installation or an earlier installation, never an older clock: a phone set back ten minutes
  /// must not hide a denial, nor may a sequence that starts again after a reinstall. Without
  /// sequences the order of receipt holds, and then nothing is late.
  public func isLate(after current: PermissionReport?) -> Bool {
    guard let current else { return false }
    guard installation == current.installation else { return installation < current.installation }
    guard let mine = sequence, let theirs = current.place else { return false }
    return mine < theirs
  }
}

extension PermissionReport {
  /// Whether this report is no news of the present: it is late, or too old to be taken for it.
  public func isHistory(after current: PermissionReport?, receivedAt: Instant) -> Bool {
    isLate(after: current) || receivedAt - effectiveAt > recordAgeMax
  }
}
