import GuardRules
import Postgres
public import ShiftDomain
import ShiftStore

extension Operations {
  /// Takes a permission report: history, the present, incidents and messages in one transaction.
  /// - Throws: `.unauthorized`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func report(
    _ incoming: IncomingReport, sentAt: Instant?, from credential: DeviceCredential,
    receipt: Receipt
  ) async throws(OperationError) -> ReportOutcome {
    let filing = ReportFiling(
      incoming, of: credential.device, sentAt: sentAt, receivedAt: receipt.at)
    let (outcome, isDetection): Reported = try await transact { (session) throws(PostgresError) in
      guard let gathered = try gather(credential, on: &session) else {
        return .refused(.unauthorized)
      }
      if let earlier = try duplicate(of: filing, gathered, on: &session) { return .done(earlier) }
      return try take(filing, gathered, on: &session)
    }
    guard isDetection else { return outcome }
    var measured = outcome
    measured.detection = ContinuousClock.now - receipt.monotonic
    return measured
  }
}

/// Reads what a decision about the credential's device needs; `nil` when it may not speak.
func gather(_ credential: DeviceCredential, on session: inout Session) throws(PostgresError)
  -> Gathered?
{
  guard let gathered = try gather(credential.device, on: &session),
    credential.opens(gathered.device)
  else { return nil }
  return gathered
}

/// An outcome, and whether detection is to be measured.
private typealias Reported = (ReportOutcome, isDetection: Bool)

/// A sequence used before, so long as its report is held: the same report again.
private func duplicate(
  of filing: ReportFiling, _ gathered: Gathered, on session: inout Session
) throws(PostgresError) -> Reported? {
  guard let earlier = try filing.heldID(on: &session) else { return nil }
  let outcome = ReportOutcome(
    report: earlier, disposition: .duplicate,
    snapshot: Snapshot(gathered.employee, gathered.device, now: filing.receivedAt),
    wantsFixNow: false, detection: nil)
  return (outcome, isDetection: false)
}

private func take(
  _ filing: ReportFiling, _ gathered: Gathered, on session: inout Session
) throws(PostgresError) -> Turn<Reported> {
  let (employee, report) = (gathered.employee, filing.report)
  let isLate = report.isLate(after: gathered.device.newestReport)
  let shift = try filing.shift(employee, on: &session)
  let step = GuardRules.step(
    employee.state, .report(report, device: filing.device.number), policy: employee.policy,
    now: filing.receivedAt)
  let writing = GuardWriting(before: employee, step: step)
  guard try writing.claim(on: &session) else { return .lost }
  try session.pipeline(
    filing.statements(shift: shift, newest: gathered.device.newestReport) + writing.statements
      + [notePulse(of: filing.device, receivedAt: filing.receivedAt, fixAt: nil)])

  var (after, device) = (employee, gathered.device)
  after.state = step.state
  if !isLate { device.newestReport = report }
  let disposition: ReportOutcome.Disposition =
    switch step.answer {
    case .reportInForce: .inForce
    case .reportLate: .late
    default: isLate ? .late : .noted
    }
  let outcome = ReportOutcome(
    report: report.id, disposition: disposition,
    snapshot: Snapshot(after, device, now: filing.receivedAt), wantsFixNow: step.wantsFixNow,
    detection: nil)
  return .done((outcome, isDetection: step.isDetection))
}
