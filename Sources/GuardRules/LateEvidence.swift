public import ShiftDomain

// What a report says about the time before it: Android ends an app whose permission is revoked, so
// the phone falls silent and gives the reason only when the app starts again.

extension PermissionReport {
  /// The cause of a past silence, if this report explains it: while-in-use does not.
  public var silenceCause: IncidentKind? {
    state.worstLoss ?? (appExit?.cause == .userRequested ? .appTerminated : nil)
  }

  /// Since when its impairments hold: a revoked permission ended the app at once.
  var impairedSince: Instant {
    guard let appExit, appExit.cause == .permissionChange else { return countsFrom }
    return min(appExit.at, countsFrom)
  }

  /// This report without an app exit from before the last contact. Android reports the last exit
  /// repeatedly, and only in the first report after it is it new.
  func withoutOldExit(after current: PermissionReport?) -> PermissionReport {
    guard let appExit, let current, appExit.at <= current.effectiveAt else { return self }
    var report = self
    report.appExit = nil
    return report
  }
}

extension PermissionReport {
  /// Whether this report is older than `current`. Late means a lower sequence of the same
  /// installation or an earlier installation, never an older clock: a phone set back ten minutes
  /// must not hide a denial, nor may a sequence that starts again after a reinstall. Without
  /// sequences the order of receipt counts, and then nothing is late.
  public func isLate(after current: PermissionReport?) -> Bool {
    guard let current else { return false }
    guard installation == current.installation else { return installation < current.installation }
    guard let mine = sequence, let theirs = current.place else { return false }
    return mine < theirs
  }
}

extension PermissionReport {
  public func isHistory(after current: PermissionReport?, receivedAt: Instant) -> Bool {
    isLate(after: current) || receivedAt - effectiveAt > recordAgeMax
  }
}
