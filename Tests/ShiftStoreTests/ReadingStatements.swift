import GuardRules
import Postgres
import ReadModels
import ShiftDomain

@testable import ShiftStore

/// The statements of facts that are read together.
enum ReadingStatements {
  private static let now = Instant(milliseconds: 1_772_438_400_000)
  private static let employee = EmployeeID(7)
  private static let device = DeviceID(employee: employee, number: 1)
  private static let shift = ShiftID(employee: employee, number: 1)

  static let all: [(String, SQL)] = [
    ("open shifts", selectOpenShiftCounts), ("open incidents", selectOpenIncidentCounts),
    ("selectSilentPhones", selectSilentPhones(at: nil)),
    ("selectQuietPhones", selectQuietPhones(at: now)),
    ("selectHeardPhones", selectHeardPhones(at: now, outages: IntervalSet())),
    ("deleteOutages within", deleteOutages(from: now, to: now)),
    ("selectShift", selectShift(shift)),
    ("teams of an employee", teams(of: employee).statements[0]),
    ("countAppInterval", countAppInterval(in: shift)),
    (
      "selectWaitingCrossings",
      selectWaitingCrossings(arrivedBefore: now, leftBefore: now, limit: 1)
    ),
    ("forgetPresence", forgetPresence(of: employee)),
    (
      "selectShiftLeft",
      selectShiftLeft(
        before: now, by: DeviceID(employee: employee, number: 1), with: "region-leave-")
    ),
    ("forgetContents", forgetContents(ofQuarantinedSince: now, from: employee)),
    ("selectTrackingDevices", selectTrackingDevices(of: [employee])),
    ("selectPlannedShift", selectPlannedShift(1, of: employee, at: now)),
    ("selectClockInPlans", selectClockInPlans(of: [employee], at: now...now, ahead: .hours(12))),
    ("selectMissedShifts", selectMissedShifts(at: nil, after: nil, limit: 1)),
    ("selectHiddenPages", selectHiddenPages(at: nil, after: nil, limit: 1)),
    (
      "selectPlannedAttendances",
      selectPlannedAttendances(of: [employee], around: Interval(from: now, to: now))
    ),
    (
      "selectAttendedShifts",
      selectAttendedShifts(of: [employee], around: Interval(from: now, to: now))
    ),
    (
      "selectClockInAttempts",
      selectClockInAttempts(of: [employee], around: Interval(from: now, to: now))
    ),
    ("selectServerHealth", selectServerHealth()), ("selectBeats", selectBeats()),
    ("selectLastPingWeek", selectLastPingWeek()),
    ("selectHasPrivacyNotice", selectHasPrivacyNotice()),
    ("selectTeamsWithoutContact", selectTeamsWithoutContact()),
    ("noteEarlier", noteEarlier([ReportID(1)], in: shift)),
    ("selectEpisodes", selectEpisodes(of: shift)),
    ("selectLateClockActions", selectLateClockActions(of: shift)),
    ("selectArrivals", selectArrivals(inSilencesOf: shift)),
    ("selectRecordedIncidents", selectRecordedIncidents(of: shift)),
    (
      "selectShiftsWithSilences", selectShiftsWithSilences(of: employee, overAfter: now)
    ),
    ("selectIsCorrected", selectIsCorrected(shift)),
    ("selectCorrections", selectCorrections(of: shift)),
    ("selectOriginalSpan", selectOriginalSpan(of: shift)),
    ("selectPlannedEnd", selectPlannedEnd(of: shift)),
    ("selectNotes", selectNotes(on: shift)),
    ("selectPrivacyNotices", selectPrivacyNotices(limit: 20)),
    (
      "selectIncidents",
      selectIncidents(of: employee, number: nil, shift: 1, openOnly: false, limit: 1)
    ),
    ("selectInstallation", selectInstallation("a", on: device)),
    ("selectLastShift", selectLastShift(of: device)),
    ("selectReports of a device", selectReports(of: device, shift: 1, limit: 1)),
    ("selectClockActions of a device", selectClockActions(of: device, since: nil, limit: 1)),
    ("selectPingUploads", selectPingUploads(of: device, shift: nil, limit: 1)),
    (
      "selectDecidedClockIns", selectDecidedClockIns(in: TeamID(1), since: now, limit: 1)
    ),
    ("selectClockActions by id", selectClockActions(["a", "b"], of: device)),
    ("selectIsClockInKept", selectIsClockInKept(of: device, upTo: now)),
    ("selectPolicyInForce", selectPolicyInForce(at: now, for: employee)),
    ("selectLastPageFixes", selectLastPageFixes(before: device, since: now)),
    ("selectBegunShifts", selectBegunShifts(of: employee, byArrivalsWith: "a")),
    ("selectReportIDs", selectReportIDs(of: uploads)),
    ("selectReportIDs of one", selectReportIDs(of: [uploads[0]])),
    ("selectInstallations", selectInstallations(of: uploads)),
    ("selectStarts", selectStarts(of: [shift, shift])),
    ("selectNewestPings", selectNewestPings(of: [shift, shift], begunFrom: now, at: now...now)),
    ("selectNewestPings of one", selectNewestPings(of: [shift], begunFrom: now, at: now...now)),
    (
      "insert app events",
      insert(
        [AppEvent(.restored, in: "s", recordedAt: now, effectiveAt: now)], of: device, at: now)
    ),
    (
      "selectClockActions",
      selectClockActions(in: TeamScope(), awaitingOnly: true, limit: 1, now: now)
    ),
    ("selectClockActions of one", selectClockActions(of: employee, limit: 1, now: now)),
    (
      "countAwaitingClockActions", countAwaitingClockActions(in: TeamScope([TeamID(1)]), now: now)
    ),
    (
      "countAwaitingClockActions of one", countAwaitingClockActions(of: employee, now: now)
    ),
    (
      "selectClockActions from a place on",
      selectClockActions(
        after: ListPlace(at: now, employee: employee, number: 1), limit: 1, now: now)
    ),
    ("selectShiftsToReview", selectShiftsToReview(in: TeamScope(), after: nil, limit: 1, now: now)),
    ("countShiftsToReview", countShiftsToReview(in: TeamScope([TeamID(1)]), now: now)),
    ("noteReviewed", noteReviewed(shift)),
    (
      "selectUnusedOverrides",
      selectUnusedOverrides(
        in: TeamScope(), after: ListPlace(at: now, employee: employee, number: 1), limit: 1,
        now: now)
    ),
    (
      "selectClockActions of some",
      selectClockActions(among: [employee], awaitingOnly: true, limit: 1, now: now)
    ),
    ("selectStatusKeys", selectStatusKeys(of: [device])),
    ("lockAppEvents", lockAppEvents(of: employee)),
    ("deleteAppEvents", deleteAppEvents(before: now)),
    ("selectQuarantine", selectQuarantine(of: device, limit: 1)),
    (
      "selectQuarantine of all",
      selectQuarantine(QuarantineFilter(of: employee), limit: 1)
    ),
    ("countQuarantine", countQuarantine),
    (
      "selectDevicesInQuarantine",
      selectDevicesInQuarantine(of: employee, after: device, limit: 1)
    ),
    ("selectQuarantinedContents", selectQuarantinedContents(of: device)),
    ("selectQuarantinedHashes", selectQuarantinedHashes(of: device)),
    ("deleteQuarantined", deleteQuarantined([0], of: device)),
    ("setReason", setReason("x", ofQuarantined: [0], of: device)),
    ("selectReports", selectReports(of: device, effective: now...now)),
    ("deleteQuarantine", deleteQuarantine(before: now)),
    ("selectIndicators", selectIndicators(in: TeamScope(), from: now, due: now)),
    ("selectGrants", selectGrants(in: TeamScope(), from: now, due: now)),
    ("selectAlwaysGranted", selectAlwaysGranted(in: TeamScope(), from: now, due: now)),
    ("selectRefusalsShown", selectRefusalsShown(in: TeamScope(), from: now, due: now)),
    ("selectServingOverrides", selectServingOverrides(of: [employee], at: now)),
    ("selectServingOverrides of two", selectServingOverrides(of: [employee, employee], at: now)),
    ("selectOverrideUsed", selectOverrideUsed(by: shift)),
    ("selectEmployeesOnShift", selectEmployeesOnShift(in: TeamScope([TeamID(1)]))),
  ]

