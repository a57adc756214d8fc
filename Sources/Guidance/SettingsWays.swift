import ShiftDomain

/// The ways through one device, as steps still without words.
struct SettingsWays {
  /// Answering the system's dialog.
  var allowWhenAsked: [Step]
  /// Granting the lasting permission in the settings.
  var allowInSettings: [Step]
  /// Switching the device's location on.
  var switchServicesOn: [Step]
  /// Letting positions be exact.
  var makePrecise: [Step]
  /// Exempting the app from battery saving.
  var exemptFromBatterySaving: [Step]
  /// Letting the app refresh in the background.
  var refreshInBackground: [Step]
  /// Ending the device's power saving.
  var endPowerSave: [Step]
  /// Letting the app notify.
  var allowNotifications: [Step]
  /// Setting the clock right.
  var setClock: [Step]
  /// Leaving what locks location.
  var unlock: [Step]
  /// Leaving what makes positions up.
  var stopSimulating: [Step]
  /// Keeping the app alive in the background.
  var keepRunning: [Step]
  /// Where every repair begins.
  var open: Step
  /// Getting a version that we understand.
  var update: Step
  /// What ends a walk through the settings.
  var goBack: Step

  /// The ways through `device`.
  init(of device: DeviceDescription) {
    switch device.platform {
    case .ios: self = .ios(major: device.osMajor)
    case .android: self = .android(major: device.osMajor, device.makerFamily)
    case .web: self = .web
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

  /// iOS and iPadOS; an unknown version is taken for a new one.
  ///
  /// - Source: iOS 16 renamed *Privacy* to *Privacy & Security*. From iOS 18 on the app's page may
  ///   stand elsewhere, so the way by privacy is always named second.
  private static func ios(major: Int?) -> SettingsWays {
    let isOld = (major ?? .max) <= 15
    let byPrivacy: Step = isOld ? .iosAppPageByPrivacyOld : .iosAppPageByPrivacy
    return SettingsWays(
      allowWhenAsked: [.iosAllow, .iosChangeToAlways],
      allowInSettings: [.iosAppPage, byPrivacy, .iosChooseAlways],
      switchServicesOn: [isOld ? .iosServicesOld : .iosServices],
      makePrecise: [.iosAppPage, byPrivacy, .iosPrecise],
      refreshInBackground: [.iosBackgroundRefresh],
      endPowerSave: [.iosLowPower],
      allowNotifications: [.iosNotifications],
      setClock: [.iosClock],
      unlock: [.iosScreenTime, .whenUnlocked])
  }

  /// Android; an unknown version is taken for a new one.
  ///
  /// - Source: up to Android 9 a grant includes the background; 10 offers *Allow all the time* in
  ///   the dialog; from 11 on only the app's page does.
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
      makePrecise: [page, .androidPrecise],
      exemptFromBatterySaving: battery,
      endPowerSave: [.androidPowerSave],
      allowNotifications: [.androidNotifications],
      setClock: [.androidClock],
      stopSimulating: [.stopSimulating, .androidMock],
      keepRunning: [.leaveRunning] + battery)
  }

  /// Beside the exemption, Android 12 and later put apps to sleep that were long unused.
  private static func androidBattery(major: Int, _ maker: MakerFamily) -> [Step] {
    let exemption: Step =
      switch maker {
      case .samsung: .samsungBattery
      case .xiaomi: .xiaomiBattery
      case .other: major >= 12 ? .androidBattery : .androidBatteryOld
      }
    return major >= 12 ? [exemption, .androidUnused] : [exemption]
  }

  private static let web = SettingsWays(
    allowWhenAsked: [.webAllow],
    allowInSettings: [.webSiteSettings, .webAllowLocation],
    switchServicesOn: [.anyServices],
    makePrecise: [.anyPrecise],
    allowNotifications: [.webSiteSettings, .webAllowNotifications],
    setClock: [.anyClock],
    keepRunning: [.webKeepOpen], open: .webOpen, update: .webUpdate, goBack: .webReload)

  private static let unknown = SettingsWays(
    allowWhenAsked: [.anyAllow],
    allowInSettings: [.anyFindApp, .anyAlways],
    switchServicesOn: [.anyServices],
    makePrecise: [.anyFindApp, .anyPrecise],
    allowNotifications: [.anyFindApp, .anyNotifications],
    setClock: [.anyClock])
}
