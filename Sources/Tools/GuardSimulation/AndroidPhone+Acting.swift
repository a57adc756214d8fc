extension AndroidPhone {
  /// Performs `action`.
  /// - Returns: When the app learns of it. Revoking a permission ends the process, so the app
  ///   learns of it at its next start; the location switch is broadcast to running apps.
  package mutating func act(_ action: AndroidAction) -> AppAwareness {
    let (grantBefore, locationBefore) = (given, locationOn)
    guard happens(action) else { return .impossible }
    if action == .openApp { return .atOnce }
    let isRegranted = given != grantBefore
    let isSwitched = locationOn != locationBefore
    if app == .ended { return isRegranted || isSwitched ? .atNextStart : .nothing }
    if isSwitched || action == .serviceRestarts { return .atOnce }
    if !isRegranted { return .nothing }
    // The system does not report a greater grant: the app sees it by the dialog or in front.
    return app == .inFront ? .atOnce : .perhaps
  }

  private struct Given: Hashable {
    var grant: Grant
    var isPrecise: Bool
  }

  private var given: Given { Given(grant: grant, isPrecise: isPrecise) }

  /// Performs the action; `false` if the system ignores it.
  private mutating func happens(_ action: AndroidAction) -> Bool {
    switch action {
    case .openApp, .leaveApp, .swipeAway, .systemEndsApp, .startService, .serviceRestarts:
      return live(action)
    case .askForeground, .askBackground:
      return ask(action)
    case .answerWhileUsing, .answerApproximate, .answerOnce, .answerAllTheTime, .answerDeny,
      .answerDenyForGood, .dismissDialog:
      guard let dialog else { return false }
      return dialog == .foreground ? answerForeground(action) : answerBackground(action)
    case .settingsAllTheTime, .settingsWhileUsing, .settingsAskEveryTime, .settingsDeny,
      .settingsPreciseOff, .settingsPreciseOn:
      return set(action)
    case .locationOff:
      guard locationOn else { return false }
      locationOn = false
    case .locationOn:
      guard !locationOn else { return false }
      locationOn = true
    case .onceRunsOut:
      // A service that started while the app was on the screen keeps the grant.
      guard grant == .once, app != .inFront, !serviceRuns else { return false }
      become(.none)
    case .hibernate:
      guard apiLevel >= 23, app == .ended, !isHibernated else { return false }
      isHibernated = true
      become(.none)
    }
    return true
  }

  private mutating func live(_ action: AndroidAction) -> Bool {
    switch action {
    case .openApp:
      guard app != .inFront else { return false }
      app = .inFront
      isHibernated = false
      wasKilledByChange = false
    case .leaveApp:
      guard app == .inFront else { return false }
      app = .inBackground
      dialog = nil
    case .swipeAway:
      guard app != .ended else { return false }
      app = serviceRuns ? .inBackground : .ended
      dialog = nil
    case .systemEndsApp:
      guard app != .ended else { return false }
      end()
    case .startService:
      // In the background, a location service may start only with the background permission.
      guard app != .ended, !serviceRuns, grant != .none,
        app == .inFront || apiLevel < 31 || grant == .always
      else { return false }
      serviceRuns = true
    default:
      guard app == .ended, !isHibernated, grant == .always || (apiLevel < 34 && grant != .none)
      else { return false }
      app = .inBackground
      serviceRuns = true
      wasKilledByChange = false
    }
    return true
  }

  private mutating func ask(_ action: AndroidAction) -> Bool {
    guard app == .inFront, dialog == nil, apiLevel >= 23 else { return false }
    switch (action, grant) {
    case (.askForeground, .none):
      hasAsked = true
      // Refused permanently: the call returns at once, and no dialog is shown.
      guard refusals < 2 else { return false }
      dialog = .foreground
    case (.askBackground, .once), (.askBackground, .foreground):
      guard apiLevel == 29 else { return false }
      dialog = .background
    default: return false
    }
    return true
  }

  private mutating func answerForeground(_ action: AndroidAction) -> Bool {
    switch action {
    case .answerWhileUsing: become(apiLevel < 29 ? .always : .foreground, precise: true)
    case .answerAllTheTime where apiLevel == 29: become(.always, precise: true)
    case .answerApproximate where apiLevel >= 31: become(.foreground, precise: false)
    case .answerOnce where apiLevel >= 30: become(.once, precise: true)
    // From API level 30 on, the second refusal is permanent; before, a box had to be ticked.
    case .answerDeny: refusals = apiLevel >= 30 ? refusals + 1 : 1
    case .answerDenyForGood where apiLevel < 30 && refusals > 0: refusals = 2
    case .dismissDialog: break
    default: return false
    }
    dialog = nil
    return true
  }

  private mutating func answerBackground(_ action: AndroidAction) -> Bool {
    switch action {
    case .answerAllTheTime: become(.always)
    case .answerWhileUsing, .dismissDialog: break
    default: return false
    }
    dialog = nil
    return true
  }

  private mutating func set(_ action: AndroidAction) -> Bool {
    guard apiLevel >= 23 else { return false }
    switch action {
    case .settingsAllTheTime where apiLevel >= 29: return choose(.always)
    case .settingsWhileUsing: return choose(apiLevel < 29 ? .always : .foreground)
    case .settingsAskEveryTime where apiLevel >= 30: return choose(.none)
    case .settingsDeny:
      guard choose(.none) else { return false }
      refusals = 1
    case .settingsPreciseOff where apiLevel >= 31 && grant != .none && isPrecise:
      isPrecise = false
      end(byChange: true)
    case .settingsPreciseOn where grant != .none && !isPrecise:
      isPrecise = true
    default: return false
    }
    return true
  }

  private mutating func choose(_ other: Grant) -> Bool {
    guard grant != other else { return false }
    dialog = nil
    become(other)
    return true
  }

  /// Reducing a grant ends the process; extending it does not.
  private mutating func become(_ other: Grant, precise: Bool? = nil) {
    let isTaken = other.rawValue < grant.rawValue
    grant = other
    if other == .none { isPrecise = true } else { refusals = 0 }
    if let precise { isPrecise = precise }
    if isTaken { end(byChange: true) }
  }

  private mutating func end(byChange: Bool = false) {
    if byChange, app != .ended { wasKilledByChange = true }
    app = .ended
    serviceRuns = false
    dialog = nil
  }
}
