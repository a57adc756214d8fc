/// Everything that can affect location permission on an Android phone.
package enum AndroidAction: UInt8, CaseIterable, Sendable {
  // The app's life. Swiping the app away does not stop a running service.
  case openApp, leaveApp, swipeAway, systemEndsApp
  /// The app starts its foreground service of type location.
  case startService
  /// The system restarts a killed service.
  case serviceRestarts
  // Requests of the app; possible only in the foreground.
  case askForeground, askBackground
  // Answers to the system's dialog.
  case answerWhileUsing, answerApproximate, answerOnce, answerAllTheTime, answerDeny
  /// *Deny & don't ask again*, before API level 30.
  case answerDenyForGood
  /// The dialog is closed without an answer.
  case dismissDialog
  /// *Only this time* expires some time after the app was left.
  case onceRunsOut
  // Settings › Apps › the app › Permissions › Location.
  case settingsAllTheTime, settingsWhileUsing, settingsAskEveryTime, settingsDeny
  case settingsPreciseOff, settingsPreciseOn
  // The whole phone.
  case locationOff, locationOn
  /// Months without use: permissions are reset and the app hibernates.
  case hibernate
}