  /// Of reports of several employees together.
  static let ofMany: [(String, SQL)] = {
    let report = PermissionReport(
      id: ReportID(1), state: PermissionState(authorization: .always), effectiveAt: now)
    let record = EmployeeRecord(
      employee: employee, name: "Ada", teamName: "Field", timeZone: "UTC", version: 1,
      state: GuardState(), policy: .policy(of: .standard), policyVersion: 1,
      lastOverride: 0, lastClockAction: 0)
    let state = GuardState(shift: OpenShift(number: 1, device: 1, startedAt: now, report: report))
    var running = record
    running.state = state
    let begun = StateToWrite(state, after: record)
    let written = StateToWrite(state, after: running)
    return [
      ("updateGuardStates", updateGuardStates([written, written])),
      ("updateGuardStates of a new shift", updateGuardStates([begun])),
      ("setNewestReports", setNewestReports([(report.id, device), (report.id, device)])),
      ("selectGuardStates", selectGuardState(of: [employee, employee])),
      ("selectOpenIncidents", selectOpenIncidents(of: [employee, employee])),
      ("selectDevicesWithTokenHash", selectDevicesWithTokenHash([device, device])),
      ("selectEarlierReports of many", selectEarlierReports(of: [employee, employee])),
      ("selectDevices of many", selectDevices([device, device])),
      ("selectAcknowledgedFindings of many", selectAcknowledgedFindings(on: [device, device])),
      ("selectNewestDevices of many", selectNewestDevices(of: [employee, employee])),
    ]
  }()

  private static let uploads = [
    SentReports(from: device, installation: "a", sequences: [1], copies: now...now),
    SentReports(from: device, installation: nil, sequences: [1, 2]),
  ]

  /// Whether the readings find something.
  static func found(on session: inout Session) throws(PostgresError) -> Bool {
    var decision = DecisionReading(about: [device])
    var upload = UploadReading(of: [uploads[0]])
    try session.run(&decision, &upload)
    var history = HistoryReading(of: shift)
    try session.run(&history)
    var present = PresentReading(of: [(id: shift, startedAt: now)], at: now...now)
    try session.run(&present)
    let span = Interval(from: now, to: now)
    var week = Batch()
    let profiles = week.append(employeeProfiles(of: TeamID(1), activeAfter: now, limit: 1))
    let planned = week.append(plannedShifts(of: [employee], touching: span))
    let absent = week.append(absences(of: [employee], touching: span))
    try session.run(&week)
    return decision[device] != nil || upload[device].installation != nil
      || !upload[device].ids.isEmpty || history.shift.record != nil || history.override != nil
      || present[shift] != nil || !week[profiles].isEmpty || !week[planned].isEmpty
      || !week[absent].isEmpty
  }
}

func board(on days: [TeamDay], on session: inout Session) throws(PostgresError) -> BoardRecords {
  var board = BoardReading(on: days)
  try session.run(&board)
  return board.records
}
