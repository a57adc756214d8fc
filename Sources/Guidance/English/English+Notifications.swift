import ShiftDomain

extension EnglishTexts {
  static let notificationTitles: Texts<IncidentKind> = [
    .restricted: "Location was locked on your phone",
    .denied: "Location access is off",
    .notDetermined: "Please allow location again",
    .whenInUse: "Tracking may pause in the background",
    .servicesOff: "Location is switched off on your phone",
    .accuracyReduced: "Location is only approximate",
    .noContact: "We have lost contact with your phone",
    .noFix: "Your phone has no position",
    .appTerminated: "The shift app was closed",
    .mockLocation: "Positions from your phone look simulated",
  ]

  static let notificationBodies: Texts<IncidentKind> = [
    .restricted:
      "Your shift goes on, but tracking is paused until an administrator allows location.",
    .denied: "Your shift goes on, but tracking is paused until location is allowed again.",
    .notDetermined:
      "An earlier Allow Once may have expired. Your shift goes on; the phone asks again in the "
      + "app.",
    .whenInUse:
      "Location is now allowed only while the app is in use. Your shift goes on, but parts of it "
      + "may be missing.",
    .servicesOff:
      "This switch is for the whole phone. Your shift goes on, but tracking is paused until it is "
      + "on again.",
    .accuracyReduced:
      "Positions can be kilometres off. Your shift goes on, but it may look incomplete.",
    .noContact:
      "The phone may be offline, switched off, or saving power. Your shift goes on; "
      + "opening the app is often enough.",
    .noFix:
      "The app is running but cannot find a position. Your shift goes on; a clear view of the sky "
      + "often helps.",
    .appTerminated: "Your shift goes on, but tracking is paused until the app is open again.",
    .mockLocation:
      "Another app or a developer setting may do this. Your shift goes on; closing that app "
      + "usually helps.",
  ]

  static let actions: Texts<ActionCode> = [
    .none: "OK",
    .requestPermission: "Allow location",
    .openAppSettings: "Go to Settings",
    .openLocationSettings: "Switch location on",
    .openNotificationSettings: "Notification settings",
    .openBatterySettings: "Battery settings",
    .contactAdministrator: "See who can help",
    .sendReport: "Check again",
    .sendFix: "Send a position",
    .checkClock: "Check the clock",
    .openApp: "Open the app",
    .followSteps: "Show the steps",
    .takeOver: "Use this phone",
  ]
}
