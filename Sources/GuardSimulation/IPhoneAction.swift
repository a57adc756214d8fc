/// What can happen to location permission on an iPhone, whoever does it.
public enum IPhoneAction: UInt8, CaseIterable, Sendable {
  // The app's life.
  case openApp, leaveApp, forceQuit, systemEndsApp
  // The app asks; effective in front only.
  case askWhenInUse, askAlways, askPreciseForNow
  /// *Allow Once*.
  case answerOnce
  /// *Allow While Using App*, *Change to Always Allow*, or *Always Allow* again.
  case answerAllow
  /// *Don't Allow*, or *Keep Only While Using*.
  case answerRefuse
  /// An *Allow Once* ends some time after the app was left.
  case onceRunsOut
  /// The second half of asking for always, shown when it would first be used.
  case deferredPromptAppears
  /// "… has used your location 12 times in the background".
  case reminderAppears
  // Settings › the app › Location.
  case settingsNever, settingsAskNextTime, settingsWhileUsing, settingsAlways
  case settingsPreciseOff, settingsPreciseOn
  // The whole phone.
  case servicesOff, servicesOn, resetPrivacy
  // An administrator, or Screen Time.
  case restrict, lift
  /// A position came while the app was behind: proves that *Always* is the lasting one.
  case backgroundFixArrives
}
