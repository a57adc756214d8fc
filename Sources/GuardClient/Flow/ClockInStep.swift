public import ShiftDomain

/// A dialog of the system itself. Every system wants to be asked in this order.
public enum LocationDialog: CaseIterable, Hashable, Sendable {
  /// For location while the app is in use.
  case foreground
  /// For location at any time. iOS shows it once per installation, Android only in version 10.
  case background
}

/// What the one button of a notice does. The codes are those of `action` in the API.
public enum NoticeAction: CaseIterable, Hashable, Sendable {
  case openAppSettings
  /// The device's location switch. iOS has no public link to it: open the app's page there.
  case openLocationSettings
  case openNotificationSettings
  case openBatterySettings
  /// Show who can help: only another person can grant it. The settings come second.
  case contactAdministrator
  case checkClock
  /// Read the permission again.
  case checkAgain
  /// Take a new position, at a window or outside.
  case sendFix
  /// Show the nearest site, and the way to it.
  case goToSite
  /// Show from when the clock-in is allowed.
  case waitUntil
  case askManager
  /// Show how to switch off simulated positions: no app can open that setting.
  case turnOffMockLocation

  public var code: String {
    switch self {
    case .openAppSettings: "open_app_settings"
    case .openLocationSettings: "open_location_settings"
    case .openNotificationSettings: "open_notification_settings"
    case .openBatterySettings: "open_battery_settings"
    case .contactAdministrator: "contact_administrator"
    case .checkClock: "check_clock"
    case .checkAgain: "send_report"
    case .sendFix: "send_fix"
    case .goToSite: "go_to_site"
    case .waitUntil: "wait_until"
    case .askManager: "ask_manager"
    case .turnOffMockLocation: "turn_off_mock_location"
    }
  }
}

/// A clock-in that may be sent. It counts with the state that was read for it: a change while it is
/// under way is a later change.
public struct ReadyClockIn: Hashable, Sendable {
  public let state: PermissionState
  public let decision: Decision
  /// Whether positions can be had at all; without them the clock-in is sent without a fix.
  public let canLocate: Bool
}

/// What the app shows or does next on the way to a clock-in.
public enum ClockInStep: Hashable, Sendable {
  /// Read the permission, and answer `.checked`. Nothing is shown.
  case check
  /// Show why location is needed, with a button for `.proceed` and one for `.cancel`.
  case explanation(before: LocationDialog)
  /// Show the system's dialog. When it has closed, read the permission and answer `.checked`.
  case dialog(LocationDialog)
  /// Show one notice with one action (`.proceed`), and a way to leave it (`.cancel`).
  case notice(Finding, NoticeAction)
  /// Perform the action. When the app is in the foreground again, answer `.returned`.
  case away(NoticeAction)
  /// Show the warnings, with buttons for `.proceed` (clock in), `.fix` and `.cancel`.
  case warning(Decision)
  /// The end: send the clock-in.
  case clockIn(ReadyClockIn)
  /// The end: nothing is sent, and the previous screen returns with its banner.
  case stopped(Decision)

  /// Whether no answer changes it any more.
  public var isEnd: Bool {
    switch self {
    case .clockIn, .stopped: true
    case .check, .explanation, .dialog, .notice, .away, .warning: false
    }
  }
}

/// What the app answers to a step. An answer that does not fit the step changes nothing.
public enum ClockInAnswer: Hashable, Sendable {
  /// The permission as it was just read.
  case checked(PermissionState)
  /// The system reported a change by itself.
  case changed(PermissionState)
  case proceed
  /// Of a warning: fix its cause before clocking in.
  case fix
  /// The employee leaves the screen without fixing anything.
  case cancel
  /// The app is in the foreground again.
  case returned
}

/// What a flow must know of earlier ones.
public struct ClockInMemory: Hashable, Sendable {
  /// Warnings in spite of which the employee clocked in, in this run of the app.
  public var acknowledged: FindingSet
  /// Whether guidance that interrupts once per run of the app was shown in this one.
  public var wasGuided: Bool
  /// Whether the background dialog was shown since the permission was last undetermined. To be
  /// kept for as long as the app is installed.
  public var askedForBackground: Bool

  public init(
    acknowledged: FindingSet = [], wasGuided: Bool = false, askedForBackground: Bool = false
  ) {
    self.acknowledged = acknowledged
    self.wasGuided = wasGuided
    self.askedForBackground = askedForBackground
  }
}
