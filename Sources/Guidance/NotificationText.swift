import ShiftDomain

/// The text of a notification about a shift, with nothing that a locked screen must not show.
package struct NotificationText: Hashable, Sendable {
  /// At most 60 characters.
  package var title: String
  /// What it means for tracking, and when tracking stops: at most 240 characters.
  package var body: String
  package var steps: [String]
  package var action: ActionCode
}

extension NotificationText {
  /// The same in the app of `device`, which need not be opened any more.
  package func inOpenApp(
    of device: DeviceDescription, in language: Language
  ) -> NotificationText {
    let texts = catalogue(of: language)
    let open = SettingsWays(of: device).open
    var text = self
    text.steps.removeAll { $0 == texts.steps[open] || $0 == texts.step(open, on: device) }
    return text
  }
}

/// For the employee, about an incident. `report` showed it; `nil`: the phone was silent.
package func notificationText(
  for kind: IncidentKind, report: PermissionState?, on device: DeviceDescription,
  in language: Language = .english
) -> NotificationText {
  let texts = catalogue(of: language)
  let plan = plan(for: kind, report: report, on: device)
  let body =
    switch (kind, device.platform) {
    case (.whenInUse, .ios): texts.phrases[.notificationWhenInUseOnIOS]
    case (.whenInUse, .web):
      texts.phrases[.whenInUseInBrowser] + " " + texts.phrases[.goesOnWithGaps]
    default: texts.notificationBodies[kind]
    }
  return NotificationText(
    title: texts.notificationTitles[kind], body: texts.closing(body),
    steps: plan.steps.map { texts.step($0, on: device) }, action: plan.action)
}

/// Tracking has resumed, within the limit that `kind` sets; `nil`: none.
private func resumedNotification(
  leaving kind: IncidentKind?, report: PermissionState?, on device: DeviceDescription,
  in language: Language
) -> NotificationText {
  guard let kind, let finding = kind.finding else {
    return shiftNotification(
      .restoredTitle, .restored, [SettingsWays(of: device).open], in: language)
  }
  let texts = catalogue(of: language)
  var text = notificationText(for: kind, report: report, on: device, in: language)
  let limit =
    kind == .whenInUse && device.platform == .web
    ? texts.phrases[.whenInUseInBrowser] : texts.reasons[finding]
  text.title = texts.phrases[.restoredTitle]
  text.body = texts.closing(texts.phrases[.trackedAgain] + " " + limit)
  return text
}

/// When location went off and on three times within ten minutes: one notification for all.
package func unstableNotification(
  on device: DeviceDescription, in language: Language = .english
) -> NotificationText {
  let texts = catalogue(of: language)
  let ways = SettingsWays(of: device)
  return NotificationText(
    title: texts.phrases[.unstableTitle], body: texts.closing(texts.phrases[.unstable]),
    steps: ([ways.open] + ways.allowInSettings + [ways.goBack]).map { texts.step($0, on: device) },
    action: ActionCode.openAppSettings.possible(on: device.platform))
}

/// For the employee or the managers of their team. `report` is the newest of the device.
package func notificationText(
  for notification: ShiftNotification, report: PermissionState?, on device: DeviceDescription,
  in language: Language = .english
) -> NotificationText {
  let open = SettingsWays(of: device).open
  let look = [open, .lookAtShift, .askAboutShift]
  switch notification.topic {
  case .incident,
    .restored where notification.presentedTopic == .incident:
    // Without a kind, all that is known is that something is wrong.
    return notificationText(
      for: notification.kind ?? .noContact, report: report, on: device, in: language)
  case .unstable: return unstableNotification(on: device, in: language)
  case .restored:
    return resumedNotification(
      leaving: notification.kind, report: report, on: device, in: language)
  case .clockOutReminder:
    return shiftNotification(.reminderTitle, .reminder, [open, .clockOutWhenDone], in: language)
  case .endedAtLimit:
    return shiftNotification(.limitTitle, .limit, [open, .confirmEnd], in: language)
  case .longBreak:
    return shiftNotification(.longBreakTitle, .longBreak, [open, .endBreakWhenDone], in: language)
  case .pageHidden: return shiftNotification(.pageHiddenTitle, .pageHidden, [open], in: language)
  case .away: return shiftNotification(.awayTitle, .away, [open, .clockOutWhenDone], in: language)
  case .shiftCorrected: return shiftNotification(.correctedTitle, .corrected, look, in: language)
  case .shiftAdded: return shiftNotification(.addedTitle, .added, look, in: language)
  case .timesAccepted:
    return shiftNotification(.keptTitle, .kept, [open, .askAboutShift], in: language)
  case .shiftOpened where notification.opening == .manager:
    return shiftNotification(.toConfirmTitle, .openedByManager, [open], in: language)
  case .shiftOpened where notification.opening == .plan:
    return shiftNotification(.toConfirmTitle, .openedByPlan, [open], in: language)
  case .shiftOpened: return shiftNotification(.openedTitle, .opened, look, in: language)
  case .clockInBlocked, .clockActionForReview, .late, .noShow, .weeklyDigest:
    return managersText(for: notification, isEmployeeNotified: true, in: language)
  case .arrivalBlocked:
    let steps = notification.kind.map { plan(for: $0, report: report, on: device).steps } ?? []
    return shiftNotification(
      .notBegunTitle, .notBegun, steps + [.clockInYourself], in: language)
  case .clockInAllowed: return shiftNotification(.allowedTitle, .allowed, [open], in: language)
  case .appTookOver:
    return shiftNotification(
      .tookOverTitle, .tookOver, [.takeShiftBack], action: .takeOver, in: language)
  case .newer: return shiftNotification(.newsTitle, .news, [open], in: language)
  case .test: return shiftNotification(.testTitle, .test, [.nothingToDo], in: language)
  }
}

