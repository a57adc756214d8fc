import GuardRules
public import ShiftDomain

/// The way from the clock-in button to a clock-in: explanation, foreground dialog, background
/// dialog, settings, check again. Pure: it reads nothing and shows nothing, but says what is next.
/// What blocks and what warns is the policy's, by the same rules as on the server.
public struct ClockInFlow: Hashable, Sendable {
  public let policy: Policy
  public let platform: Platform
  /// The system's major version, such as 14; `nil` if unknown.
  public let systemVersion: Int?
  public private(set) var memory: ClockInMemory
  public private(set) var step: ClockInStep = .check
  /// What the place and the plan of the clock-in come to: to be set before the answer `checked`.
  public var found: FindingSet = []
  private var state = PermissionState(authorization: .unknown)
  /// The foreground dialogs of this run: a third would only annoy, as the settings always work.
  private var foregroundDialogs = 0

  private static let foregroundDialogsMax = 2

  /// A flow whose first step is `check`.
  /// - Parameter policy: The team's; until it is known, the preset that the app was set up with.
  public init(
    policy: Policy, platform: Platform, systemVersion: Int? = nil,
    memory: ClockInMemory = ClockInMemory()
  ) {
    self.policy = policy
    self.platform = platform
    self.systemVersion = systemVersion
    self.memory = memory
  }

  /// The decision on the last known state, and on `found`; a state that was never read is
  /// `unreadable`.
  public var decision: Decision {
    Decision(
      findings(in: state, platform: platform).union(found), under: policy.severities)
  }

  /// Takes an answer and returns the next step, which is also `step`.
  @discardableResult public mutating func take(_ answer: ClockInAnswer) -> ClockInStep {
    let before = step
    step = next(after: answer)
    guard step != before else { return step }
    switch step {
    case .dialog(.foreground): foregroundDialogs += 1
    // From now on, iOS shows this dialog no more.
    case .dialog(.background): memory.askedForBackground = true
    default: break
    }
    return step
  }

  private mutating func next(after answer: ClockInAnswer) -> ClockInStep {
    switch (step, answer) {
    case (.clockIn, _), (.stopped, _): step
    case (.check, .checked(let state)): decide(on: state)
    case (.dialog, .checked(let state)): decide(on: state)
    // The system often reports a dialog's result before the dialog has closed.
    case (.check, .changed), (.dialog, .changed): step
    case (_, .checked(let state)), (_, .changed(let state)):
      state == self.state ? step : decide(on: state)
    case (.warning(let decision), .cancel): .stopped(decision)
    case (_, .cancel): goOn()
    case (.warning(let decision), .proceed): clockIn(inSpiteOf: decision.warning)
    case (.warning(let decision), .fix): fix(decision)
    case (.explanation(let dialog), .proceed): .dialog(dialog)
    case (.notice(_, .checkAgain), .proceed), (.notice(_, .sendFix), .proceed): .check
    case (.notice(_, let action), .proceed): .away(action)
    case (.notice, .returned), (.away, .returned), (.explanation, .returned), (.warning, .returned):
      .check
    case (.check, _), (.dialog, _), (.away, _), (.notice, _), (.explanation, _), (.warning, _):
      step
    }
  }

  private mutating func decide(on state: PermissionState) -> ClockInStep {
    let wasAsked = step == .dialog(.foreground)
    self.state = state
    // Whatever was asked before, the system asks again.
    if state.authorization == .notDetermined { memory.askedForBackground = false }
    let decision = decision
    if let worst = decision.blocking.ranked.first { return guide(to: worst, isExplained: wasAsked) }
    if !decision.warning.isEmpty {
      if wasAsked, decision.warning.contains(.whenInUse), canAskForBackground {
        return .dialog(.background)
      }
      return decision.warning.isSubset(of: memory.acknowledged) ? ready : .warning(decision)
    }
    // Advice interrupts nobody, but where nothing is required, it may be offered once.
    if policy.preset.row.showsOncePerAppSession, !memory.wasGuided,
      let worst = decision.informing.ranked.first(where: \.cannotLocate)
    {
      memory.wasGuided = true
      return guide(to: worst, isExplained: false)
    }
    return ready
  }

