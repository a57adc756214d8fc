import Foundation
import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import TestKit
import TestPrograms
import Testing

@testable import ShiftStore

/// Runs every statement on the migrated schema: a renamed column, a wrong type or a missing table
/// fails here, whatever the rows contain.
@Suite("Statements") struct StatementTests {
  private static let employee = EmployeeID(7)
  private static let device = DeviceID(employee: employee, number: 1)
  private static let shift = ShiftID(employee: employee, number: 1)
  private static let incident = IncidentID(employee: employee, number: 1)
  private static let now = Instant(milliseconds: 1_772_438_400_000)
  private static let hash = [UInt8](repeating: 7, count: 32)
  private static let report = PermissionReport(
    id: ReportID(1), state: PermissionState(authorization: .always), effectiveAt: now)
  private static let openShift = OpenShift(number: 1, device: 1, startedAt: now, report: report)
  private static let confirmedShift = OpenShift(
    number: 1, device: 1, startedAt: now, report: report, takenOverAt: now)
  private static let openIncident = OpenIncident(
    number: 1, kind: .denied, origin: .midShift, openedAt: now, debouncedUntil: now,
    notificationDueAt: nil)
  private static let decision = Decision([], under: .standard)
  private static let row = ReportRow(
    device: device, report: report, receivedAt: now, shift: nil, trigger: nil, source: nil)
  private static let record = EmployeeRecord(
    employee: employee, name: "Ada", teamName: "Field", timeZone: "UTC", version: 1,
    state: GuardState(), policy: .policy(of: .standard), policyVersion: 1,
    lastOverride: 0, lastClockAction: 0)

