import Guidance
import OperationCore
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
  ///   - mayRepeat: Whether reports without a sequence may have been sent before; copies of stored
  ///     reports are then duplicates.
  package func report(
    _ incoming: [IncomingReport], sentAt: Instant?, installation name: String? = nil,
    language: Language? = nil, mayRepeat: Bool = false, from credential: DeviceCredential,
    receipt: Receipt
  ) async throws(OperationError) -> ReportUploadOutcome {
    let timedReports = incoming.map {
      TimedReport($0, of: credential.device, sentAt: sentAt, receivedAt: receipt.at)
    }
    let taken = try await reportRounds.take(
      ReportRequest(
        credential: credential, installation: name, language: language,
        timedReports: timedReports, receivedAt: receipt.at, mayRepeat: mayRepeat))
    var outcome = taken.outcome
    outcome.snapshot.clock = DeviceClock(
      latest: incoming.lazy.compactMap(\.recordedAt).max(), sentAt: sentAt, receivedAt: receipt.at)
    for time in taken.times {
      lastSeen.note(
        Pulse(
          of: credential, receivedAt: receipt.at, sign: Pulse.Sign(at: min(time, receipt.at))))
    }
    if let shift = taken.silenced { dirtyShifts.note(changed: shift, at: receipt.at) }
    latencies.note(
      taken.notifications.map { NotificationID($0, of: credential.device.employee) },
      readAt: receipt.monotonic)
    if let detected = taken.detected {
      let span = ContinuousClock.now - receipt.monotonic
      outcome.detection = span
      detectionSamples.note(detected, of: credential.device.employee, took: span)
    }
    return outcome
  }
}