  /// After the employee has left an explanation or a notice.
  private func goOn() -> ClockInStep {
    let decision = decision
    return switch decision.verdict {
    case .block: .stopped(decision)
    case .warn where !decision.warning.isSubset(of: memory.acknowledged): .warning(decision)
    case .warn, .allow: ready
    }
  }

  private mutating func clockIn(inSpiteOf findings: FindingSet) -> ClockInStep {
    memory.acknowledged.formUnion(findings)
    return ready
  }

  private func fix(_ decision: Decision) -> ClockInStep {
    decision.warning.ranked.first.map { guide(to: $0, isExplained: false) } ?? step
  }

  private var ready: ClockInStep {
    .clockIn(ReadyClockIn(state: state, decision: decision, canLocate: state.canLocate))
  }
}

// The ways to a permission.

extension ClockInFlow {
  /// What helps against `finding`.
  /// - Parameter isExplained: Whether an explanation was shown just now, before another dialog.
  private func guide(to finding: Finding, isExplained: Bool) -> ClockInStep {
    if state.grantPath == .administrator, finding.isAboutAuthorization {
      return .notice(finding, .contactAdministrator)
    }
    switch finding {
    case .notDetermined, .denied:
      return canAskForForeground
        ? .explanation(before: .foreground) : .notice(finding, .openAppSettings)
    case .whenInUse:
      guard canAskForBackground else { return .notice(finding, .openAppSettings) }
      return isExplained ? .dialog(.background) : .explanation(before: .background)
    case .restricted: return .notice(finding, .contactAdministrator)
    case .servicesOff, .servicesUnknown: return .notice(finding, .openLocationSettings)
    case .accuracyReduced, .backgroundRefreshOff, .alwaysUnproven:
      return .notice(finding, .openAppSettings)
    case .batteryOptimised, .powerSave: return .notice(finding, .openBatterySettings)
    case .notificationsOff: return .notice(finding, .openNotificationSettings)
    case .clockWrong: return .notice(finding, .checkClock)
    case .mockLocation: return .notice(finding, .turnOffMockLocation)
    case .siteUnknown: return .notice(finding, .sendFix)
    case .offSite: return .notice(finding, .goToSite)
    case .notPlanned: return .notice(finding, .askManager)
    case .tooEarly: return .notice(finding, .waitUntil)
    case .unreadable, .noReport, .staleReport, .cannotReport, .cannotReportNoFix:
      return .notice(finding, .checkAgain)
    }
  }

  /// Whether the system would show its first dialog. After a denial iOS never does; Android does
  /// once more, unless it says otherwise.
  private var canAskForForeground: Bool {
    guard foregroundDialogs < Self.foregroundDialogsMax else { return false }
    return switch state.authorization {
    case .notDetermined: true
    case .denied: state.grantPath == .prompt && platform != .ios
    case .unknown, .restricted, .whenInUse, .always: false
    }
  }

  /// Whether the system would show its second dialog. From Android 11 on, only its settings grant
  /// location at any time.
  private var canAskForBackground: Bool {
    guard !memory.askedForBackground else { return false }
    return switch platform {
    case .ios: true
    case .android: systemVersion.map { $0 <= 10 } ?? false
    case .web, .unknown: false
    }
  }
}

extension PermissionState {
  /// Whether positions can be had at all: granted, and not switched off for the whole device.
  var canLocate: Bool {
    (authorization == .whenInUse || authorization == .always) && services != .off
  }
}

extension Finding {
  /// Whether no position can be had while it lasts.
  fileprivate var cannotLocate: Bool {
    IncidentKind.allCases.contains { $0.finding == self && $0.cannotLocate }
  }

  fileprivate var isAboutAuthorization: Bool {
    IncidentKind.allCases.contains { $0.finding == self && $0.dimension == .authorization }
  }
}