  static let writes: [(String, SQL)] =
    [
      (
        "insert shift",
        insert(
          openShift, of: employee, under: decision, override: nil, policy: record.policy,
          policyVersion: 1)
      ),
      ("insert report", insert([row])), ("insert reports", insert([row, row])),
      ("insertIfMissing", insertIfMissing([row])),
      ("put durations", put(StoredDurations(CoverageDurations(), outage: .zero), of: shift, at: 1)),
      (
        "insert detection",
        insert(
          DetectionRow(incident, by: ReportID(1), kind: .denied, worsened: false, receivedAt: now))
      ),
      ("measured", measured(ReportID(1), of: employee, elapsed: .seconds(1))),
      ("deleteDetections", deleteDetections(before: now)),
      (
        "insert restoration",
        insert(
          RestorationRow(
            of: device, shift: 1, by: ReportID(1), lostAt: now, restoredAt: now, receivedAt: now,
            skew: nil))
      ),
      ("deleteRestorations", deleteRestorations(before: now)),
      ("selectRestorations", selectRestorations(in: TeamScope(), since: now, limit: 1)),
      ("selectShifts of a list", selectShifts(ListFilter(in: TeamScope()), limit: 1)),
      ("selectTrack", selectTrack(of: shift, after: nil, limit: 1)),
      ("selectShiftDurations", selectShiftDurations(in: EmployeeStatements.period)),
      ("planning", planning(once: true)),
      ("selectBoard", selectBoard(on: [day], only: [7])),
      ("selectShifts", selectShifts(touching: [day], only: nil)),
      (
        "insert clock action",
        insert(
          ClockActionRecord(
            number: 1, actionID: "a", device: device, bodyHash: hash, at: now, receivedAt: now,
            outcome: .blocked, shift: nil, report: nil, decision: decision, policyVersion: 1,
            localDecision: LocalDecision(decision, policyVersion: 1), needsReview: false))
      ),
      ("insert policy", insert(record.policy, version: 2, of: TeamID(1))),
      ("putInForce", putInForce(2, of: TeamID(1), after: 1)),
      (
        "keep",
        keep(Acknowledgement(appSession: "s", findings: FindingSet(.denied)), on: device, at: now)
      ),
      (
        "insert note",
        insert(ShiftNote(number: 1, from: now, to: now, text: "x", createdAt: now), on: shift)
      ),
      ("insert incident", insert(openIncident, of: shift, device: 1)),
      ("write", write(RecordedIncident(openIncident, on: 1), of: shift)),
      ("insertGuardState", insertGuardState(of: employee)),
      ("insertEnrolmentCode", insertEnrolmentCode(hash: hash, of: employee, expiresAt: now)),
      ("updateGuardState", updateGuardState(GuardState(shift: openShift), after: record)),
      ("takeDeviceNumber", takeDeviceNumber(of: employee)),
      ("deleteReportsOffShift", deleteReportsOffShift(of: device, before: report)),
      ("assign", assign(report.id, to: shift)), ("holdShifts", holdShifts(of: [employee])),
      ("holdShifts of several", holdShifts(of: [employee, EmployeeID(8)])),
      ("selectVersions", selectVersions(of: [7])),
      ("selectVersions of several", selectVersions(of: [7, 8])),
      ("selectPoliciesInForce", selectPoliciesInForce(of: [TeamID(1)])),
      ("selectStates", selectStates(of: [7])), ("selectTokens", selectTokens(of: [7])),
      ("lockOutUploads", lockOutUploads(of: employee)),
      ("lockAgainstErasure", lockAgainstErasure(of: employee)),
      ("setNewestReports", setNewestReports([(report.id, device)])),
      ("revoke", revoke(device, at: now)),
      ("revokeAPIToken", revokeAPIToken(1, at: now)),
      ("upsert", upsert([Pulse(device: device, tokenHash: [], receivedAt: now)])),
      ("beat", beat(of: 1, "0.2.0", at: now)), ("markStopped", markStopped(1)),
      ("selectSilent", selectSilent(at: now, outages: IntervalSet(), after: nil, limit: 1)),
      ("selectHeardAgain", selectHeardAgain(at: now, after: nil, limit: 1)),
      ("selectHeardTooLate", selectHeardTooLate(at: now, outages: .init(), after: nil, limit: 1)),
      ("deleteHeartbeats", deleteHeartbeats(before: now)),
      ("deleteOutages", deleteOutages(before: now)),
      ("insertOutage", insertOutage(from: now, to: now + .seconds(6))),
      ("noteTold", noteTold(incident)), ("withdraw", withdraw(incident)),
      (
        "recordNotification",
        recordNotification(
          ShiftNotification(.incident, subject: 1, kind: .denied, dueAt: now, isUrgent: true),
          of: employee)
      ),
      ("noteCancelled", noteCancelled(incident, ordinal: 1)),
      ("close", close(incident, at: now, .restored)),
      (
        "explainSilence", explainSilence(of: device, shift: 1, around: now, by: .denied)
      ),
      ("selectLastTakeOver", selectLastTakeOver(of: shift)),
      ("selectDevicesWithTokenHash", selectDevicesWithTokenHash([device])),
      ("selectDevices", selectDevices([device])),
      ("selectEarlierReports", selectEarlierReports(of: [employee])),
      ("selectAcknowledgedFindings", selectAcknowledgedFindings(on: [device])),
      ("selectNewestDevices", selectNewestDevices(of: [employee])),
      (
        "setDescription",
        setDescription(of: device, osVersion: "14", model: nil, app: "Shifts 3.2", appName: nil)
      ),
      ("addInstallation", addInstallation("a", number: 1, of: device)),
      ("setLanguage", setLanguage("pl", of: device)),
      ("selectGuardState", selectGuardState(of: [employee])),
      ("selectSilenceEvidence", selectSilenceEvidence(of: employee)),
      ("selectAnnounced", selectAnnounced(around: Interval(from: now, to: now), by: device, in: 1)),
      ("selectPositions", selectPositions(around: now, of: device, in: 1, since: now)),
      ("selectReports", selectReports(since: NewSilence(of: device, in: 1, due: now, end: nil))),
      ("selectOpenIncidents", selectOpenIncidents(of: [employee])),
      ("selectOpenIncidentsIn", selectOpenIncidents(in: [1], only: nil)),
      (
        "insert pings",
        insert(
          [
            PingRow(
              ping: Ping(recordedAt: now, effectiveAt: now, fix: nil), device: device, shift: 1,
              receivedAt: now)
          ], under: [EmployeeVersion(employee, 1)])
      ),
    ] + managerStatements + rollup
    + several.flatMap { name, statements in statements.map { (name, $0) } }
    + places + SiteStatements.writes + AwayStatements.all + AccountStatements.writes
    + EmployeeStatements.writes + ReadingStatements.all + ReadingStatements.ofMany

