import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// An older offline clock action is kept for review.
let actionAgeMax = TimeSpan.hours(24)

/// What all clock actions share: their time, what was sent with them, and the answer for a repeat.
struct TimedClockAction {
  let action: ClockAction
  let device: DeviceID
  let receivedAt: Instant
  let at: Instant
  /// How long before sending it was made, by the phone's clock.
  let age: TimeSpan
  var sentReport: TimedReport?
  /// The phone's position, if it was known.
  let fix: ClockActionFix?
  /// `nil` before the device was read.
  private(set) var installation: Installation?

  init(_ action: ClockAction, of device: DeviceID, receivedAt: Instant) {
    self.action = action
    self.device = device
    self.receivedAt = receivedAt
    // A clock may be ahead; nothing starts or ends in the future.
    age = max(action.occurredAt.map { (action.sentAt ?? receivedAt) - $0 } ?? .zero, .zero)
    at = receivedAt - age
    fix = ClockActionFix(
      action.fix, sentAt: action.sentAt, madeAt: at, receivedAt: receivedAt)
    sentReport = action.report.map { report in
      var report = report
      // It describes the time of the clock action, not of the sending.
      report.recordedAt = report.recordedAt ?? action.occurredAt
      return TimedReport(report, of: device, sentAt: action.sentAt, receivedAt: receivedAt)
    }
  }

  /// The position that is stored: with a crossing comes one that may be old.
  var storedFix: ClockActionFix? { action.isByCrossing ? nil : fix }

  var isOffline: Bool { age > onlineAgeMax }

  /// Whether it is too old to count without a review.
  var isTooOld: Bool { age > actionAgeMax }

  /// The clock action with its report ordered after the newest report of `device`.
  /// - Parameter stored: What is already stored of that report.
  func placed(after device: DeviceRow, _ stored: StoredReports) -> TimedClockAction {
    var timed = self
    let installation = Installation(action.installation, of: device, known: stored.installation)
    timed.installation = installation
    timed.sentReport = sentReport?.sent(from: device, by: installation)
      .following(device.newestReport)
    return timed
  }

  /// The clock action as it is decided: if its report has been stored meanwhile by another request,
  /// the stored report is used, with its id, and is not stored again.
  func identified(
    after device: DeviceRow, _ stored: StoredReports
  ) -> (timed: TimedClockAction, held: ReportID?) {
    var timed = placed(after: device, stored)
    let held = sentReport?.report.sequence.flatMap { stored.ids[$0] }
    if held != nil { timed.sentReport = nil }
    return (timed, held)
  }

  /// Has `shift` begin with those of `earlier` that say what the report sent along, or else the
  /// newest one, leaves unknown.
  func noteEarlier(
    _ earlier: [ReceivedReport], newest: PermissionReport?, in shift: ShiftID
  ) -> [SQL] {
    guard let report = sentReport?.report ?? newest else { return [] }
    let meant = earlier.filter { report.overlaid(on: [$0]).state != report.state }
    return meant.isEmpty ? [] : [ShiftStore.noteEarlier(meant.map(\.report.id), in: shift)]
  }

  /// `device` as the report describes it, and the statements that store that description, the
  /// language and the installation.
  func described(_ device: DeviceRow) -> (device: DeviceRow, statements: [SQL]) {
    var (described, statements) = (device, device.noteLanguage(action.language))
    statements += installation?.statements ?? []
    if let sent = sentReport, !sent.isHistory(after: device.newestReport) {
      let (record, describing) = device.described(by: sent.described)
      (described, statements) = (record, statements + describing)
      described.take(sent.report)
    }
    return (described, statements)
  }

  /// The clock action with its answer, to be stored under the employee's next number.
  /// - Parameters:
  ///   - isUnjudged: Whether it is kept whatever the rules decide.
  ///   - reason: Why it would be kept; `nil`: as the outcome says.
  func record(
    _ outcome: ClockActionResult, isUnjudged: Bool = false,
    reason: KeptReason? = nil, shift: Int32?, report: ReportID?, decision: Decision,
    of employee: EmployeeRecord,
    under policy: PolicyRow? = nil
  ) -> ClockActionRecord {
    let isKept = isUnjudged || isOffline && outcome.keptReason != nil
    return ClockActionRecord(
      number: employee.lastClockAction + 1, actionID: action.actionID, device: device,
      bodyHash: action.bodyHash, at: at, receivedAt: receivedAt, outcome: outcome, shift: shift,
      report: report, decision: decision,
      policyVersion: policy?.version ?? employee.policyVersion,
      localDecision: outcome.kind == .clockIn ? action.localDecision : nil,
      needsReview: isKept,
      kept: isKept ? isTooOld ? .tooOld : reason ?? outcome.keptReason : nil)
  }
}

struct ClockActionFix {
  let place: Coordinate
  /// Its time by the server's clock: up to a minute before or after the clock action.
  let at: Instant
  let isMock: Bool
  /// Radius of uncertainty in meters; `nil` if the phone sent none.
  let accuracyMeters: Double?

  /// `nil` when none was sent, or its time does not fit: a missing fix is not an error.
  init?(
    _ ping: IncomingPing?, sentAt: Instant?, madeAt recorded: Instant, receivedAt: Instant
  ) {
    guard let ping, let fix = ping.fix else { return nil }
    let taken = ping.time(sentAt: sentAt, receivedAt: receivedAt)
    let age = recorded - min(taken.instant, receivedAt)
    guard taken.trust != .assumed, age <= actionFixAgeMax,
      .zero - age <= actionFixAgeMax
    else { return nil }
    place = fix.coordinate
    isMock = ping.isMock
    accuracyMeters = fix.accuracyMeters
    at = recorded - age
  }

  var position: ClockInPlace.Position {
    ClockInPlace.Position(place, accuracyMeters: accuracyMeters, isMock: isMock)
  }
}
