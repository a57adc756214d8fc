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
    .mockLocation: "Positions from your phone look simulated",
    .siteUnknown: "We do not know where you are",
    .offSite: "You are not at your place of work",
    .notPlanned: "No shift is planned for you now",
    .tooEarly: "It is too early for your shift",
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
      "To save power, the phone may stop the app in the background, and that part of your shift "
      + "would be missing.",
    .backgroundRefreshOff:
      "Tracking continues, but your phone may tell you late when something needs fixing.",
    .powerSave: "While the phone saves power, positions may arrive late.",
    .notificationsOff:
      "Without them, we cannot reach you when tracking of your shift is interrupted.",
    .clockWrong:
      "We correct the times of your shift by our own clock, but your phone may show other times.",
    .mockLocation:
      "Another app or a setting changes the position of this phone, so your hours could be "
      + "doubted.",
    .siteUnknown:
      "Your team clocks in at its sites, and there is no position that is exact enough.",
    .offSite: "Your team clocks in at its sites, and your position is outside all of them.",
    .notPlanned: "Your team clocks in for planned shifts, and we know of none for you now.",
    .tooEarly: "Your team clocks in shortly before a planned shift, and yours begins later.",
  ]

  static let notificationTitles: Texts<IncidentKind> = [
    .restricted: "Location was locked on your phone",
    .denied: "Location access is off",
    .notDetermined: "Please allow location again",
    .whenInUse: "Tracking may pause in the background",
    .servicesOff: "Location is switched off on your phone",
    .accuracyReduced: "Location is only approximate",
    .noContact: "We have lost contact with your phone",
    .noFix: "Your phone cannot find its position",
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

  static let steps: Texts<Step> = [
    // Anywhere.
    .openShiftApp: "Open the shift app.",
    .returnToApp: "Go back to the shift app; it checks again by itself.",
    .checkAgain: "Let it check the location setting again.",
    .updateApp: "If nothing changes, update the shift app.",
    .askManager: "If you are stuck, ask your manager, who can open the shift for you.",
    .askAdministrator: "Ask the person who manages this device to allow location on it.",
    .whenUnlocked: "When that is done, allow location in the settings:",
    .ifNoQuestion: "If no question appears, use the settings instead:",
    .servicesFirst:
      "Switch on location for the whole phone first; this may already be enough. If not:",
    .sendPosition: "Let the app send one position.",
    .viewOfSky: "Go to a window or outside for a minute.",
    .checkConnection: "Check that the device is online.",
    .leaveRunning: "Leave it running in the background; do not swipe it away during the shift.",
    .stopSimulating: "Close apps that change the position of the device.",
    .useShiftApp:
      "Ask your manager for the shift app, which can track your shift in the background.",
    .goToSite: "Go to your place of work and try again there.",
    .waitForShift: "Wait until then and clock in again.",
    .askAboutPlan: "If you are to work now, ask your manager to plan the shift.",

    // The shift itself.
    .clockOutWhenDone: "If your work is done, clock out.",
    .endBreakWhenDone: "When you work again, end the break.",
    .confirmEnd: "Enter when your work really ended.",
    .lookAtShift: "Open the shift and see the reason.",
    .askAboutShift: "If something is not right, talk to your manager.",
    .takeShiftBack: "To track with the page instead, open it and take the shift back there.",
    .clockInYourself: "Clock in on the page for employees, or talk to your manager.",
    .lookAtClockIn: "Open the list of clock actions that need your decision.",
    .reviewClockAction: "Accept or dismiss each, with a reason.",
    .callOrReplan: "Call the employee, or change the planned shift on the employee’s page.",
    .nothingToDo: "There is nothing to do.",

    // iOS.
    .iosAllow: "When the phone asks, choose Allow While Using App.",
    .iosChangeToAlways: "If the phone asks again, now or later, choose Change to Always Allow.",
    .iosAppPage: "Open Settings > the shift app > Location.",
    .iosAppPageByPrivacy:
      "Not there? Open Settings > Privacy & Security > Location Services > the shift app.",
    .iosAppPageByPrivacyOld:
      "Not there? Open Settings > Privacy > Location Services > the shift app.",
    .iosChooseAlways: "Choose Always.",
    .iosServices: "Open Settings > Privacy & Security > Location Services and switch it on.",
    .iosServicesOld: "Open Settings > Privacy > Location Services and switch it on.",
    .iosPrecise: "Switch on Precise Location.",
    .iosScreenTime: "If you manage it yourself, look for restrictions in Settings > Screen Time.",
    .iosBackgroundRefresh:
      "Open Settings > General > Background App Refresh and switch on the shift app.",
    .iosLowPower: "Open Settings > Battery and switch off Low Power Mode.",
    .iosNotifications: "Open Settings > Notifications > the shift app and allow notifications.",
    .iosClock: "Open Settings > General > Date & Time and switch on Set Automatically.",

    // Android.
    .androidAllow: "When the phone asks, choose Allow.",
    .androidAllowAllTheTime: "When the phone asks, choose Allow all the time.",
    .androidAllowWhileUsing: "When the phone asks, choose While using the app.",
    .androidThenAllTheTime: "On the page that opens next, choose Allow all the time.",
    .androidAppPage: "Usually: Settings > Apps > the shift app > Permissions > Location.",
    .androidAppPageOld:
      "Usually: Settings > Apps & notifications > the shift app > Permissions > Location.",
    .samsungAppPage: "Open Settings > Apps > the shift app > Permissions > Location.",
    .xiaomiAppPage:
      "Open Settings > Apps > Manage apps > the shift app > App permissions > Location.",
    .androidChooseAllow: "Choose Allow.",
    .androidChooseAllTheTime: "Choose Allow all the time.",
    .androidServices: "Usually: Settings > Location. Switch it on.",
    .androidPrecise: "Switch on Use precise location.",
    .androidBattery: "Usually: Settings > Apps > the shift app > Battery. Choose Unrestricted.",
    .androidBatteryOld:
      "Look for Battery optimisation in the settings and choose Don't optimise for the shift app.",
    .samsungBattery:
      "Open Settings > Battery > Background usage limits > Never auto sleeping apps and add the "
      + "shift app.",
    .xiaomiBattery:
      "Open Settings > Apps > Manage apps > the shift app, switch on Autostart and choose No "
      + "restrictions for its battery use.",
    .androidUnused:
      "On the app's page, switch off Pause app activity if unused (or Manage app if unused).",
    .androidUnusedOld:
      "On the app's page, under Permissions, switch off Remove permissions if app isn't used.",
    .androidPowerSave: "Usually: Settings > Battery. Switch off battery saver.",
    .androidNotifications:
      "Usually: Settings > Apps > the shift app > Notifications. Switch them on.",
    .androidClock: "Usually: Settings > System > Date & time. Switch on automatic time.",
    .androidMock: "In Developer options, do not let any app set a mock location.",

    // A page in a browser.
    .webOpen: "Open the page where you clock in.",
    .webUpdate: "If nothing changes, update your browser.",
    .webAllow: "When the browser asks, allow location.",
    .webSiteSettings: "Open this page's permissions, usually with the icon next to its address.",
    .webAllowLocation: "Set Location to Allow.",
    .webSystemSettings:
      "If that is not enough, allow location for the browser in the settings of your device.",
    .webChromeSettings: "Choose the icon left of the address, then Permissions or Site settings.",
    .webSafariSettings:
      "Open the page menu next to the address (AA or an icon with lines), then Website Settings.",
    .webFirefoxSettings: "Tap the lock next to the address.",
    .webSamsungSettings: "Tap the lock next to the address, then Permissions.",
    .webInstalledSettings:
      "This page has no address here: open the browser itself, its settings, Site settings, "
      + "Location, and choose this page.",
    .webInstalledAgain:
      "Close this page completely, and open it again from the Home Screen, where it asks for "
      + "location.",
    .webSystemAndroid:
      "If that is not enough: Settings > Apps > your browser > Permissions > Location. Choose "
      + "Allow only while using the app.",
    .webSystemSafari:
      "If that is not enough: Settings > Privacy & Security > Location Services > Safari "
      + "Websites. Choose While Using the App.",
    .webSystemIOS:
      "If that is not enough: Settings > Privacy & Security > Location Services > your "
      + "browser. Choose While Using the App.",
    .webAllowNotifications: "Set Notifications to Allow.",
    .webKeepOpen: "Keep this page open and the screen on during your shift.",
    .webReload: "Reload this page; it checks again by itself.",

    // An unknown system.
    .anyAllow: "When you are asked, allow location, all the time if that is offered.",
    .anyFindApp: "Open the settings of your device and find the shift app.",
    .anyAlways: "Set its location access to Always, or Allow all the time.",
    .anyServices: "Switch on location in the settings of your device.",
    .anyPrecise: "Allow precise location.",
    .anyBattery: "Exclude it from battery saving.",
    .anyBackground: "Let it run in the background.",
    .anyPowerSave: "Switch off power saving in the settings of your device.",
    .anyNotifications: "Allow its notifications.",
    .anyClock: "Switch on automatic time in the settings of your device.",
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
    .goToSite: "See where to go",
    .waitUntil: "Clock in later",
    .askManager: "Ask your manager",
    .turnOffMockLocation: "Show the steps",
  ]
}
