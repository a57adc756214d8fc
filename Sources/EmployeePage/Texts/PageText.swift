/// A text of the page itself; texts about permissions are those of `Guidance`. The script uses the
/// raw values, of which those with an underscore end with a code of the API.
enum PageText: String, CaseIterable, Sendable {
  // In the page itself, before its script has the texts of one language.
  case needsScript, noTexts

  // Everywhere.
  case language, menu, work, myShifts, privacy, close, cancel, save, saved, notSaved, wait
  case now, notThere

  // What is wrong with the connection or the browser.
  case offline, waitingRecords, queueFull, cannotStore, clockOff, serverTrouble, noNetwork

  // Enrolment.
  case connect, connectHow, code, connectButton, codeUnknown, tooMany, connected, replaced
  case homeScreen, connectAgain, connectAgainWhy, revoked
  case recordsKept, recordsDeleted, notifyWhy, notifyMe

  // Banner.
  case status, lastChecked, checkNow, checked, unchanged, showSteps, gotIt, whatToDo, dismiss
  case openShift
  case levelRequired = "level_required"
  case levelSuggestion = "level_suggestion"
  case levelQuiet = "level_quiet"

  // Shift.
  case offShift, onShift, onBreak, since, breakSince, tracking, unknown, clockIn, clockOut
  case breakStart, breakEnd, takeOver, takeBack, elsewhere, noneTracks, appTracks, onlyOnScreen
  case keepOpen, placeWhy, notSentYet, noPosition
  case allowedBy, allowedBySelf
  case stateTracked = "state_tracked"
  case stateAtRisk = "state_at_risk"
  case stateOnBreak = "state_on_break"
  case stateNotTracked = "state_not_tracked"
  case stateOffShift = "state_off_shift"

  // A shift that a manager or a plan has opened.
  case openedByManager, openedByPlan, openedBy, reason, confirmWhy, confirmShift
  case declineShift, declineWhy, confirmed, declined

  // Results of clock actions.
  case clockedIn, clockedOut, breakStarted, breakEnded, tookOver, blocked, askingServer
  case unblocked, mayClockIn, nowClockIn, storedTitle, stored, storedBlocked, keptTitle
  case overrideReason, clockInAnyway
  case keptBlocked = "kept_blocked"
  case keptOverlaps = "kept_overlaps"
  case keptTooOld = "kept_too_old"
  case keptOutOfOrder = "kept_out_of_order"
  case keptNoOpenShift = "kept_no_open_shift"
  case keptTooManyWaiting = "kept_too_many_waiting"
  case problemOpenElsewhere = "problem_open_elsewhere"
  case problemNoOpenShift = "problem_no_open_shift"
  case problemNotOnBreak = "problem_not_on_break"
  case problemOutOfOrder = "problem_out_of_order"
  case problemOverlapsShift = "problem_overlaps_shift"
  case problemNoWaitingShift = "problem_no_waiting_shift"
  case problemOther = "problem_other"

  // My shifts.
  case noShifts, allShifts, shift, ofShiftTracked, notTracked, addNote, note, noteWho, likely
  case whenEnded, whenEndedWhy, confirmEnd, timeTwice, timeSkipped, notCounted, workingTime
  case withoutBreaks, paidTime, paidTimeWhy, lastSeen
  case whatHappened, endedAtLimit, endedByManager, endConfirmed, anotherPhone, thisPhone
  case offSite, phoneOffline
  case notified, notifiedEnd, managersToo, managersTold, correctedBy
  case confirmTimes, confirmTimesWhy, timesConfirmed, timesApproved
  case objectToTimes, objectWhy, objected, objectionWaits, objectionDecided
  case addedByManager, addedBy, addedWhy, toConfirm, changedMeanwhile, breaks
  case reasonNotAsked = "reason_not_asked"
  case reasonServiceUnavailable = "reason_service_unavailable"
  case reasonAppTerminated = "reason_app_terminated"
  case reasonMockLocation = "reason_mock_location"
  case reasonLowAccuracy = "reason_low_accuracy"
  case reasonPageHidden = "reason_page_hidden"
  case reasonWaitingFirstFix = "reason_waiting_first_fix"
  case reasonResuming = "reason_resuming"
  case reasonNoContact = "reason_no_contact"
  case reasonNoFix = "reason_no_fix"

  // Privacy.
  case privacyNotice, readFirst, noNotice, noticeOf, readAt, confirmRead, whoLooked
  case nobodyLooked
  case auditTrackViewed = "audit_track_viewed"
  case auditTrackExported = "audit_track_exported"
  case auditMapViewed = "audit_map_viewed"
  case auditEmployeeExported = "audit_employee_exported"

  // Records that could not be stored, or were not accepted.
  case unstoredTitle, unstoredWhy, recordsKeptWhy, refused
  case refusedNotTrackingDevice = "refused_not_tracking_device"
  case refusedTooLate = "refused_too_late"
  case refusedInvalid = "refused_invalid"
}
