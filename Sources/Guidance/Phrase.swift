enum Phrase: UInt8, CaseIterable, Sendable {
  // When tracking stops.
  case endsWithShift

  // Reasons for a finding in particular circumstances.
  case deniedPerhapsByServices, whenInUseOnIOS, whenInUseInBrowser
  case whenInUseInBrowserTitle, notDeterminedInBrowser
  case alwaysNeeded, whenInUseNotEnough, whenInUseOnIOSNotEnough
  case cannotReportNotEnough, pageNotEnoughTitle, pageNotEnough

  // The banner.
  case required, startNow, optional, refine
  case readyTitle, ready

  // A notification on iOS, where the system may have asked by itself.
  case notificationWhenInUseOnIOS
  // The rest of a notification on a page, which works only while it is open.
  case goesOnWithGaps

  // A notification that location keeps going off and on.
  case unstableTitle, unstable

  // A notification that the interruption is over, and its beginning if a limit is left.
  case restoredTitle, restored, trackedAgain

  // Notifications about the shift itself.
  case reminderTitle, reminder, longBreakTitle, longBreak, pageHiddenTitle, pageHidden
  case awayTitle, away
  case limitTitle, limit
  case correctedTitle, corrected, openedTitle, opened, addedTitle, added
  case keptTitle, kept, newsTitle, news
  case toConfirmTitle, openedByManager, openedByPlan
  case notBegunTitle, notBegun, allowedTitle, allowed, tookOverTitle, tookOver
  /// Before a name and a distance, before a time of day, and within a number.
  case nearestSite, clockInFrom, decimalSign

  // Notifications to managers.
  case blockedTitle, blocked, reviewTitle, review
  case interruptedTitle, interrupted, atRiskTitle, atRisk, severalTitle, several
  case employeeNotified, employeeNotNotified, severalBlocked, resumedTitle, resumed
  case lateTitle, late, severalLate, noShowTitle, noShow, severalNoShow
  case awayFromSiteTitle, awayFromSite, severalAway
  case endedByItselfTitle, endedByItself, severalEnded

  // Test notifications.
  case testTitle, test, managersTest

  // The weekly digest; what ends with a colon is followed by a figure, a list or an address.
  case digestTitle, digest, digestHours, digestTracked, digestShifts, digestReviews
  case digestAllTracked, digestCauses, digestPage

  // The explanation before the system's dialog.
  case explanationTitle, whyStandard, whyStrict, whyAdvisory, whyInBrowser
  case completeHours, noBreaks, ownView
  case proceed, later
  case iosAsksTwice, androidAsksOnce, androidOffersAllTheTime, androidAsksTwice
  case androidDisclosure, browserOnlyOpen, phoneAsks
}
