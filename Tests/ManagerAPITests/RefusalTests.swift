import Foundation
import GuardRules
import HTTPAPI
import HTTPServing
import ReadModels
import ShiftDomain
import TestPrograms
import Testing

@testable import InstallationOperations
@testable import ManagerAPI
@testable import ManagerCore
@testable import ManagerOperations
@testable import NotificationOperations
@testable import OperationCore
@testable import PeopleOperations
@testable import PolicyOperations
@testable import ReviewOperations
@testable import ShiftStore

/// What every refusal says to a client, to a manager and to an operator.
@Suite("Refusals") struct RefusalTests {
  typealias Row = (outcome: any Refusing, status: Int, code: String)

  private static let shift = ShiftID(employee: EmployeeID(7), number: 4)
  private static let at = Instant(milliseconds: 1_000)
  private static let team = TeamRow(
    team: TeamID(1), name: "North", timeZone: "UTC", policyVersion: 1, preset: .standard,
    employees: 0)
  private static let employee = EmployeeProfile(
    EmployeeID(7), name: "Anna", email: nil, team: TeamID(1))
  private static let account = AccountRow(
    AccountID(1), email: "a@b.c", AccountSettings(name: "A", role: .manager),
    createdAt: at)
  private static let policy = PolicyRow(
    team: TeamID(1), version: 2, createdAt: at, isInForce: true, policy: .policy(of: .standard))
  private static let plannedPolicy = PlannedPolicy(
    team: TeamID(1), former: 2, createdAt: at, validFrom: at, savedBy: "Mira",
    policy: .policy(of: .standard))
  private static let override = OverrideRow(
    employee: EmployeeID(7), number: 1, findings: [.init(.denied)], author: .manager,
    givenBy: "Mira", reason: "r", createdAt: at, expiresAt: at)
  private static let absence = Absence(
    id: 1, employee: EmployeeID(7), span: Interval(from: at, to: at + .hours(1)), note: nil,
    createdBy: "M")
  private static let plannedShift = PlannedShift(
    id: 9, employee: EmployeeID(7), span: Interval(from: at, to: at + .hours(1)),
    createdBy: "Mira")
  private static let shiftRow = ShiftRow(
    shift: shift, name: "Anna", device: 1, startedAt: at, verdict: .allow,
    settings: TrackingSettings(of: .policy(of: .standard), version: 1), shiftMax: .hours(16),
    notAsked: IntervalSet(),
    needsReview: false)

  private static func clockAction(_ review: ClockActionReview? = nil) -> ClockActionRow {
    ClockActionRow(
      device: DeviceID(employee: EmployeeID(7), number: 1), number: 5, at: at, receivedAt: at,
      outcome: .blocked, decision: Decision([], under: Policy.policy(of: .standard).severities),
      policyVersion: 1, needsReview: true, review: review)
  }

  private static let reviewed = clockAction(
    ClockActionReview(.dismissed, at: at, by: "M", reason: nil))