  private static let places: [(String, SQL)] =
    Coordinate(latitude: 45, longitude: 13).map { place in
      [
        (
          "noteStart",
          noteStart(
            of: shift, at: place, takenAt: now, isMock: false, accuracyMeters: 5)
        ),
        (
          "noteEnd",
          noteEnd(
            of: shift, at: place, takenAt: now, isMock: true, accuracyMeters: nil)
        ),
      ]
    } ?? []

  private static let overrideRow = OverrideRow(
    employee: employee, number: 1, findings: .all, author: .manager, givenBy: "Mira",
    reason: "why", createdAt: now, expiresAt: now)
  private static let correction = CorrectionRow(
    shift: shift, number: 1, old: ShiftSpan(from: now, to: nil),
    new: ShiftSpan(from: now + .hours(1), to: now + .hours(2)), correctedBy: "Mira",
    correctedAt: now, reason: "why")
  private static let waiting = ClockActionRow(
    device: device, number: 1, at: now, receivedAt: now, outcome: .blocked, shift: nil,
    report: nil, decision: decision, policyVersion: 1, needsReview: true, review: nil)
  private static let managerStatements: [(String, SQL)] = [
    ("insert override", insert(overrideRow)),
    ("insert correction", insert(correction)),
    ("useOverride", useOverride(1, by: shift)),
    ("withdrawOverride", withdrawOverride(1, of: employee, at: now)),
    (
      "storeReview",
      storeReview(waiting, ClockActionReview(.accepted, at: now, by: "Mira", reason: nil))
    ),
  ]

  private static let span = PingSpan(shift: shift, device: 1, recorded: now...now)
  private static let rollup: [(String, SQL)] = [
    ("put", put(ContactRuns(), of: shift, after: 0)),
    ("markDirty", markDirty(shift, recorded: now...now)),
    ("seal", seal(before: now)),
    ("deletePingsOutsideWeeks", deletePingsOutsideWeeks(before: now)),
    ("deletePingsAhead", deletePingsAhead(before: now)),
    ("selectRollup", selectRollup(of: [shift])),
    ("selectCoveragePings of a shift", selectCoveragePings(of: shift)),
    ("selectCoveragePings in spans", selectCoveragePings(in: [span])),
    ("selectOutages", selectOutages(of: [shift])),
    ("selectBreaks of shifts", selectBreaks(of: [shift])),
    ("selectTakeOvers of shifts", selectTakeOvers(of: [shift])),
    ("selectCoverageReports", selectCoverageReports(of: [shift])),
    ("selectSilences", selectSilences(of: [shift])),
    ("selectReceiptGaps", selectReceiptGaps(of: [shift])),
  ]
  private static let astray = PingRow(
    ping: Ping(recordedAt: now - .hours(1), effectiveAt: now, fix: nil), device: device, shift: 1,
    receivedAt: now)

  private static let several: [(String, [SQL])] = CorrectedBreakStatements.all + others

