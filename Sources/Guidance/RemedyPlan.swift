import ShiftDomain

struct Circumstances {
  var found: FindingSet
  var severity: Severity
  var report: PermissionState?
  var device: DeviceDescription
  var needsAlways: Bool

  var grantPath: GrantPath { report?.grantPath ?? .unknown }
  var isBlocking: Bool { severity == .block }
  /// Whether no permission of a page would be enough to start the shift: a page never has *Always*.
  func needsMore(for finding: Finding) -> Bool {
    device.platform == .web && needsAlways && isBlocking
      && [.denied, .notDetermined, .whenInUse].contains(finding)
  }
}

struct RemedyPlan {
  var steps: [Step]
  var action: ActionCode

  init(_ steps: [Step], _ action: ActionCode) {
    self.steps = steps
    self.action = action
  }
}

/// Something to do, with a text in each language.
enum Step: UInt8, CaseIterable, Sendable {
  // Anywhere.
  case openShiftApp, returnToApp, checkAgain, updateApp, askManager
  case askAdministrator, whenUnlocked, ifNoQuestion, servicesFirst
  case sendPosition, viewOfSky, checkConnection, leaveRunning, stopSimulating, useShiftApp
  case goToSite, waitForShift, askAboutPlan

  // The shift itself.
  case clockOutWhenDone, endBreakWhenDone, confirmEnd, lookAtShift, askAboutShift
  case lookAtClockIn, reviewClockAction, callOrReplan, nothingToDo, clockInYourself
  case takeShiftBack

  // iOS.
  case iosAllow, iosChangeToAlways
  case iosAppPage, iosAppPageByPrivacy, iosAppPageByPrivacyOld, iosChooseAlways
  case iosServices, iosServicesOld, iosPrecise, iosScreenTime
  case iosBackgroundRefresh, iosLowPower, iosNotifications, iosClock

  // Android.
  case androidAllow, androidAllowAllTheTime, androidAllowWhileUsing, androidThenAllTheTime
  case androidAppPage, androidAppPageOld, samsungAppPage, xiaomiAppPage
  case androidChooseAllow, androidChooseAllTheTime
  case androidServices, androidPrecise
  case androidBattery, androidBatteryOld, samsungBattery, xiaomiBattery, androidUnused
  case androidUnusedOld
  case androidPowerSave, androidNotifications, androidClock, androidMock

  // A page in a browser.
  case webOpen, webUpdate, webReload, webKeepOpen
  case webAllow, webSiteSettings, webAllowLocation, webSystemSettings, webAllowNotifications
  case webChromeSettings, webSafariSettings, webFirefoxSettings, webSamsungSettings
  case webInstalledSettings, webInstalledAgain, webSystemAndroid, webSystemSafari, webSystemIOS

  // An unknown system.
  case anyAllow, anyFindApp, anyAlways, anyServices, anyPrecise, anyBattery, anyBackground
  case anyPowerSave, anyNotifications, anyClock
}

/// How to fix `finding`. If it blocks, the last step says who can help.
func plan(for finding: Finding, in circumstances: Circumstances) -> RemedyPlan {
  var plan = plan(for: finding, in: circumstances, SettingsWays(of: circumstances.device))
  if circumstances.isBlocking { plan.steps.append(.askManager) }
  plan.action = plan.action.possible(on: circumstances.device.platform)
  return plan
}

private func plan(
  for finding: Finding, in circumstances: Circumstances, _ ways: SettingsWays
) -> RemedyPlan {
  switch finding {
  case _ where circumstances.needsMore(for: finding), .cannotReport where circumstances.isBlocking:
    RemedyPlan([.useShiftApp], .contactAdministrator)
  case .restricted: planForAdministrator(ways)
  case .denied: planForDenied(circumstances, ways)
  case .notDetermined: planForNotDetermined(circumstances, ways)
  case .whenInUse: planForWhenInUse(circumstances, ways)
  case .servicesOff, .servicesUnknown:
    RemedyPlan(ways.switchServicesOn + [ways.goBack], .openLocationSettings)
  case .unreadable: RemedyPlan([ways.open, .checkAgain, ways.update], .sendReport)
  case .noReport, .staleReport:
    RemedyPlan([ways.open, .checkAgain, .checkConnection], .sendReport)
  case .cannotReport: RemedyPlan(ways.allowInSettings, .openAppSettings)
  case .cannotReportNoFix:
    RemedyPlan(
      [ways.open] + ways.switchServicesOn + ways.allowInSettings + [.sendPosition], .sendFix)
  case .accuracyReduced: RemedyPlan(ways.makePrecise + [ways.goBack], .openAppSettings)
  // Only the phone can ask; until then there is no button.
  case .alwaysUnproven: RemedyPlan([.iosChangeToAlways], .none)
  case .batteryOptimised: RemedyPlan(ways.exemptFromBatterySaving, .openBatterySettings)
  case .backgroundRefreshOff: RemedyPlan(ways.refreshInBackground, .openAppSettings)
  case .powerSave: RemedyPlan(ways.endPowerSave, .openBatterySettings)
  case .notificationsOff: RemedyPlan(ways.allowNotifications, .openNotificationSettings)
  case .clockWrong: RemedyPlan(ways.setClock, .checkClock)
  case .mockLocation: RemedyPlan(ways.stopSimulating + [ways.goBack], .turnOffMockLocation)
  case .siteUnknown: RemedyPlan([.viewOfSky, .sendPosition], .sendFix)
  case .offSite: RemedyPlan([.goToSite], .goToSite)
  case .notPlanned: RemedyPlan([.askAboutPlan], .askManager)
  case .tooEarly: RemedyPlan([.waitForShift], .waitUntil)
  }
}

