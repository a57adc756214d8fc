public import ShiftDomain

/// The text of a notification about a shift, for the app, a push or an e-mail. It contains nothing
/// that must not appear on a locked screen.
public struct NoticeText: Hashable, Sendable {
  /// At most 60 characters.
  public var title: String
  /// What it means for tracking, and when tracking stops: at most 240 characters.
  public var body: String
  /// What to do, in order; never empty.
  public var steps: [String]
  /// What tapping the notification does.
  public var action: ActionCode
}

/// The text for the employee about an incident during the shift.
/// - Parameters:
///   - kind: The current kind of the incident.
///   - report: The report that showed it, or `nil` if the phone was silent.
///   - device: The device whose settings the steps describe.
public func noticeText(
  for kind: IncidentKind, report: PermissionState?, on device: DeviceDescription,
  in language: Language = .english
) -> NoticeText {
  let texts = catalogue(of: language)
  let plan = plan(for: kind, report: report, on: device)
  let body =
    kind == .whenInUse && device.platform == .ios
    ? texts.phrases[.noticeWhenInUseOnIOS] : texts.noticeBodies[kind]
  return NoticeText(
    title: texts.noticeTitles[kind], body: texts.closing(body),
    steps: plan.steps.map { texts.steps[$0] }, action: plan.action)
}

/// The text for the employee when location went off and on three times within ten minutes: one
/// notification instead of many.
public func unstableNotice(
  on device: DeviceDescription, in language: Language = .english
) -> NoticeText {
  let texts = catalogue(of: language)
  let ways = SettingsWays(of: device)
  return NoticeText(
    title: texts.phrases[.unstableTitle], body: texts.closing(texts.phrases[.unstable]),
    steps: ([ways.open] + ways.allowInSettings + [ways.goBack]).map { texts.steps[$0] },
    action: ActionCode.openAppSettings.possible(on: device.platform))
}

/// The text of a notification of any topic, for the employee or for the managers of their team.
/// - Parameters:
///   - notice: The notification.
///   - report: The newest report of the device.
///   - device: The employee's device, whose settings the steps describe.
public func noticeText(
  for notice: Notice, report: PermissionState?, on device: DeviceDescription,
  in language: Language = .english
) -> NoticeText {
  let open = SettingsWays(of: device).open
  switch notice.topic {
  case .incident:
    // Without a kind, all that is known is that something is wrong.
    return noticeText(
      for: notice.kind ?? .noContact, report: report, on: device, in: language)
  case .unstable: return unstableNotice(on: device, in: language)
  case .restored:
    // A remaining cause has the same text as if it were the only one.
    if let left = notice.kind {
      return noticeText(for: left, report: report, on: device, in: language)
    }
    return shiftNotice(.restoredTitle, .restored, [open], in: language)
  case .clockOutReminder:
    return shiftNotice(.reminderTitle, .reminder, [open, .clockOutWhenDone], in: language)
  case .endedAtLimit:
    return shiftNotice(.limitTitle, .limit, [open, .tellEnd], in: language)
  case .longBreak:
    return shiftNotice(.longBreakTitle, .longBreak, [open, .endBreakWhenDone], in: language)
  case .shiftCorrected:
    return shiftNotice(
      .correctedTitle, .corrected, [open, .lookAtShift, .askAboutShift], in: language)
  case .shiftOpened:
    return shiftNotice(.openedTitle, .opened, [open, .lookAtShift, .askAboutShift], in: language)
  case .clockInBlocked, .attemptForReview:
    return managersText(for: notice, isEmployeeTold: true, in: language)
  case .test: return shiftNotice(.testTitle, .test, [.nothingToDo], in: language)
  }
}

/// The text for managers, about one employee or several at once. They learn that an interruption
/// lasts, not what is wrong with the phone.
/// - Parameters:
///   - notice: The notification.
///   - several: Whether it is about several employees.
///   - isEmployeeTold: Whether the employee was notified on any channel.
public func managersText(
  for notice: Notice, several: Bool = false, isEmployeeTold: Bool,
  in language: Language = .english
) -> NoticeText {
  switch notice.topic {
  case .clockInBlocked, .attemptForReview:
    if several { return managersNotice(.severalTitle, [.severalBlocked], in: language) }
    return notice.topic == .clockInBlocked
      ? managersNotice(.blockedTitle, [.blocked], in: language)
      : managersNotice(.reviewTitle, [.review], in: language)
  case .test: return managersNotice(.testTitle, [.managersTest], [.nothingToDo], in: language)
  case .restored where notice.kind == nil:
    return managersNotice(.resumedTitle, [.resumed], [.lookAtShift], in: language)
  default:
    if several { return managersNotice(.severalTitle, [.several], [.lookAtShift], in: language) }
    let told: Phrase = isEmployeeTold ? .employeeTold : .employeeNotTold
    return notice.kind?.leavesPositions == true
      ? managersNotice(.atRiskTitle, [.atRisk, told], [.lookAtShift], in: language)
      : managersNotice(.interruptedTitle, [.interrupted, told], [.lookAtShift], in: language)
  }
}

extension IncidentKind {
  /// Whether positions may still arrive while it lasts.
  fileprivate var leavesPositions: Bool {
    switch self {
    case .whenInUse, .accuracyReduced, .mockLocation: true
    case .restricted, .denied, .notDetermined, .servicesOff, .noContact, .noFix, .appTerminated:
      false
    }
  }
}

private func shiftNotice(
  _ title: Phrase, _ body: Phrase, _ steps: [Step], in language: Language
) -> NoticeText {
  let texts = catalogue(of: language)
  return NoticeText(
    title: texts.phrases[title], body: texts.closing(texts.phrases[body]),
    steps: steps.map { texts.steps[$0] }, action: .openApp)
}

/// Managers are not tracked, so their texts promise nothing about tracking.
private func managersNotice(
  _ title: Phrase, _ body: [Phrase], _ steps: [Step] = [.lookAtTap, .settleTap],
  in language: Language
) -> NoticeText {
  let texts = catalogue(of: language)
  return NoticeText(
    title: texts.phrases[title], body: body.map { texts.phrases[$0] }.joined(separator: " "),
    steps: steps.map { texts.steps[$0] }, action: .followSteps)
}

private func plan(
  for kind: IncidentKind, report: PermissionState?, on device: DeviceDescription
) -> RemedyPlan {
  let ways = SettingsWays(of: device)
  if let finding = kind.finding { return plan(for: finding, report: report, on: device, ways) }
  return switch kind {
  case .noFix: RemedyPlan([ways.open, .viewOfSky] + ways.switchServicesOn, .sendFix)
  case .appTerminated: RemedyPlan([ways.open] + ways.keepRunning, .openApp)
  case .mockLocation: RemedyPlan(ways.stopSimulating + [ways.open], .followSteps)
  // No contact: the phone may be off, offline, or have paused the app.
  default: RemedyPlan([ways.open, .checkConnection] + ways.keepRunning, .openApp)
  }
}

/// The remedy of the finding, worded for use outside the app. The shift is open and stays open, so
/// nothing blocks here.
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
