/// The texts of the report for a works council and of the hand-out for employees.
package enum PrivacyText: UInt8, CaseIterable, Sendable {
  // The report: what is recorded, and for how long.
  case reportTitle, reportIntroduction, recordedTitle, data, purpose, kept
  case positions, positionsWhy, coverage, coverageWhy, shifts, shiftsWhy, auditLog, auditLogWhy
  case appEvents, appEventsWhy, profile, profileWhy, phones, phonesWhy, accounts, accountsWhy
  case days, untilErased, accountsKept, deletion

  // When, and by which rules of each team.
  case whenTitle, onlyOnShift, notOnBreaks, offShift, forgottenEnd
  case team, interval, clockIn, placeAndTime
  case alwaysNeeded, whileInUseEnough, neverBlocked
  case placeCompared, timeCompared, awayTold, notCompared

  // Who sees it.
  case whoTitle, employeeSees, coverageSees, trackSees, administratorsSee, databaseSees
  case mayCoverage, mayTrack, isNotified, administrators, programs, nobody
  case outsideTitle, outsideNone, apple, google, browserService, mailService, webhooks, mapService

  // What is not done, and what employees can ask for.
  case neverTitle, neverLogged, neverRanked, neverArrivals, neverInterpreted, neverSentHome
  case rightsTitle, rightToCopy, rightToErasure, rightToCorrection, rightToObject
  case noticeVersion, noNotice

  // The draft of a data protection impact assessment.
  case assessmentTitle, assessmentIntroduction, necessityTitle
  case necessityTime, necessityChoice, necessityOpenness
  case risksTitle, risk, measure
  case privateTime, privateTimeMeasure, curiosity, curiosityMeasure, performance
  case performanceMeasure, suspicion, suspicionMeasure, leak, leakMeasure, excess, excessMeasure
  case employerTitle, employerBasis, employerNeed, employerViews, employerAdvice, employerDecision

  // The hand-out.
  case handOutTitle, connectTitle, connectOpen, connectCode, connectRead
  case allowTitle, allowAsked, allowAlways, allowOpenPage, blockedWithout, neverBlockedYou
  case coloursTitle, green, lightGreen, red, grey
  case yourDataTitle, yourPositions, yourPositionsKept, yourRights
  case askTitle, askManagers, askTelephone

  package func text(in language: Language) -> String { catalogue(of: language).privacy[self] }
}
