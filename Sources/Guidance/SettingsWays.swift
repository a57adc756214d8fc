import ShiftDomain

/// The paths through the settings of one device, as steps without texts.
struct SettingsWays {
  var allowWhenAsked: [Step]
  var allowInSettings: [Step]
  var switchServicesOn: [Step]
  var makePrecise: [Step]
  var exemptFromBatterySaving: [Step]
  var refreshInBackground: [Step]
  var endPowerSave: [Step]
  var allowNotifications: [Step]
  var setClock: [Step]
  var unlock: [Step]
  var stopSimulating: [Step]
  var keepRunning: [Step]
  var open: Step
  /// Installing a version whose reports we can read.
  var update: Step
  var goBack: Step

  init(of device: DeviceDescription) {
    switch device.platform {
    case .ios: self = .ios(major: device.osMajor)
    case .android: self = .android(major: device.osMajor, device.makerFamily)
    case .web: self = .web(WebBrowser(device))
    case .unknown: self = .unknown
    }
  }
}

extension SettingsWays {
  private init(
    allowWhenAsked: [Step], allowInSettings: [Step], switchServicesOn: [Step],
    makePrecise: [Step], exemptFromBatterySaving: [Step] = [.anyFindApp, .anyBattery],
    refreshInBackground: [Step] = [.anyFindApp, .anyBackground],
    endPowerSave: [Step] = [.anyPowerSave], allowNotifications: [Step], setClock: [Step],
    unlock: [Step] = [.whenUnlocked], stopSimulating: [Step] = [.stopSimulating],
    keepRunning: [Step] = [.leaveRunning], open: Step = .openShiftApp, update: Step = .updateApp,
    goBack: Step = .returnToApp
  ) {
    self.allowWhenAsked = allowWhenAsked
    self.allowInSettings = allowInSettings
    self.switchServicesOn = switchServicesOn
    self.makePrecise = makePrecise
    self.exemptFromBatterySaving = exemptFromBatterySaving
    self.refreshInBackground = refreshInBackground
    self.endPowerSave = endPowerSave
    self.allowNotifications = allowNotifications
    self.setClock = setClock
    self.unlock = unlock
    self.stopSimulating = stopSimulating
    self.keepRunning = keepRunning
    self.open = open
    self.update = update
    self.goBack = goBack
  }

  /// iOS and iPadOS; an unknown version is treated as a new one. iOS 16 renamed *Privacy*, and from
  /// iOS 18 on the app's page may be elsewhere: the path through Privacy is always named second.
  private static func ios(major: Int?) -> SettingsWays {
    let isOld = (major ?? .max) <= 15
    let byPrivacy: Step = isOld ? .iosAppPageByPrivacyOld : .iosAppPageByPrivacy
    return SettingsWays(
      allowWhenAsked: [.iosAllow, .iosChangeToAlways],
      allowInSettings: [.iosAppPage, byPrivacy, .iosChooseAlways],
      switchServicesOn: [isOld ? .iosServicesOld : .iosServices],
      // Before 14 there is no switch: what is missing, only the app can ask for.
      makePrecise: (major ?? .max) <= 13
        ? [.openShiftApp, .updateApp] : [.iosAppPage, byPrivacy, .iosPrecise],
      refreshInBackground: [.iosBackgroundRefresh],
      endPowerSave: [.iosLowPower],
      allowNotifications: [.iosNotifications],
      setClock: [.iosClock],
      unlock: [.iosScreenTime, .whenUnlocked])
  }

  /// Android; an unknown version is treated as a new one. Up to 9 a grant includes the background;
  /// 10 offers *Allow all the time* in the dialog; from 11 on only the app's page does.
  private static func android(major: Int?, _ maker: MakerFamily) -> SettingsWays {
    let major = major ?? .max
    let page: Step =
      switch maker {
      case .samsung: .samsungAppPage
      case .xiaomi: .xiaomiAppPage
      case .other: major >= 12 ? .androidAppPage : .androidAppPageOld
      }
    let dialog: [Step] =
      switch major {
      case ...9: [.androidAllow]
      case 10: [.androidAllowAllTheTime]
      default: [.androidAllowWhileUsing, .androidThenAllTheTime]
      }
    let battery = androidBattery(major: major, maker)
    return SettingsWays(
      allowWhenAsked: dialog,
      allowInSettings: [page, major <= 9 ? .androidChooseAllow : .androidChooseAllTheTime],
      switchServicesOn: [.androidServices],
      // Before 12 there is no switch: what is missing, only the app can ask for.
      makePrecise: major <= 11 ? [.openShiftApp, .updateApp] : [page, .androidPrecise],
      exemptFromBatterySaving: battery,
      endPowerSave: [.androidPowerSave],
      allowNotifications: [.androidNotifications],
      setClock: [.androidClock],
      stopSimulating: [.stopSimulating, .androidMock],
      keepRunning: [.leaveRunning] + battery)
  }

  /// Besides battery saving, Android 11 takes permissions from apps that were not used for a long
  /// time, and later versions pause them too.
  private static func androidBattery(major: Int, _ maker: MakerFamily) -> [Step] {
    let exemption: Step =
      switch maker {
      case .samsung: .samsungBattery
      case .xiaomi: .xiaomiBattery
      case .other: major >= 12 ? .androidBattery : .androidBatteryOld
      }
    return switch major {
    case ...10: [exemption]
    case 11: [exemption, .androidUnusedOld]
    default: [exemption, .androidUnused]
    }
  }

  /// A page: first its own permissions in the browser, then those of the browser in the system.
  private static func web(_ browser: WebBrowser) -> SettingsWays {
    let site: Step =
      switch (browser.name, browser.system) {
      case (_, .ios) where browser.isInstalled: .webInstalledAgain
      case _ where browser.isInstalled: .webInstalledSettings
      case (.safari, .ios): .webSafariSettings
      case (.firefox, .android): .webFirefoxSettings
      case (.samsung, .android): .webSamsungSettings
      case (.chrome, .android), (.chrome, .other): .webChromeSettings
      default: .webSiteSettings
      }
    // iOS 16 renamed *Privacy*; older versions have the general step.
    let system: Step =
      switch (browser.system, browser.name) {
      case (.android, _): .webSystemAndroid
      case (.ios, _) where (browser.systemMajor ?? .max) <= 15: .webSystemSettings
      case (.ios, .safari): .webSystemSafari
      case (.ios, _): .webSystemIOS
      case (.other, _): .webSystemSettings
      }
    let services: Step =
      switch browser.system {
      case .android: .androidServices
      case .ios: (browser.systemMajor ?? .max) <= 15 ? .iosServicesOld : .iosServices
      case .other: .anyServices
      }
    return SettingsWays(
      allowWhenAsked: [.webAllow], allowInSettings: [site, .webAllowLocation, system],
      switchServicesOn: [services], makePrecise: [.anyPrecise],
      allowNotifications: [site, .webAllowNotifications], setClock: [.anyClock],
      keepRunning: [.webKeepOpen], open: .webOpen, update: .webUpdate, goBack: .webReload)
  }

  private static let unknown = SettingsWays(
    allowWhenAsked: [.anyAllow],
    allowInSettings: [.anyFindApp, .anyAlways],
    switchServicesOn: [.anyServices],
    makePrecise: [.anyFindApp, .anyPrecise],
    allowNotifications: [.anyFindApp, .anyNotifications],
    setClock: [.anyClock])
}
