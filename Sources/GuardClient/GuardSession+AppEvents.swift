import GuardRules
import JSONText
import ShiftDomain

/// How sufficient the permission was by the phone's own decision: what a restoration is seen by.
struct Sufficiency: Hashable, Sendable {
  let verdict: Verdict
  let canLocate: Bool
  /// Before the first answer, a grant is no restoration.
  let wasAsked: Bool

  func isRestored(by later: Sufficiency) -> Bool {
    wasAsked && later.canLocate && (!canLocate || later.verdict < verdict)
  }
}

extension GuardSession {
  /// Notes what only the app can see: that its banner and the result of a clock-in are on the
  /// screen. What `ClockInFlow` shows is noted without it; an app with guidance of its own notes
  /// that too. Never fails: what cannot be stored is dropped.
  public func note(_ event: AppEvent) async {
    let now = clock.now()
    switch event {
    case .indicatorShown:
      // Shown again, it would only be seen later.
      guard let since = insufficientSince else { return }
      insufficientSince = nil
      let delay = now - since
      guard (TimeSpan.zero...TimeSpan.hours(24)).contains(delay) else { return }
      await record(.indicatorShown(after: delay), at: now)
    case .explanationShown: await record(.explanationShown, at: now)
    case .dialogAnswered(let left): await record(.dialogAnswered(left), at: now)
    case .settingsOpened: await record(.settingsOpened, at: now)
    case .answerShown(let id):
      guard id != shownAnswer, (1...64).contains(id.unicodeScalars.count) else { return }
      shownAnswer = id
      await record(.answerShown(id), at: now)
    }
  }

  /// Notes a step of the flow, which the app shows now.
  func note(_ step: ClockInStep) async {
    switch step {
    case .explanation: await note(.explanationShown)
    case .away(let action) where action.opensSettings: await note(.settingsOpened)
    case .check, .dialog, .notice, .away, .warning, .clockIn, .stopped: break
    }
  }

  /// Notes what a reading of the permission says.
  /// - Parameter opening: When the app was opened or became visible; `nil`: it was open before.
  func noteReading(_ permission: PlatformPermission, opening: Instant? = nil) async {
    let now = clock.now()
    let platform = settings.phone.platform
    let state = state(of: permission)
    let severities = memory.rules?.severities ?? settings.policy.severities
    let after = Sufficiency(
      verdict: Decision(findings(in: state, platform: platform), under: severities).verdict,
      canLocate: state.canLocate, wasAsked: state.authorization != .notDetermined)
    let before = memory.sufficiency
    if after != before {
      memory.sufficiency = after
      // Without it, only a measure is less exact.
      try? keepMemory()
    }
    if after.verdict == .allow {
      insufficientSince = nil
    } else if let opening {
      insufficientSince = opening
    } else if before?.verdict == .allow {
      insufficientSince = now
    }
    if let opening, after.verdict != .allow { await record(.permissionInsufficient, at: opening) }
    if before?.isRestored(by: after) == true {
      await record(.restored(state.authorization), at: now)
    }
  }

  func record(_ kind: RecordedAppEvent.Kind, at now: Instant) async {
    let event = RecordedAppEvent(kind: kind, recordedAt: now)
    let json = JSONValue.object(event.json(in: appSession)).bytes
    await sender.add(optional: .appEvent(json))
    wake()
  }
}

extension NoticeAction {
  fileprivate var opensSettings: Bool {
    switch self {
    case .openAppSettings, .openLocationSettings, .openNotificationSettings, .openBatterySettings:
      true
    case .contactAdministrator, .checkClock, .checkAgain, .sendFix, .goToSite, .waitUntil,
      .askManager, .turnOffMockLocation:
      false
    }
  }
}
