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
    guard let appExit, appExit.cause == .permissionChange else { return effectiveAt }
    return min(appExit.at, effectiveAt)
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
/// process or, when that is not told, from the moment the silence began, to the report.
/// - Parameters:
///   - reports: The device's reports in a shift, in any order.
///   - signs: Effective times of its fixes, and receipts of whatever came from it, in any order.
///   - fixAgeMax: How long a fix speaks.
public func inferredCauses(
  _ reports: [ReceivedReport], signs: [Instant], fixAgeMax: TimeSpan
) -> [InferredCause] {
  var causes: [InferredCause] = []
  for received in reports {
    let report = received.report
    let isLate = reports.contains { other in
      other.receivedAt < received.receivedAt && report.isLate(after: other.report)
    }
    guard let kind = report.silenceCause(isLate: isLate), let reason = kind.coverageReason else {
      continue
    }
    let exit = report.appExit.flatMap { $0.cause == .other ? nil : $0.at }
    let lastSign = signs.filter { $0 < report.effectiveAt }.max()
    guard let start = exit ?? lastSign.map({ $0 + fixAgeMax }), start < report.effectiveAt else {
      continue
    }
    causes.append(
      InferredCause(interval: Interval(from: start, to: report.effectiveAt), reason: reason))
  }
  return causes
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
  /// Whether this report is older than `current`. Late means a lower sequence, never an older
  /// clock: a phone set back ten minutes must not hide a denial. Without sequences the order of
  /// receipt holds, and then nothing is late.
  public func isLate(after current: PermissionReport?) -> Bool {
    guard let mine = sequence, let theirs = current?.sequence else { return false }
    return mine < theirs
  }
}

/// The report of one upload that is the device's present: the one with the highest sequence or,
/// without sequences, with the newest time. The others are history, so that nobody is alarmed of a
/// denial that has healed already. `nil` of an empty upload.
public func newest(of upload: [PermissionReport]) -> PermissionReport? {
  upload.max { left, right in
    if let mine = left.sequence, let theirs = right.sequence { return mine < theirs }
    return left.effectiveAt < right.effectiveAt
  }
}
