extension IPhone {
  /// Performs `action`.
  /// - Returns: When the app learns of it: `locationManagerDidChangeAuthorization` is called at
  ///   every start, and otherwise only when CoreLocation's values have changed.
  package mutating func act(_ action: IPhoneAction) -> AppAwareness {
    let before = (status, hasFullAccuracy, servicesOn)
    guard happens(action) else { return .impossible }
    if action == .openApp { return .atOnce }
    if (status, hasFullAccuracy, servicesOn) == before { return .nothing }
    switch app {
    case .inFront: return .atOnce
    case .inBackground: return .perhaps
    case .ended: return .atNextStart
    }
  }

  /// Performs the action; `false` if the system ignores it.
  private mutating func happens(_ action: IPhoneAction) -> Bool {
    switch action {
    case .openApp, .leaveApp, .forceQuit, .systemEndsApp, .onceRunsOut, .backgroundFixArrives:
      return live(action)
    case .askWhenInUse, .askAlways, .askPreciseForNow, .deferredPromptAppears, .reminderAppears:
      return ask(action)
    case .answerOnce, .answerAllow, .answerRefuse:
      guard let dialog, let answered = Self.grant(after: action, to: dialog, from: grant)
      else { return false }
      if dialog == .upgrade || (dialog == .always && answered == .provisional) {
        hasAskedAlways = true
      }
      self.dialog = nil
      become(answered)
      return true
    case .settingsNever, .settingsAskNextTime, .settingsWhileUsing, .settingsAlways,
      .settingsPreciseOff, .settingsPreciseOn:
      return set(action)
    case .servicesOff, .servicesOn, .resetPrivacy, .restrict, .lift:
      return rule(action)
    }
  }

  /// The grant after a dialog's answer; `nil` if the dialog has no such button.
  static func grant(after answer: IPhoneAction, to dialog: Dialog, from grant: Grant) -> Grant? {
    switch (dialog, answer) {
    case (.whenInUse, .answerAllow): .whenInUse
    case (.always, .answerAllow): .provisional
    case (.whenInUse, .answerOnce), (.always, .answerOnce): .once
    case (.whenInUse, .answerRefuse), (.always, .answerRefuse): .denied
    case (.upgrade, .answerAllow), (.deferred, .answerAllow): .always
    case (.reminder, .answerAllow): grant
    case (.upgrade, .answerRefuse), (.deferred, .answerRefuse), (.reminder, .answerRefuse):
      .whenInUse
    default: nil
    }
  }

  private mutating func live(_ action: IPhoneAction) -> Bool {
    switch action {
    case .openApp:
      guard app != .inFront else { return false }
      app = .inFront
    case .leaveApp:
      guard app == .inFront else { return false }
      leave(for: .inBackground)
    case .forceQuit, .systemEndsApp:
      guard app != .ended else { return false }
      leave(for: .ended)
    case .onceRunsOut:
      guard grant == .once, app != .inFront else { return false }
      become(.notDetermined)
    default:
      // A provisional *Always* gives no background position: the second prompt comes instead.
      guard grant == .always, !isRestricted, servicesOn, app == .inBackground else { return false }
      hasBackgroundFix = true
    }
    return true
  }

  /// The app's own dialogs close with its screen; the system's dialogs stay.
  private mutating func leave(for life: AppLife) {
    app = life
    isPreciseForNow = false
    if dialog != .deferred, dialog != .reminder { dialog = nil }
  }

  private mutating func ask(_ action: IPhoneAction) -> Bool {
    guard dialog == nil, !isRestricted, servicesOn else { return false }
    switch (action, grant) {
    case (.deferredPromptAppears, .provisional): dialog = .deferred
    case (.reminderAppears, .always): dialog = .reminder
    case _ where app != .inFront: return false
    case (.askWhenInUse, .notDetermined): dialog = .whenInUse
    case (.askAlways, .notDetermined): dialog = .always
    case (.askAlways, .whenInUse) where !hasAskedAlways: dialog = .upgrade
    case (.askPreciseForNow, .once), (.askPreciseForNow, .whenInUse),
      (.askPreciseForNow, .provisional), (.askPreciseForNow, .always):
      guard !isPrecise, !isPreciseForNow else { return false }
      isPreciseForNow = true
    default: return false
    }
    return true
  }

  /// Settings are disabled under a restriction, and hidden while the services are off.
  private mutating func set(_ action: IPhoneAction) -> Bool {
    guard !isRestricted, servicesOn else { return false }
    switch action {
    case .settingsNever: return choose(.denied)
    case .settingsAskNextTime: return choose(.notDetermined)
    case .settingsWhileUsing: return choose(.whenInUse)
    case .settingsAlways: return choose(.always)
    case .settingsPreciseOff:
      guard isPrecise else { return false }
      isPrecise = false
      isPreciseForNow = false
    default:
      guard !isPrecise else { return false }
      isPrecise = true
    }
    return true
  }

  private mutating func choose(_ other: Grant) -> Bool {
    guard grant != other else { return false }
    dialog = nil
    become(other)
    return true
  }

  private mutating func rule(_ action: IPhoneAction) -> Bool {
    switch action {
    case .servicesOff:
      guard servicesOn else { return false }
      servicesOn = false
    case .servicesOn:
      guard !servicesOn else { return false }
      servicesOn = true
    case .restrict:
      guard !isRestricted else { return false }
      isRestricted = true
    case .lift:
      guard isRestricted else { return false }
      isRestricted = false
    default:
      guard !isRestricted else { return false }
      become(.notDetermined)
      hasAskedAlways = false
      isPrecise = true
    }
    dialog = nil
    return true
  }

  private mutating func become(_ other: Grant) {
    if other != .always { hasBackgroundFix = false }
    grant = other
  }
}