  private static let others: [(String, [SQL])] = [
    ("writeProbe", writeProbe),
    ("pollNow of a team", pollNow(at: TeamID(1), now: nil)),
    ("pollNow of employees", pollNow(at: [employee], now: nil)),
    ("deletePings", deletePings(of: shift, from: now, to: nil)),
    ("dirtyMarks", dirtyMarks(for: [astray]) { _ in true }),
    (
      "apply",
      apply(
        correction, wasEndedByManager: false, setsEnd: true)
    ),
    ("undo", undo(correction, by: correction, counting: correction.old)),
    ("endSpan", endSpan(of: shift, at: now, by: .limit)),
    ("purgeLater", purgeLater(shift, from: now, to: nil, .outsideShift, at: now)),
    ("keepCounted of a closed span", keepCounted(of: shift, in: correction.new)),
    ("keepCounted of an open span", keepCounted(of: shift, in: ShiftSpan(from: now, to: nil))),
    ("purge", purge(shift, before: now, startFixAgeMax: .seconds(60))),
    ("selectTrackedShifts", selectTrackedShifts(of: [7], since: now)),
    ("end", end(shift, at: now, by: .limit, sealedAt: now)),
    ("end, confirmed", end(shift, at: now, by: .employee, sealedAt: nil)),
    (
      "confirm",
      confirm(
        confirmedShift, of: employee, under: decision, override: 1, policy: record.policy,
        policyVersion: 1, offlineReceipt: now, askedFrom: now)
    ),
    ("moveStart", moveStart(of: shift, to: now, at: now)),
    ("insertBreak", insertBreak(1, of: shift, from: now, receivedAt: now)),
    ("endBreak", endBreak(of: shift, from: now - .hours(1), at: now)),
    (
      "insertTakeOver",
      insertTakeOver(TrackingSpan(device: 1, since: now), of: shift, on: nil, at: now)
    ),
  ]

  @Test("run on the migrated schema, even if their rows are refused")
  func run() async throws {
    try await withDatabase { pool in
      for (name, sql) in Self.writes {
        do {
          try await pool.transaction { (session) throws(PostgresError) in
            _ = try session.execute(sql)
          }
        } catch PostgresError.constraint {
          // The schema knows the statement; this row had no employee to belong to.
        } catch {
          Issue.record("\(name): \(error)")
        }
      }
    }
  }

