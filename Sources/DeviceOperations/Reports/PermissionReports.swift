import GuardRules
import Guidance
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension DeviceOperations {
  package func report(
    _ incoming: IncomingReport, sentAt: Instant?, installation: String? = nil,
    from credential: DeviceCredential, receipt: Receipt
  ) async throws(OperationError) -> ReportOutcome {
    let upload = try await report(
      [incoming], sentAt: sentAt, installation: installation, from: credential, receipt: receipt)
    guard let only = upload.items.first else { preconditionFailure("a report has no answer") }
    return ReportOutcome(
      report: only.report, disposition: only.disposition, snapshot: upload.snapshot,
      wantsFixNow: upload.wantsFixNow, detection: upload.detection)
  }

  /// Stores one upload of permission reports: history, current state, incidents and notifications
  /// in one transaction. All go into history, and the newest determines the current state: nobody
  /// is notified of a denial that has already been fixed.
  /// - Parameters:
  ///   - incoming: At most 100; an empty upload is a sign of life.
  ///   - installation: The id of the app's installation; `nil`: the enrolment counts as the
  ///     installation.
  ///   - language: The requested language; `nil` when none of those requested is supported.
  package func report(
    _ incoming: [IncomingReport], sentAt: Instant?, installation name: String? = nil,
    language: Language? = nil, from credential: DeviceCredential, receipt: Receipt
  ) async throws(OperationError) -> ReportUploadOutcome {
    let timedReports = incoming.map {
      TimedReport($0, of: credential.device, sentAt: sentAt, receivedAt: receipt.at)
    }
    var (outcome, detected, notifications): UploadResult = try await core.transact {
      (session) throws(PostgresError) in
      guard let inputs = try admit(credential, at: receipt.at, on: &session) else {
        return .refused(.unauthorized)
      }
      let installation = try Installation(name, of: inputs.device, on: &session)
      let upload = try ReportUpload(
        timedReports, by: installation, after: inputs.device.newestReport, on: &session)
      guard let present = upload.present else {
        let snapshot = try snapshotWithOverride(
          inputs.employee, inputs.device, at: receipt.at, on: &session)
        return .done((upload.outcome(.duplicate, snapshot, nil), nil, []))
      }
      return try take(upload, present, inputs, installation, language, on: &session)
    }
    outcome.snapshot.clock = DeviceClock(
      recorded: incoming.map(\.recordedAt), sentAt: sentAt, receivedAt: receipt.at)
    for timedReport in timedReports {
      lastSeen.note(
        Pulse(
          device: credential.device, receivedAt: receipt.at,
          sign: Pulse.Sign(at: min(timedReport.report.effectiveAt, receipt.at))))
    }
    latencies.note(notifications, readAt: receipt.monotonic)
    if let detected {
      let span = ContinuousClock.now - receipt.monotonic
      outcome.detection = span
      detectionSamples.note(detected, of: credential.device.employee, took: span)
    }
    return outcome
  }
}

/// The current state with the decision under the override that a clock-in would use now.
func snapshotWithOverride(
  _ employee: EmployeeRecord, _ device: DeviceRow, at now: Instant, on session: inout Session
) throws(PostgresError) -> Snapshot {
  let availableOverride = try servingOverride(of: employee.employee, at: now, on: &session)
  var snapshot = Snapshot(employee, device, availableOverride: availableOverride, now: now)
  try snapshot.readTracking(at: now, on: &session)
  return snapshot
}

/// An outcome, the report whose detections are measured, and the queued notifications.
private typealias UploadResult = (
  ReportUploadOutcome, detected: ReportID?, notifications: [NotificationID]
)

private func take(
  _ upload: ReportUpload, _ present: TimedReport, _ inputs: DecisionInputs,
  _ installation: Installation, _ language: Language?, on session: inout Session
) throws(PostgresError) -> TransactionResult<UploadResult> {
  let (employee, newest) = (inputs.employee, inputs.device.newestReport)
  let isLate = present.isHistory(after: newest)
  let step = upload.step(present, employee)
  let guardCommit = GuardCommit(before: employee, step: step, now: present.receivedAt)
  guard try guardCommit.claim(on: &session) else { return .lost }
  // A late report describes the device as it was then.
  let (described, describing) =
    isLate ? (inputs.device, []) : inputs.device.described(by: present.described)
  var statements = inputs.device.noteLanguage(language) + installation.statements + describing
  for timedReport in upload.history {
    let shift = try timedReport.shift(employee, after: step, decides: false, on: &session)
    statements += timedReport.historyStatements(shift: shift)
  }
  let shift = try present.shift(employee, after: step, on: &session)
  let detected = step.detections(by: present)
  try session.pipeline(
    statements + present.statements(shift: shift, newest: newest) + guardCommit.statements
      + detected.map { insert($0) }
      + [step.restoration(by: present, before: employee.state)].compactMap { $0.map { insert($0) } }
  )

  var (after, device) = (employee, described)
  after.state = step.state
  if !isLate { device.newestReport = present.report }
  let disposition: ReportOutcome.Disposition =
    switch step.answer {
    case .reportInForce: .inForce
    case .reportLate: .late
    default: isLate ? .late : .noted
    }
  let snapshot = try snapshotWithOverride(after, device, at: present.receivedAt, on: &session)
  return .done(
    (
      upload.outcome(disposition, snapshot, step), detected.isEmpty ? nil : present.report.id,
      step.notifications.map { NotificationID($0, of: employee.employee) }
    ), queued: step.notifications, at: present.receivedAt)
}