  static let rows: [Row] = [
    (TeamOutcome.nameTaken, 409, "name_taken"),
    (TeamOutcome.noTimeZone, 422, "invalid_body"),
    (TeamOutcome.changedMeanwhile(team), 412, "changed_meanwhile"),
    (EmployeeOutcome.noSuchTeam(TeamID(9)), 422, "invalid_body"),
    (EmployeeOutcome.noAddress, 422, "invalid_body"),
    (EmployeeOutcome.numberTaken, 409, "number_taken"),
    (EmployeeOutcome.onShift(shift), 409, "on_shift"),
    (RehearsalOutcome.tooMany, 409, "too_many_rehearsals"),
    (EmployeeOutcome.staysInPractice, 409, "practice_employee"),
    (EmployeeOutcome.changedMeanwhile(employee), 412, "changed_meanwhile"),
    (PlannedShiftOutcome.overlaps(plannedShift), 409, "overlaps_planned_shift"),
    (TeamRemoval.hasEmployees(TeamID(1)), 409, "team_has_employees"),
    (TeamRemoval.hasHistory(TeamID(1)), 409, "team_has_history"),
    (WeekCopyOutcome.sameWeek, 422, "invalid_body"), (WeekCopyOutcome.over, 409, "week_over"),
    (PlannedShiftOutcome.over, 409, "planned_shift_over"),
    (PlannedShiftOutcome.worked, 409, "planned_shift_worked"),
    (PlannedShiftOutcome.inThePast, 409, "planned_shift_in_the_past"),
    (PlannedShiftOutcome.unknownSite(9, TeamID(1)), 422, "invalid_body"),
    (PlannedShiftOutcome.tooManySites, 422, "invalid_body"),
    (AbsenceOutcome.overlaps(absence), 409, "overlaps_absence"),
    (AbsenceOutcome.badLength, 422, "invalid_body"), (AbsenceOutcome.badNote, 422, "invalid_body"),
    (PolicyOutcome.changedMeanwhile(policy), 412, "changed_meanwhile"),
    (PlannedPolicyOutcome.anotherWaits(plannedPolicy), 409, "policy_already_planned"),
    (PlannedPolicyOutcome.inThePast, 409, "policy_in_the_past"),
    (PlannedPolicyOutcome.tooFarAhead, 409, "policy_too_far_ahead"),
    (PlannedPolicyOutcome.nothingChanged, 409, "policy_unchanged"),
    (PlannedPolicyDiscard.inForce(policy), 409, "policy_in_force"),
    (PlannedPolicyOutcome.changedMeanwhile(policy), 412, "changed_meanwhile"),
    (RetentionOutcome.changedMeanwhile(.standard), 412, "changed_meanwhile"),
    (PayrollOutcome.changedMeanwhile(.standard), 412, "changed_meanwhile"),
    (ReopeningOutcome.notApproved, 409, "not_approved"),
    (ReopeningOutcome.own, 403, "own_approval"),
    (AccountOutcome.emailTaken, 409, "email_taken"),
    (AccountOutcome.weak(.tooShort), 422, "invalid_body"),
    (AccountOutcome.weak(.tooLong), 422, "invalid_body"),
    (AccountOutcome.weak(.guessable), 422, "invalid_body"),
    (AccountOutcome.noSuchTeam(TeamID(9)), 422, "invalid_body"),
    (AccountOutcome.noSuchEmployee(EmployeeID(9)), 422, "invalid_body"),
    (AccountOutcome.lastAdministrator, 409, "last_administrator"),
    (AccountOutcome.changedMeanwhile(account), 412, "changed_meanwhile"),
    (PasswordOutcome.wrong, 403, "wrong_password"),
    (PasswordOutcome.weak(.guessable), 422, "invalid_body"),
    (PasswordOutcome.throttled(.seconds(30)), 429, "too_many_attempts"),
    (LoginOutcome.refused, 401, "login_refused"),
    (LoginOutcome.throttled(.seconds(30)), 429, "too_many_attempts"),
    (OverrideOutcome.selfOverrideForbidden, 403, "own_override"),
    (OverrideOutcome.changedMeanwhile(override), 412, "changed_meanwhile"),
    (OverrideOutcome.changedMeanwhile(nil), 412, "changed_meanwhile"),
    (WithdrawalOutcome.used(override), 409, "override_used"),
    (ReviewOutcome.alreadyReviewed(reviewed), 409, "already_reviewed"),
    (ReviewOutcome.nothingToReview, 409, "nothing_to_review"),
    (ReviewOutcome.needsCorrection, 409, "needs_correction"),
    (ReviewOutcome.selfOverrideForbidden, 403, "own_override"),
    (ReviewOutcome.deviceRevoked, 409, "device_revoked"),
    (ReviewOutcome.laterShiftOpen(shift), 409, "later_shift_open"),
    (ReviewOutcome.overlaps(shift), 409, "overlaps_shift"),
    (CorrectionOutcome.tooMany, 409, "too_many_corrections"),
    (CorrectionOutcome.outOfOrder, 409, "out_of_order"),
    (CorrectionOutcome.overlaps(shift), 409, "overlaps_shift"),
    (CorrectionOutcome.clockActionNotWaiting(clockAction()), 409, "nothing_to_review"),
    (CorrectionOutcome.clockActionNotWaiting(reviewed), 409, "already_reviewed"),
    (CorrectionOutcome.noPlannedEnd, 409, "no_planned_end"),
    (
      CorrectionOutcome.changedMeanwhile(ShiftTimes(shiftRow, breaks: [])), 412, "changed_meanwhile"
    ),
    (AdditionOutcome.overlaps(shift), 409, "overlaps_shift"),
    (AcceptedTimes.needsAdministrator, 403, "administrator_needed"),
    (CorrectionOutcome.approved(ShiftApproval(by: "M", at: at)), 409, "shift_approved"),
    (UndoOutcome.notNewest, 409, "not_newest_correction"),
    (UndoOutcome.tooLate, 409, "too_late_to_undo"),
    (UndoOutcome.outOfOrder, 409, "out_of_order"),
    (UndoOutcome.overlaps(shift), 409, "overlaps_shift"),
    (UndoOutcome.approved(ShiftApproval(by: "M", at: at)), 409, "shift_approved"),
    (ErasureOutcome.onShift(shift), 409, "shift_open"),
    (ContactOutcome.alreadyThere("a@b", TeamID(1), .email), 409, "contact_exists"),
    (ContactOutcome.notAnAddress("a", .webhook), 422, "invalid_body"),
    (ContactOutcome.tooMany(TeamID(1)), 409, "too_many_contacts"),
    (BrowserOutcome.notASubscription, 422, "invalid_body"),
    (BrowserOutcome.tooMany, 409, "too_many_browsers"),
    (ContactOutcome.noTopic, 422, "invalid_body"),
    (ContactOutcome.noDigest(.webhook), 422, "invalid_body"),
    (ContactOutcome.notTheirTeam(AccountID(1)), 409, "not_their_team"),
    (DigestCopyOutcome.noShift(TeamID(1)), 409, "no_shift"),
    (DigestCopyOutcome.noEmployee(TeamID(1)), 409, "no_employee"),
    (DigestCopyOutcome.noContact(TeamID(1)), 409, "not_a_contact"),
    (ContactOutcome.practiceTeam, 409, "practice_team"),
    (SiteOutcome.nameTaken("a", TeamID(1)), 409, "site_exists"),
    (SiteOutcome.tooMany(TeamID(1)), 409, "too_many_sites"),
    (SiteOutcome.badName, 422, "invalid_body"), (SiteOutcome.badRadius, 422, "invalid_body"),
    (ContactTestOutcome.noEmployee(TeamID(1)), 409, "no_employee"),
    (ReminderOutcome.nothingToRestore, 409, "nothing_to_restore"),
    (ReminderOutcome.noChannel, 409, "no_channel"),
    (ReminderOutcome.tooSoon(until: at, wait: .seconds(61)), 409, "reminded_recently"),
    (
      DeviceTestOutcome.noPushAddress(DeviceID(employee: EmployeeID(7), number: 1)), 409,
      "no_push_address"
    ),
  ]

