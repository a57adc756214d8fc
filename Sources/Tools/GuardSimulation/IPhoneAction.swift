/// Everything that can affect location permission on an iPhone.
package enum IPhoneAction: UInt8, CaseIterable, Sendable {
  // The app's life.
  case openApp, leaveApp, forceQuit, systemEndsApp
  // Requests of the app; possible only in the foreground.
  case askWhenInUse, askAlways, askPreciseForNow
  /// *Allow Once*.
  case answerOnce
  /// *Allow While Using App*, *Change to Always Allow*, or *Always Allow* again.
  case answerAllow
  /// *Don't Allow*, or *Keep Only While Using*.
  case answerRefuse
  /// *Allow Once* expires some time after the app was left.
  case onceRunsOut
  /// The second prompt for always, shown when it would first be used.
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
  /// A position came in the background: proves that *Always* is permanent.
  case backgroundFixArrives
}
