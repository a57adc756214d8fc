/// Sentences that belong to no single finding.
enum Phrase: UInt8, CaseIterable, Sendable {
  // When it stops.
  case endsWithShift

  // Reasons for a finding in particular circumstances.
  case deniedPerhapsByServices, whenInUseOnIOS, whenInUseInBrowser
  case alwaysNeeded, whenInUseNotEnough, whenInUseOnIOSNotEnough
  case cannotReportNotEnough

  // The banner.
  case required, startNow, optional, refine
  case readyTitle, ready

  // A notice on iOS, where the system may have asked by itself.
  case noticeWhenInUseOnIOS

  // A notice that location keeps going off and on.
  case unstableTitle, unstable

  // A notice that it is over.
  case restoredTitle, restored

  // Notices about the shift itself.
  case reminderTitle, reminder, longBreakTitle, longBreak, limitTitle, limit
  case correctedTitle, corrected, openedTitle, opened

  // Notices to managers.
  case blockedTitle, blocked, reviewTitle, review
  case interruptedTitle, interrupted, atRiskTitle, atRisk, severalTitle, several
  case employeeTold, employeeNotTold, severalBlocked, resumedTitle, resumed

  // A notice that somebody tries whether notices arrive.
  case testTitle, test, managersTest

  // The explanation before the system's dialog.
  case explanationTitle, whyStandard, whyStrict, whyAdvisory
  case completeHours, noBreaks, ownView
  case proceed, later
  case iosAsksTwice, androidAsksOnce, androidOffersAllTheTime, androidAsksTwice
  case androidDisclosure, browserOnlyOpen, phoneAsks
}
