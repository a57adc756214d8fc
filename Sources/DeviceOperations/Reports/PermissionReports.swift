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
      var decision = DecisionReading(about: credential.device)
      var earlier = UploadReading(
        from: credential.device, installation: name,
        sequences: timedReports.compactMap(\.report.sequence))
      try session.run(&decision, &earlier)
      guard let inputs = admit(credential, decision.inputs, at: receipt.at) else {
        return .refused(.unauthorized)
      }
      let installation = Installation(name, of: inputs.device, known: earlier.installation)
      let upload = ReportUpload(
        timedReports, by: installation, stored: earlier.stored,
        after: inputs.device.newestReport)
      guard let present = upload.present else {
        var reading = SnapshotReading(inputs.employee, inputs.device, at: receipt.at)
        try session.run(&reading)
        let snapshot = try reading.snapshot(on: &session)
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
  let shifts = try upload.shifts(present, employee, after: step, on: &session)
  // A late report describes the device as it was then.
  let (described, describing) =
    isLate ? (inputs.device, []) : inputs.device.described(by: present.described)
  var statements = inputs.device.noteLanguage(language) + installation.statements + describing
  for timedReport in upload.history {
    let shift = timedReport.shift(employee, after: step, decides: false, among: shifts)
    statements += timedReport.historyStatements(shift: shift)
  }
  let shift = present.shift(employee, after: step, decides: true, among: shifts)
  let detected = step.detections(by: present)
  statements += present.statements(shift: shift, newest: newest) + guardCommit.statements
  statements += detected.map { insert($0) }
  if let restoration = step.restoration(by: present, before: employee.state) {
    statements.append(insert(restoration))
  }
  var (after, device) = (employee, described)
  after.state = step.state
  if !isLate { device.newestReport = present.report }
  var reading = SnapshotReading(after, device, at: present.receivedAt)
  try guardCommit.act(statements, &reading, on: &session)
  let disposition: ReportOutcome.Disposition =
    switch step.answer {
    case .reportInForce: .inForce
    case .reportLate: .late
    default: isLate ? .late : .noted
    }
  let snapshot = try reading.snapshot(on: &session)
  return .done(
    (
      upload.outcome(disposition, snapshot, step), detected.isEmpty ? nil : present.report.id,
      step.notifications.map { NotificationID($0, of: employee.employee) }
    ), queued: step.notifications, at: present.receivedAt)
}
