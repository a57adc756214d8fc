import GuardRules

extension Catalogue {
  static let english = Catalogue(
    titles: EnglishTexts.titles, reasons: EnglishTexts.reasons, steps: EnglishTexts.steps,
    phrases: EnglishTexts.phrases, notificationTitles: EnglishTexts.notificationTitles,
    notificationBodies: EnglishTexts.notificationBodies, causes: EnglishTexts.causes,
    actions: EnglishTexts.actions, privacy: EnglishTexts.privacy,
    appForms: [("the shift app", ""), ("The shift app", "")])
}

enum EnglishTexts {
  static let phrases: Texts<Phrase> = [
    .endsWithShift: "Tracking stops when your shift ends.",

    .deniedPerhapsByServices:
      "The phone also reports this while location is off for the whole phone; switching it on may "
      + "be enough.",
    .whenInUseOnIOS:
      "The phone may have asked you and changed this setting; tracking may pause in the "
      + "background.",
    .whenInUseInBrowser: "A page can track your shift only while it is open and the screen is on.",
    .whenInUseInBrowserTitle: "Location works only while this page is open",
    .notDeterminedInBrowser:
      "Your browser has not asked you yet, or it asks again each time.",
    .alwaysNeeded:
      "Shifts in your team need location set to Always (Android: Allow all the time).",
    .whenInUseNotEnough:
      "Shifts in your team need location all the time; otherwise tracking may pause in the "
      + "background.",
    .whenInUseOnIOSNotEnough:
      "Shifts in your team need the setting Always; the phone may have asked you and changed it.",
    .cannotReportNotEnough:
      "Shifts in your team need an app that can report its location permission.",
    .pageNotEnoughTitle: "This page is not enough to clock in",
    .pageNotEnough:
      "Shifts in your team need location all the time, and a page has it only while it is open. "
      + "Your shifts and your notes are here all the same.",

    .required: "The steps show how; your shift can be tracked once this is done.",
    .startNow: "You can work as usual; follow the steps when it suits you.",
    .optional: "Everything works without location; the steps are there if you like.",
    .refine: "You can work as usual; this only makes tracking more reliable.",
    .readyTitle: "Location is ready",
    .ready: "Your shift can be tracked.",

    .goesOnWithGaps: "Your shift goes on, but parts of it may be missing.",
    .notificationWhenInUseOnIOS:
      "Location is now set to While Using the App; the phone may have asked you and changed it. "
      + "Tracking may pause in the background until it is set to Always.",

    .unstableTitle: "Location keeps going off and on",
    .unstable:
      "It is on right now, or was a moment ago. Your shift goes on, but parts of it may be "
      + "missing.",

    .restoredTitle: "Tracking resumed",
    .restored: "Thank you: the problem is fixed, and your shift is tracked again.",
    .trackedAgain: "Your shift is tracked again.",

    .reminderTitle: "Are you still at work?",
    .reminder: "Your shift has been open for a long time. If your work is done, please clock out.",
    .longBreakTitle: "Are you still on your break?",
    .longBreak: "It has lasted a long time. No positions are stored until you end it.",
    .pageHiddenTitle: "Your page is out of view",
    .pageHidden: "Your shift is recorded only while the page is on the screen.",
    .awayTitle: "You are away from your place of work",
    .away:
      "Your positions have been outside all sites of your shift for a while. The shift goes on.",
    .limitTitle: "Your shift was ended automatically",
    .limit:
      "It reached the maximum length of a shift. Tell us when your work really ended: positions "
      + "after that time are deleted.",
    .correctedTitle: "Your shift was corrected",
    .corrected:
      "A manager changed its times or breaks and gave a reason. Positions outside the shift are "
      + "hidden at once and deleted after 7 days.",
    .openedTitle: "Your shift was opened for you",
    .opened: "A manager opened it from the time of your clock-in attempt and gave a reason.",
    .addedTitle: "A past shift was added for you",
    .added:
      "A manager added it and gave a reason. Check the times: confirm them, or say what is wrong.",
    .keptTitle: "The times of your shift stay as they are",
    .kept:
      "A manager checked the times that you objected to and kept them as they were recorded.",
    .newsTitle: "News about your shift",
    .news: "Open the app to see what has changed.",
    .toConfirmTitle: "A shift waits for your confirmation",
    .openedByManager:
      "Your manager opened a shift for you. Confirm it to start recording your position, or "
      + "decline it.",
    .openedByPlan:
      "Your planned shift has begun. Confirm it to start recording your position, or decline it.",
    .notBegunTitle: "You are not clocked in",
    .notBegun:
      "Your phone tried to clock you in automatically, but its location permission does not allow "
      + "it, or could not be checked.",
    .nearestSite: "The nearest site:",
    .clockInFrom: "You can clock in from",
    .decimalSign: ".",
    .tookOverTitle: "An app tracks your shift now",
    .tookOver:
      "The app on your phone has taken over from the page, which you can close.",
    .allowedTitle: "A clock-in is allowed",
    .allowed:
      "Your manager allows you to clock in once in spite of a problem that your phone reported. "
      + "The app says whether anything else prevents it.",

    .blockedTitle: "An employee could not clock in",
    .blocked:
      "The location setting of a phone in your team does not allow it. You can open the shift from "
      + "the time of the attempt.",
    .reviewTitle: "An offline clock action needs your decision",
    .review:
      "A phone in your team was offline at the time, and the clock action conflicts with other "
      + "records.",

    .interruptedTitle: "Tracking of a shift is interrupted",
    .interrupted: "The problem persists. A call may help.",
    .atRiskTitle: "Tracking of a shift may have gaps",
    .atRisk: "The shift is tracked, but a setting of the phone makes gaps likely.",
    .employeeNotified: "The employee has been notified.",
    .employeeNotNotified: "The employee has not been notified yet.",
    .resumedTitle: "Tracking of a shift has resumed",
    .resumed: "The problem is resolved.",
    .severalTitle: "Several shifts need your attention",
    .several: "Tracking is interrupted or at risk on several phones in your team.",
    .lateTitle: "An employee is late",
    .late:
      "No clock-in and no attempt to clock in has been received yet. The planned start is in "
      + "brackets.",
    .severalLate:
      "No clock-in has been received yet from several employees in your team. The planned starts "
      + "are in brackets.",
    .noShowTitle: "An employee has not come to a planned shift",
    .noShow:
      "No clock-in and no attempt to clock in has been received for the planned shift. Its start "
      + "is in brackets.",
    .severalNoShow:
      "Several employees in your team have not come to their planned shifts. The planned starts "
      + "are in brackets.",
    .awayFromSiteTitle: "An employee is away from the place of work",
    .awayFromSite: "During a shift, the positions have been away from every site for a while.",
    .severalAway:
      "Several employees in your team have been away from every site for a while during their "
      + "shifts.",
    .endedByItselfTitle: "A shift ended without a clock-out",
    .endedByItself:
      "It reached the longest time allowed, and tracking has stopped. Check when it really ended.",
    .severalEnded:
      "Shifts of several employees in your team reached the longest time allowed. Check when they "
      + "really ended.",
    .severalBlocked:
      "Several employees in your team could not clock in. You can open their shifts from the "
      + "times of their attempts.",

    .testTitle: "Test notification",
    .test:
      "This is a test to check that notifications about your shift reach you.",
    .managersTest:
      "This is a test to check that notifications about your team reach you.",

    .digestTitle: "The week of your team",
    .digest: "Later corrections can change these figures.",
    .digestHours: "Hours worked:",
    .digestTracked: "Tracked:",
    .digestShifts: "Shifts:",
    .digestReviews: "Waiting for a decision now:",
    .digestAllTracked: "All working time was tracked.",
    .digestCauses: "Why time was not tracked:",
    .digestPage: "All figures of the week:",

    .explanationTitle: "Location during your shift",
    .whyStandard:
      "While you work, the shift app records where your phone is, even when it is in your pocket. "
      + "The setting Always works best; While Using is accepted.",
    .whyStrict:
      "While you work, the shift app records where your phone is, even when it is in your pocket. "
      + "For this, your team needs the setting Always.",
    .whyAdvisory:
      "Location makes the record of your work more complete. It is up to you: everything works "
      + "without it.",
    .whyInBrowser:
      "While you work, this page records where your phone is, as long as it is open and the "
      + "screen is on.",
    .completeHours: "Your hours are complete without you writing anything down.",
    .noBreaks: "Breaks and free time stay private: no positions are stored then.",
    .ownView: "You can look at your own shifts at any time.",
    .proceed: "Continue",
    .later: "Not now",
    .iosAsksTwice:
      "The phone asks first: choose Allow While Using App. When it asks again, now or later, "
      + "choose Change to Always Allow.",
    .androidAsksOnce: "The phone asks once: choose Allow.",
    .androidOffersAllTheTime: "The phone asks once: choose Allow all the time.",
    .androidAsksTwice:
      "The phone asks first: choose While using the app. On the page that opens next, choose "
      + "Allow all the time.",
    .androidDisclosure:
      "The shift app collects location data to record your shifts even when the app is closed or "
      + "not in use.",
    .browserOnlyOpen:
      "The browser asks: allow location. A page can track your shift only while it is open and the "
      + "screen is on.",
    .phoneAsks: "Your device asks: allow location, all the time if that is offered.",
  ]

  /// After a heading; a duration follows.
  static let causes: Texts<CoverageReason> = [
    .tracked: "Tracked time",
    .onBreak: "Break",
    .restricted: "Location restricted by an administrator",
    .servicesOff: "Location switched off",
    .denied: "Location access denied",
    .notDetermined: "Location not allowed yet",
    .appTerminated: "App was closed",
    .serviceUnavailable: "Service outage",
    .waitingFirstFix: "Waiting for the first position",
    .resuming: "Resuming",
    .noFix: "No position",
    .noContact: "No contact",
    .mockLocation: "Mock location",
    .lowAccuracy: "Position too inaccurate",
    .pageHidden: "Page hidden",
    .notAsked: "Phone not asked to track",
  ]
}