/// The text for managers, about one employee or several at once. They learn that an interruption
/// lasts, not what is wrong with the phone. `isEmployeeNotified`: on any channel.
package func managersText(
  for notification: ShiftNotification, several: Bool = false, isEmployeeNotified: Bool,
  in language: Language = .english
) -> NotificationText {
  let texts = catalogue(of: language)
  // Managers are not tracked, so their texts promise nothing about tracking.
  func text(
    _ title: Phrase, _ body: [Phrase], _ steps: [Step], several group: Phrase? = nil
  ) -> NotificationText {
    var (title, body) = (title, body)
    if several, let group { (title, body) = (.severalTitle, [group]) }
    return NotificationText(
      title: texts.phrases[title], body: body.map { texts.phrases[$0] }.joined(separator: " "),
      steps: steps.map { texts.steps[$0] }, action: .followSteps)
  }
  let review: [Step] = [.lookAtClockIn, .reviewClockAction]
  let look: [Step] = [.lookAtShift]
  switch notification.topic {
  case .clockInBlocked: return text(.blockedTitle, [.blocked], review, several: .severalBlocked)
  case .clockActionForReview:
    return text(.reviewTitle, [.review], review, several: .severalBlocked)
  case .late: return text(.lateTitle, [.late], [.callOrReplan], several: .severalLate)
  case .noShow: return text(.noShowTitle, [.noShow], [.callOrReplan], several: .severalNoShow)
  case .away: return text(.awayFromSiteTitle, [.awayFromSite], look, several: .severalAway)
  case .endedAtLimit:
    return text(.endedByItselfTitle, [.endedByItself], look, several: .severalEnded)
  case .test: return text(.testTitle, [.managersTest], [.nothingToDo])
  case .weeklyDigest: return text(.digestTitle, [.digest], [.nothingToDo])
  case .restored where notification.presentedTopic == .restored:
    return text(.resumedTitle, [notification.kind == nil ? .resumed : .atRisk], look)
  default:
    let notified: Phrase = isEmployeeNotified ? .employeeNotified : .employeeNotNotified
    return notification.kind?.leavesPositions == true
      ? text(.atRiskTitle, [.atRisk, notified], look, several: .several)
      : text(.interruptedTitle, [.interrupted, notified], look, several: .several)
  }
}

private func shiftNotification(
  _ title: Phrase, _ body: Phrase, _ steps: [Step], action: ActionCode = .openApp,
  in language: Language
) -> NotificationText {
  let texts = catalogue(of: language)
  return NotificationText(
    title: texts.phrases[title], body: texts.closing(texts.phrases[body]),
    steps: steps.map { texts.steps[$0] }, action: action)
}

private func plan(
  for kind: IncidentKind, report: PermissionState?, on device: DeviceDescription
) -> RemedyPlan {
  let ways = SettingsWays(of: device)
  if let finding = kind.finding { return plan(for: finding, report: report, on: device, ways) }
  return switch kind {
  case .noFix: RemedyPlan([ways.open, .viewOfSky] + ways.switchServicesOn, .sendFix)
  case .appTerminated: RemedyPlan([ways.open] + ways.keepRunning, .openApp)
  // No contact: the phone may be off, offline, or have paused the app.
  default: RemedyPlan([ways.open, .checkConnection] + ways.keepRunning, .openApp)
  }
}

/// The finding's remedy outside the app. The shift stays open, so nothing blocks here.
private func plan(
  for finding: Finding, report: PermissionState?, on device: DeviceDescription,
  _ ways: SettingsWays
) -> RemedyPlan {
  var found = FindingSet(finding)
  if report?.services == .off { found.insert(.servicesOff) }
  var plan = plan(
    for: finding,
    in: Circumstances(
      found: found, severity: .warn, report: report, device: device, needsAlways: false))
  if plan.action == .requestPermission { plan.steps.insert(ways.open, at: 0) }
  return plan
}
