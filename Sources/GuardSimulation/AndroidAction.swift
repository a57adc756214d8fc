/// What can happen to location permission on an Android phone, whoever does it.
public enum AndroidAction: UInt8, CaseIterable, Sendable {
  // The app's life. A swipe leaves a running service alone.
  case openApp, leaveApp, swipeAway, systemEndsApp
  /// The app starts its foreground service of type location.
  case startService
  /// The system brings a killed service back.
  case serviceRestarts
  // The app asks; effective in front only.
  case askForeground, askBackground
  // Answers to the system's dialog.
  case answerWhileUsing, answerApproximate, answerOnce, answerAllTheTime, answerDeny
  /// *Deny & don't ask again*, before API level 30.
  case answerDenyForGood
  /// Back, or a tap beside the dialog: no answer.
  case dismissDialog
  /// An *Only this time* ends some time after the app was left.
  case onceRunsOut
  // Settings › Apps › the app › Permissions › Location.
  case settingsAllTheTime, settingsWhileUsing, settingsAskEveryTime, settingsDeny
  case settingsPreciseOff, settingsPreciseOn
  // The whole phone.
  case locationOff, locationOn
  /// Months without use: permissions are reset and the app is put to sleep.
  case hibernate
}
