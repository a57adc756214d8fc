import ShiftDomain

extension EnglishTexts {
  static let titles: Texts<Finding> = [
    .restricted: "Location is locked on this phone",
    .servicesOff: "Location is switched off on this device",
    .denied: "Location access is off",
    .notDetermined: "Please allow location for your shift",
    .unreadable: "We could not read the location setting",
    .noReport: "We have not heard from your phone yet",
    .staleReport: "A fresh check of your phone is needed",
    .cannotReport: "Please check the location setting yourself",
    .cannotReportNoFix: "A first position is needed",
    .accuracyReduced: "Location is only approximate",
    .whenInUse: "Location works only while the app is in use",
    .servicesUnknown: "Is location switched on?",
    .alwaysUnproven: "Your phone may ask about location once more",
    .batteryOptimised: "Battery saving may pause the shift app",
    .backgroundRefreshOff: "Background refresh is off",
    .powerSave: "Power saving is on",
    .notificationsOff: "Notifications are off",
    .clockWrong: "The clock of your phone looks wrong",
  ]

  static let reasons: Texts<Finding> = [
    .restricted:
      "An administrator or parental control manages location here, so only they can allow it.",
    .servicesOff:
      "This is the switch of the whole device: while it is off, your shift cannot be tracked.",
    .denied: "Without location your shift cannot be tracked.",
    .notDetermined:
      "The phone has not asked you yet, or an earlier Allow Once has run out by itself.",
    .unreadable: "The shift app sent a setting that we do not know, and we would rather not guess.",
    .noReport: "We do not know yet whether your shift can be tracked.",
    .staleReport: "The last check was a while ago, and settings may have changed since.",
    .cannotReport: "Your app sends positions but cannot tell us its permission.",
    .cannotReportNoFix:
      "Your app cannot tell us its permission, so a recent position shows that all is well.",
    .accuracyReduced: "Positions can be kilometres off, so your shift may look incomplete.",
    .whenInUse:
      "Tracking may pause in the background, when the screen is off or another app is open.",
    .servicesUnknown:
      "Your device did not tell us, and while it is off your shift cannot be tracked.",
    .alwaysUnproven:
      "You chose Always, and the phone may ask you once more whether to keep it.",
    .batteryOptimised:
      "To save power the phone may stop the app in your pocket, and that part of your shift would "
      + "be missing.",
    .backgroundRefreshOff:
      "Tracking goes on, but your phone may be late to tell you when something needs fixing.",
    .powerSave: "While the phone saves power, positions may come late.",
    .notificationsOff:
      "Without them we cannot reach you if something interrupts your shift's record.",
    .clockWrong:
      "We correct the times of your shift by our own clock, but your phone may show you others.",
  ]
}
