import GuardRules
public import Guidance
import NotificationQueue
import Postgres
public import ShiftDomain
import ShiftStore

extension Operations {
  /// Stores one permission report.
  /// - Throws: `.unauthorized`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func report(
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
  /// - Throws: `.unauthorized`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func report(
    _ incoming: [IncomingReport], sentAt: Instant?, installation name: String? = nil,
    language: Language? = nil, from credential: DeviceCredential, receipt: Receipt
  ) async throws(OperationError) -> ReportUploadOutcome {
    let filings = incoming.map {
      ReportFiling($0, of: credential.device, sentAt: sentAt, receivedAt: receipt.at)
    }
    var (outcome, detected, notices): Reported = try await transact {
      (session) throws(PostgresError) in
      guard let gathered = try admit(credential, at: receipt.at, on: &session) else {
        return .refused(.unauthorized)
      }
      let installation = try Installation(name, of: gathered.device, on: &session)
      let upload = try ReportUpload(
        filings, by: installation, after: gathered.device.newestReport, on: &session)
      guard let present = upload.present else {
        let snapshot = try presentByLeave(
          gathered.employee, gathered.device, at: receipt.at, on: &session)
        return .done((upload.outcome(.duplicate, snapshot, nil), nil, []))
      }
      return try take(upload, present, gathered, installation, language, on: &session)
    }
    outcome.snapshot.clock = PhoneClock(
      recorded: incoming.map(\.recordedAt), sentAt: sentAt, receivedAt: receipt.at)
    for filing in filings {
      pulse.note(
        Pulse(
          device: credential.device, receivedAt: receipt.at,
          sign: Pulse.Sign(at: min(filing.report.effectiveAt, receipt.at))))
    }
    evidence.note(notices, readAt: receipt.monotonic)
    if let detected {
      let span = ContinuousClock.now - receipt.monotonic
      outcome.detection = span
      detections.note(detected, of: credential.device.employee, took: span)
    }
    return outcome
  }
}

/// Reads what a decision about the credential's device needs; `nil` if the device is unknown or
/// revoked.
func gather(_ credential: DeviceCredential, on session: inout Session) throws(PostgresError)
  -> Gathered?
{
  guard let gathered = try gather(credential.device, on: &session),
    credential.opens(gathered.device)
  else { return nil }
  return gathered
}

/// The current state with the decision under the override that a clock-in would use now.
func presentByLeave(
  _ employee: EmployeeRecord, _ device: DeviceRecord, at now: Instant, on session: inout Session
) throws(PostgresError) -> Snapshot {
  let leave = try servingOverride(of: employee.employee, at: now, on: &session)
  var snapshot = Snapshot(employee, device, leave: leave, now: now)
  try snapshot.readTracking(at: now, on: &session)
  return snapshot
}

/// An outcome, the report whose detections are measured, and the queued notifications.
private typealias Reported = (ReportUploadOutcome, detected: ReportID?, notices: [NoticeID])

private func take(
  _ upload: ReportUpload, _ present: ReportFiling, _ gathered: Gathered,
  _ installation: Installation, _ language: Language?, on session: inout Session
) throws(PostgresError) -> Turn<Reported> {
  let (employee, newest) = (gathered.employee, gathered.device.newestReport)
  let isLate = present.isHistory(after: newest)
  let step = upload.step(present, employee)
  let writing = GuardWriting(before: employee, step: step, now: present.receivedAt)
  guard try writing.claim(on: &session) else { return .lost }
  // A late report describes the device as it was then.
  let (described, describing) =
    isLate ? (gathered.device, []) : gathered.device.described(by: present.described)
  var statements = gathered.device.noteLanguage(language) + installation.statements + describing
  for filing in upload.history {
    let shift = try filing.shift(employee, after: step, decides: false, on: &session)
    statements += filing.historyStatements(shift: shift)
  }
  let shift = try present.shift(employee, after: step, on: &session)
  let detected = step.detections(by: present)
  try session.pipeline(
    statements + present.statements(shift: shift, newest: newest) + writing.statements
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
  let snapshot = try presentByLeave(after, device, at: present.receivedAt, on: &session)
  return .done(
    (
      upload.outcome(disposition, snapshot, step), detected.isEmpty ? nil : present.report.id,
      step.notices.map { NoticeID($0, of: employee.employee) }
    ), queued: step.notices, at: present.receivedAt)
}
