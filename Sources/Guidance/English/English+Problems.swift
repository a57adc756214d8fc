import ShiftDomain

extension EnglishTexts {
  static let titles: Texts<Finding> = [
    .restricted: "Location is locked on this phone",
    .servicesOff: "Location is switched off on this device",
    .denied: "Location access is off",
    .notDetermined: "Please allow location for your shift",
    .unreadable: "We could not read the location setting",
    .noReport: "We have not heard from your phone yet",
    .staleReport: "Your phone needs to be checked again",
    .cannotReport: "Please check the location setting yourself",
    .cannotReportNoFix: "We need a recent position from your phone",
    .accuracyReduced: "Location is only approximate",
    .whenInUse: "Location works only while the app is in use",
    .servicesUnknown: "Is location switched on?",
    .alwaysUnproven: "Your phone may ask about location once more",
    .batteryOptimised: "Battery saving may pause the shift app",
    .backgroundRefreshOff: "Background refresh is off",
    .powerSave: "Power saving is on",
    .notificationsOff: "Notifications are off",
    .clockWrong: "Your phone's clock looks wrong",
  ]

  static let reasons: Texts<Finding> = [
    .restricted:
      "An administrator or parental control manages location here, so only they can allow it.",
    .servicesOff:
      "This switch is for the whole device: while it is off, your shift cannot be tracked.",
    .denied: "Without location your shift cannot be tracked.",
    .notDetermined:
      "The phone has not asked you yet, or an earlier Allow Once has expired.",
    .unreadable: "The shift app sent a setting that we do not recognise.",
    .noReport: "We do not know yet whether your shift can be tracked.",
    .staleReport: "The last check was a while ago, and settings may have changed since.",
    .cannotReport: "Your app sends positions but cannot report its location setting.",
    .cannotReportNoFix:
      "Your app cannot report its location setting; a recent position shows that tracking works.",
    .accuracyReduced: "Positions can be kilometres off, so your shift may look incomplete.",
    .whenInUse:
      "Tracking may pause in the background, when the screen is off or another app is open.",
    .servicesUnknown:
      "Your device did not tell us, and your shift cannot be tracked while location is off.",
    .alwaysUnproven:
      "You chose Always, and the phone may ask you once more whether to keep it.",
    .batteryOptimised:
      "To save power, the phone may stop the app in your pocket, and that part of your shift "
      + "would be missing.",
    .backgroundRefreshOff:
      "Tracking continues, but your phone may tell you late when something needs fixing.",
    .powerSave: "While the phone saves power, positions may arrive late.",
    .notificationsOff:
      "Without them, we cannot reach you when tracking of your shift is interrupted.",
    .clockWrong:
      "We correct the times of your shift by our own clock, but your phone may show other times.",
  ]

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
}
