public import ShiftDomain

/// A message about a shift, for the app, a push or an e-mail. It holds nothing that may not stand
/// on a locked screen.
public struct NoticeText: Hashable, Sendable {
  /// At most 60 characters.
  public var title: String
  /// What it means for tracking, and when tracking stops: at most 240 characters.
  public var body: String
  /// What to do, in order; never empty.
  public var steps: [String]
  /// What pressing the message does.
  public var action: ActionCode
}

/// What to tell the employee about an incident during the shift.
/// - Parameters:
///   - kind: What holds now.
///   - report: The report that showed it, or `nil` if silence did.
///   - device: Which system's settings the steps lead through.
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

/// What to tell the employee when location went off and on three times in a short while: one
/// message instead of many.
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

/// What a message says, whatever its topic: to the employee, or to the managers of their team.
/// - Parameters:
///   - notice: The message.
///   - report: The newest report of the device.
///   - device: The employee's; which system's settings the steps lead through.
public func noticeText(
  for notice: Notice, report: PermissionState?, on device: DeviceDescription,
  in language: Language = .english
) -> NoticeText {
  let open = SettingsWays(of: device).open
  switch notice.topic {
  case .incident:
    // Without a kind all that is known is that something is missing.
    return noticeText(
      for: notice.kind ?? .noContact, report: report, on: device, in: language)
  case .unstable: return unstableNotice(on: device, in: language)
  case .restored:
    // What is left of several is told as it would be alone.
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

/// What to tell managers when a message reaches them: of one employee, or of several at once. Of an
/// interruption they learn that it lasts, not what is wrong with the phone.
/// - Parameters:
///   - notice: The message.
///   - several: Whether it is about several employees.
///   - isEmployeeTold: Whether the employee was notified by any way.
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
  /// Whether positions may still come while it lasts.
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

/// Managers are not tracked, so nothing is promised to them about tracking.
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

/// The remedy of the finding, as it reads outside the app. The shift is open and stays open, so
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
