extension EnglishTexts {
  static let phrases: Texts<Phrase> = [
    .endsWithShift: "Tracking stops when your shift ends.",

    .deniedPerhapsByServices:
      "The phone reports this, too, while its location is switched off, so it may mend itself.",
    .whenInUseOnIOS:
      "The phone may have changed this when it asked you by itself, and tracking may pause in the "
      + "background.",
    .whenInUseInBrowser: "A page can track your shift only while it is open and the screen is on.",
    .alwaysNeeded:
      "Shifts in your team need location set to Always (Android: Allow all the time).",
    .whenInUseNotEnough:
      "Shifts in your team need location all the time; otherwise tracking may pause in the "
      + "background.",
    .whenInUseOnIOSNotEnough:
      "Shifts in your team need Always; the phone may have changed this when it asked you by "
      + "itself.",
    .cannotReportNotEnough:
      "Shifts in your team need an app that can tell its location permission.",

    .required: "The steps show how; a new shift can start once this is done.",
    .startNow: "Nothing is held up; follow the steps when it suits you.",
    .optional: "Everything works without location; the steps are there if you like.",
    .refine: "Nothing is held up; this only makes it more reliable.",
    .readyTitle: "Location is ready",
    .ready: "Your shift can be tracked.",

    .noticeWhenInUseOnIOS:
      "Location is now set to While Using the App; the phone may have asked you by itself. "
      + "Tracking may pause in the background until it is set to Always.",

    .unstableTitle: "Location keeps going off and on",
    .unstable:
      "It is on right now, or was a moment ago. Your shift goes on, but parts of it may be "
      + "missing.",

    .restoredTitle: "Tracking goes on",
    .restored: "Thank you: what was missing is back, and your shift is recorded again.",

    .reminderTitle: "Are you still at work?",
    .reminder: "Your shift has been open for a long time. If your work is done, please clock out.",
    .longBreakTitle: "Are you still on your break?",
    .longBreak: "It has lasted long. No position is kept until you end it.",
    .limitTitle: "Your shift was ended for you",
    .limit:
      "It had come to the longest time that a shift may last. Tell us when your work really ended: "
      + "positions from after that are deleted.",
    .correctedTitle: "Your shift was corrected",
    .corrected:
      "A manager changed when it began or ended, and said why. Positions from outside of it are "
      + "deleted.",
    .openedTitle: "Your shift was opened for you",
    .opened: "A manager opened it from the moment of your tap, and said why.",

    .blockedTitle: "Somebody could not clock in",
    .blocked:
      "The location setting of a phone in your team does not allow it. You may open the shift from "
      + "the moment of the tap.",
    .reviewTitle: "A tap waits for your decision",
    .review:
      "A phone in your team was offline at the tap, and what it says does not go with the record.",

    .interruptedTitle: "Tracking of a shift is interrupted",
    .interrupted: "It is not resolved yet. A call may help.",
    .atRiskTitle: "Tracking of a shift may have gaps",
    .atRisk: "The shift is tracked, but a setting of the phone makes gaps likely.",
    .employeeTold: "The employee has been notified.",
    .employeeNotTold: "The employee has not been notified yet.",
    .resumedTitle: "Tracking of a shift has resumed",
    .resumed: "What impaired it is resolved.",
    .severalTitle: "Several shifts need your attention",
    .several: "Something impairs tracking on several phones in your team.",
    .severalBlocked:
      "Several employees in your team could not clock in. You may open their shifts from the "
      + "moment of the attempt.",

    .testTitle: "A test message",
    .test:
      "Somebody tries whether messages about your shift reach you, and this one did.",
    .managersTest:
      "Somebody tries whether messages about your team reach you, and this one did.",

    .explanationTitle: "Location during your shift",
    .whyStandard:
      "While you work, the shift app records where your phone is, also when it is in your pocket. "
      + "Always works best; While Using is accepted.",
    .whyStrict:
      "While you work, the shift app records where your phone is, also when it is in your pocket. "
      + "For that your team needs the setting Always.",
    .whyAdvisory:
      "Location makes the record of your work more complete. It is up to you: everything works "
      + "without it.",
    .completeHours: "Your hours are complete without writing anything down.",
    .noBreaks: "Breaks and free time stay private: no position is kept then.",
    .ownView: "You can look at your own shifts at any time.",
    .proceed: "Continue",
    .later: "Not now",
    .iosAsksTwice:
      "The phone asks first: choose Allow While Using App. When it asks again, now or later, "
      + "choose Change to Always Allow.",
    .androidAsksOnce: "The phone asks once: choose Allow.",
    .androidOffersAllTheTime: "The phone asks once: choose Allow all the time.",
    .androidAsksTwice:
      "The phone asks first: choose While using the app. On the page that opens after it, choose "
      + "Allow all the time.",
    .androidDisclosure:
      "The shift app collects location data to record your shifts even when the app is closed or "
      + "not in use.",
    .browserOnlyOpen:
      "The browser asks: choose Allow. A page can track your shift only while it is open and "
      + "the screen is on.",
    .phoneAsks: "Your device asks: allow location, all the time if that is offered.",
  ]
}