  @Test("are all listed in this test")
  func complete() throws {
    let folder = projectFolder.appending(path: "Sources/ShiftStore")
    let named = Set(Self.writes.map { String($0.0.prefix { $0 != " " }) })
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for function in text.components(separatedBy: "func ").dropFirst() {
        let signature = function.prefix { $0 != "{" }
        guard signature.contains("-> SQL") || signature.contains("-> [SQL]") else { continue }
        let name = String(signature.prefix { $0 != "(" })
        #expect(named.contains(name), "\(file): `\(name)` is not tested")
      }
    }
  }

  @Test("that read one employee find nothing in an empty database")
  func readsOfOne() async throws {
    try await withDatabase { pool in
      try await pool.transaction { (session) throws(PostgresError) in
        let (employee, device, shift) = (Self.employee, Self.device, Self.shift)
        #expect(try gather(device, on: &session) == nil)
        #expect(try gather(employee, on: &session) == nil)
        #expect(try ShiftStore.shift(shift, on: &session) == nil)
        var tracked = TrackedShiftsReading(of: employee, since: Self.now)
        try session.run(&tracked)
        #expect(tracked.found.isEmpty)
        #expect(try coveragePings(of: shift, on: &session).isEmpty)
        #expect(try surroundings(of: [shift], on: &session) == [ShiftSurroundings()])
        let always = Instant(milliseconds: 0)...Instant(milliseconds: 1)
        #expect(try recordedTimes(of: device, in: always, on: &session).isEmpty)
        #expect(try reportSequences(of: device, in: 1...9, on: &session).isEmpty)
        #expect(try session.value(of: clockActions(["a"], of: device)).isEmpty)
        #expect(try installationNumber(of: "a", on: device, &session) == nil)
        #expect(
          try enrolmentCodeUse(hash: Self.hash, of: employee, now: Self.now, on: &session) == nil)
        #expect(try silenceCases(of: [employee], outages: IntervalSet(), on: &session).isEmpty)
        #expect(try override(1, of: employee, on: &session) == nil)
        #expect(try servingOverride(of: employee, at: Self.now, on: &session) == nil)
        #expect(try corrections(of: shift, on: &session).isEmpty)
        #expect(try ShiftStore.report(ReportID(1), of: employee, on: &session) == nil)
        let inTheWay = try shiftInTheWay(
          of: Self.correction.new, besides: nil, of: employee, on: &session)
        #expect(inTheWay == nil)
        let used = try useEnrolmentCode(hash: Self.hash, for: device, now: Self.now, on: &session)
        #expect(!used)
        let again = try useEnrolmentCodeAgain(
          hash: Self.hash, for: device, replacing: device, on: &session)
        #expect(!again)
        #expect(try policies(of: TeamID(1), limit: 1, on: &session).isEmpty)
        #expect(try policy(1, of: TeamID(1), on: &session) == nil)
        #expect(try policy(nil, of: TeamID(1), on: &session) == nil)
        let held = try holdPolicy(of: TeamID(1), on: &session)
        #expect(!held)
      }
    }
  }

  @Test("that list all employees find nothing in an empty database")
  func readsOfAll() async throws {
    try await withDatabase { pool in
      try await pool.transaction { (session) throws(PostgresError) in
        #expect(try devices(of: nil, on: &session).isEmpty)
        #expect(try shifts(of: nil, openOnly: true, limit: 1, on: &session).isEmpty)
        #expect(
          try incidents(of: nil, number: nil, openOnly: false, limit: 1, on: &session).isEmpty)
        #expect(try overrides(of: nil, limit: 1, on: &session).isEmpty)
        #expect(
          try clockActions(of: nil, awaitingOnly: true, limit: 1, now: Self.now, on: &session)
            .isEmpty)
        #expect(try teams(on: &session).isEmpty)
        #expect(try team(TeamID(1), on: &session) == nil)
        #expect(try apiTokens(number: 1, on: &session).isEmpty)
        #expect(try teamDays(in: TeamScope([TeamID(1)]), on: &session).isEmpty)
        #expect(try board(on: [Self.day], on: &session) == BoardRecords())
        #expect(try boardMarks(on: &session).isEmpty)
        #expect(
          try detections(in: TeamScope(), since: Self.now, limit: 1, on: &session).isEmpty)
        #expect(
          try restorations(in: TeamScope(), since: Self.now, limit: 1, on: &session).isEmpty)
        let list = ListFilter(in: TeamScope([TeamID(1)]))
        #expect(try shifts(list, limit: 1, on: &session).isEmpty)
        #expect(try incidents(list, limit: 1, on: &session).isEmpty)
        #expect(try shifts(of: TeamID(1), from: Self.now, to: Self.now, on: &session).isEmpty)
        #expect(try shiftsToRollUp(limit: 1, on: &session).isEmpty)
        #expect(try shiftsWithoutDurations(since: Self.now, limit: 1, on: &session).isEmpty)
        #expect(try shiftsInDoubt(since: Self.now, on: &session).isEmpty)
        #expect(try unsealedShifts(before: Self.now, limit: 1, on: &session).isEmpty)
        #expect(try shiftRecords(of: [Self.shift], on: &session).isEmpty)
        #expect(try dropPingWeek(before: Self.now, on: &session) == nil)
        #expect(try dueEmployees(at: nil, after: nil, limit: 1, on: &session).isEmpty)
        #expect(try listening(at: nil, on: &session).beats.isEmpty)
        #expect(try outages(from: Self.now, to: Self.now, on: &session).intervals.isEmpty)
        #expect(
          try silenceCandidates(
            at: Self.now, outages: IntervalSet(), after: nil, limit: 1, on: &session
          ).isEmpty)
        #expect(try dueTime(of: Self.employee, at: Self.now, on: &session) == nil)
        #expect(try installationCounts(on: &session).employees == 0)
        #expect(try AccountStatements.found(on: &session) == nil)
        #expect(try !ReadingStatements.found(on: &session))
      }
    }
  }

  private static let day = TeamDay(team: TeamID(1), name: "Field", timeZone: "UTC")

  @Test("that update the guard state let one of several writers win")
  func compareAndSet() async throws {
    try await withDatabase { pool in
      try await pool.transaction { (session) throws(PostgresError) in
        let team = try addTeam(
          name: "Field", timeZone: "UTC", policy: Self.record.policy, on: &session)
        _ = try addEmployee(Self.employee, name: "Ada", team: team, on: &session)
        try session.execute("UPDATE guard_state SET version = \(Self.record.version)")
      }
      let won = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask {
            try await pool.transaction { (session) throws(PostgresError) in
              try session.execute(updateGuardState(GuardState(), after: Self.record))
            }
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(won == 1)
    }
  }
}
