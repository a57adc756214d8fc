import ShiftDomain

/// What the client does when a button is pressed. Raw values are stored; append-only.
package enum ActionCode: UInt8, Coded {
  /// Nothing: the text has no button.
  case none = 0
  case requestPermission = 1
  /// Open the app's own page in the system's settings.
  case openAppSettings = 2
  /// Open the device's location switch. iOS has no public link to it: open the app's page there.
  case openLocationSettings = 3
  case openNotificationSettings = 4
  /// Open the battery settings, or ask for the exemption directly where the store allows it.
  case openBatterySettings = 5
  /// Show who can help: only another person can grant it.
  case contactAdministrator = 6
  case sendReport = 7
  case sendFix = 8
  /// Open the date and time settings, or show where they are.
  case checkClock = 9
  case openApp = 10
  /// Show the steps: the client cannot open the settings itself, for example in a browser.
  case followSteps = 11
  case takeOver = 12
  /// Show the nearest site, and the way to it.
  case goToSite = 13
  /// Offer to clock in again at the time that the text says.
  case waitUntil = 14
  case askManager = 15
  /// Show the steps: no app can open that setting.
  case turnOffMockLocation = 16

  package var code: String {
    switch self {
    case .none: "none"
    case .requestPermission: "request_permission"
    case .openAppSettings: "open_app_settings"
    case .openLocationSettings: "open_location_settings"
    case .openNotificationSettings: "open_notification_settings"
    case .openBatterySettings: "open_battery_settings"
    case .contactAdministrator: "contact_administrator"
    case .sendReport: "send_report"
    case .sendFix: "send_fix"
    case .checkClock: "check_clock"
    case .openApp: "open_app"
    case .followSteps: "follow_steps"
    case .takeOver: "take_over"
    case .goToSite: "go_to_site"
    case .waitUntil: "wait_until"
    case .askManager: "ask_manager"
    case .turnOffMockLocation: "turn_off_mock_location"
    }
  }

  /// The label of the button, at most 24 characters.
  package func label(in language: Language = .english) -> String {
    catalogue(of: language).actions[self]
  }

  /// The closest action that `platform` supports: a page cannot open the system's settings.
  func possible(on platform: Platform) -> ActionCode {
    guard platform == .web else { return self }
    switch self {
    case .openAppSettings, .openLocationSettings, .openNotificationSettings, .openBatterySettings,
      .checkClock, .turnOffMockLocation:
      return .followSteps
    case .none, .requestPermission, .contactAdministrator, .sendReport, .sendFix, .openApp,
      .followSteps, .takeOver, .goToSite, .waitUntil, .askManager:
      return self
    }
  }
}