/// First ask the administrator, then change the settings, which helps once the lock is removed.
private func planForAdministrator(_ ways: SettingsWays) -> RemedyPlan {
  RemedyPlan(
    [.askAdministrator] + ways.unlock + ways.allowInSettings + [ways.goBack],
    .contactAdministrator)
}

/// After a permanent denial the phone never asks again; if unknown, the text covers both cases.
private func planForDenied(_ circumstances: Circumstances, _ ways: SettingsWays) -> RemedyPlan {
  let settings = ways.allowInSettings + [ways.goBack]
  var plan: RemedyPlan =
    switch circumstances.grantPath {
    case .administrator: planForAdministrator(ways)
    // After a denial, iOS shows no dialog, whatever an app reports: the settings are offered too.
    case .prompt where circumstances.device.platform == .ios:
      RemedyPlan(ways.allowWhenAsked + [.ifNoQuestion] + settings, .requestPermission)
    case .prompt: RemedyPlan(ways.allowWhenAsked, .requestPermission)
    case .settings: RemedyPlan(settings, .openAppSettings)
    case .unknown:
      RemedyPlan(
        [ways.open] + ways.allowWhenAsked + [.ifNoQuestion] + settings, .openAppSettings)
    }
  // iOS also reports denied while location is off for the whole device.
  if circumstances.device.platform == .ios, circumstances.found.contains(.servicesOff) {
    plan.steps.insert(.servicesFirst, at: 0)
  }
  return plan
}

/// The app can show the dialog; if it does not appear, the settings remain.
private func planForNotDetermined(
  _ circumstances: Circumstances, _ ways: SettingsWays
) -> RemedyPlan {
  var steps = ways.allowWhenAsked
  if circumstances.grantPath != .prompt {
    steps += [.ifNoQuestion] + ways.allowInSettings + [ways.goBack]
  }
  return RemedyPlan(steps, .requestPermission)
}

/// From Android 11 on, the dialog cannot grant background access; a page never has it.
private func planForWhenInUse(
  _ circumstances: Circumstances, _ ways: SettingsWays
) -> RemedyPlan {
  let device = circumstances.device
  if device.platform == .web {
    return RemedyPlan([.webKeepOpen, .useShiftApp], .followSteps)
  }
  let dialogCanGrant =
    switch device.platform {
    case .ios: true
    case .android: device.osMajor.map { $0 <= 10 } ?? false
    case .web, .unknown: false
    }
  let settings = RemedyPlan(ways.allowInSettings + [ways.goBack], .openAppSettings)
  switch circumstances.grantPath {
  case .administrator: return planForAdministrator(ways)
  case .prompt where dialogCanGrant:
    let dialog: [Step] = device.platform == .ios ? [.iosChangeToAlways] : ways.allowWhenAsked
    return RemedyPlan(dialog + [.ifNoQuestion] + settings.steps, .requestPermission)
  case .prompt, .settings, .unknown: return settings
  }
}

func reason(
  for finding: Finding, in circumstances: Circumstances, _ texts: Catalogue
) -> String {
  let platform = circumstances.device.platform
  let phrase: Phrase? =
    switch finding {
    case _ where circumstances.needsMore(for: finding): .pageNotEnough
    case .denied
    where platform == .ios && circumstances.found.contains(.servicesOff):
      .deniedPerhapsByServices
    case .denied: circumstances.needsAlways ? .alwaysNeeded : nil
    case .notDetermined where circumstances.needsAlways: .alwaysNeeded
    case .notDetermined where platform == .web: .notDeterminedInBrowser
    case .whenInUse where platform == .ios:
      circumstances.needsAlways ? .whenInUseOnIOSNotEnough : .whenInUseOnIOS
    case .whenInUse where circumstances.needsAlways: .whenInUseNotEnough
    case .whenInUse where platform == .web: .whenInUseInBrowser
    case .cannotReport where circumstances.isBlocking: .cannotReportNotEnough
    default: nil
    }
  return phrase.map { texts.phrases[$0] } ?? texts.reasons[finding]
}