  /// Each fault of a span, in the outcomes that have one.
  static let spans: [Row] = SpanFault.allCases.flatMap { fault -> [Row] in
    [
      (ReviewOutcome.impossible(fault), 409, fault.code),
      (CorrectionOutcome.impossible(fault), 409, fault.code),
      (AdditionOutcome.impossible(fault), 409, fault.code),
    ]
  }

  /// The codes in openapi.yaml, by status.
  private static func listed() throws -> [Int: Set<String>] {
    let file = projectFolder.appending(path: "openapi.yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.matches(of: /\n    \| (\d{3}) \| (.*)/).reduce(into: [:]) { listed, row in
      listed[Int(row.1) ?? 0] = Set(row.2.matches(of: /`([a-z_]+)`/).map { String($0.1) })
    }
  }

  private static func refusal(by outcome: any Refusing) -> Refusal? {
    do throws(Refusal) {
      _ = try outcome.get()
      return nil
    } catch {
      return error
    }
  }

  @Test("each refusal has its code, its status and a sentence, and openapi.yaml lists the code")
  func walk() throws {
    let listed = try Self.listed()
    for row in Self.rows + Self.spans {
      let refusal = try #require(Self.refusal(by: row.outcome), "\(row.outcome)")
      let problem = Problem(for: refusal)
      #expect(refusal.code == row.code && problem.code == row.code, "\(row.outcome)")
      #expect(problem.status == row.status, "\(row.outcome)")
      #expect(problem.detail == refusal.sentence, "\(row.outcome)")
      // As the command line shows it; a page makes it a sentence with a capital and a full stop.
      #expect(refusal.sentence.first?.isLowercase == true && refusal.sentence.last != ".")
      #expect(refusal.sentence.split(separator: " ").count > 2, "\(refusal.sentence)")
      let isListed = listed[row.status]?.contains(row.code) == true
      #expect(isListed, "\(row.code)")
    }
  }

  @Test("no code of a refusal in the sources is missing here") func complete() throws {
    let folder = projectFolder.appending(path: "Sources")
    let useCases = [
      "OperationCore", "ManagerCore", "PeopleOperations", "PolicyOperations", "ReviewOperations",
      "InsightOperations", "NotificationOperations", "InstallationOperations",
    ]
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
      .filter { file in useCases.contains { file.hasPrefix("\($0)/") } }
    var written: Set<String> = []
    for file in files {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      let refusals =
        /(?:conflict\(\s*|Refusal\(\s*\.[^"]*|self\.init\(\s*\.[^"]*)"([a-z]+_[a-z_]+)"/
      written.formUnion(text.matches(of: refusals).map { String($0.1) })
    }
    // Those of `OperationError`, and of one decision among several, which are no outcome.
    let others: Set = ["not_found", "invalid_request", "employee_inactive", "try_again"]
    let walked = Set((Self.rows + Self.spans).map(\.code)).subtracting(
      SpanFault.allCases.map(\.code))
    #expect(
      written.subtracting(others).subtracting(["invalid_body"])
        == walked.subtracting(["invalid_body"]))
    #expect(written.isSuperset(of: others))
  }

  @Test("a changed object is in the problem with its tag, and another one without")
  func subjects() throws {
    for row in Self.rows + Self.spans {
      let refusal = try #require(Self.refusal(by: row.outcome))
      let problem = Problem(for: refusal)
      let shown = refusal.subject.map { problem.adding($0) } ?? problem
      #expect((shown.headers["ETag"] != nil) == (row.status == 412), "\(row.outcome)")
      #expect(
        (shown.extensions.members.count > problem.extensions.members.count)
          == (refusal.subject != nil && refusal.subject != .newestOverride(nil)),
        "\(row.outcome)")
    }
    #expect(Problem(for: Refusal.throttled(.milliseconds(1))).headers["Retry-After"] == "1")
    let login = try #require(Self.refusal(by: LoginOutcome.refused))
    #expect(Problem(for: login).headers["WWW-Authenticate"] == "Bearer")
  }
}

/// An outcome whose refusals are walked.
protocol Refusing: Sendable {
  associatedtype Success
  func get() throws(Refusal) -> Success
}

extension TeamOutcome: Refusing {}
extension TeamRemoval: Refusing {}
extension WeekCopyOutcome: Refusing {}
extension DigestCopyOutcome: Refusing {}
extension EmployeeOutcome: Refusing {}
extension PlannedShiftOutcome: Refusing {}
extension AbsenceOutcome: Refusing {}
extension PolicyOutcome: Refusing {}
extension PlannedPolicyDiscard: Refusing {}
extension PlannedPolicyOutcome: Refusing {}
extension RetentionOutcome: Refusing {}
extension PayrollOutcome: Refusing {}
extension ReopeningOutcome: Refusing {}
extension AccountOutcome: Refusing {}
extension PasswordOutcome: Refusing {}
extension LoginOutcome: Refusing {}
extension OverrideOutcome: Refusing {}
extension WithdrawalOutcome: Refusing {}
extension ReviewOutcome: Refusing {}
extension CorrectionOutcome: Refusing {}
extension UndoOutcome: Refusing {}
extension AdditionOutcome: Refusing {}
extension AcceptedTimes: Refusing {}
extension ErasureOutcome: Refusing {}
extension ContactOutcome: Refusing {}
extension BrowserOutcome: Refusing {}
extension SiteOutcome: Refusing {}
extension RehearsalOutcome: Refusing {}
extension ContactTestOutcome: Refusing {}
extension ReminderOutcome: Refusing {}
extension DeviceTestOutcome: Refusing {}
