import GuardRules
import Postgres
import ShiftDomain
import ShiftStore

/// A tap made offline may be this old when it arrives.
let tapAgeMax = TimeSpan.hours(24)

/// What clock-in and clock-out share: when the tap was made, the report sent with it, and the
/// answer that a repeat of it gets.
struct TapFiling {
  let tap: Tap
  let device: DeviceID
  let receivedAt: Instant
  /// When the tap was made, by the server's clock.
  let at: Instant
  /// The report sent with it.
  var sentReport: ReportFiling?

  /// - Throws: `.invalid` when the tap is too old.
  init(_ tap: Tap, of device: DeviceID, receivedAt: Instant) throws(OperationError) {
    self.tap = tap
    self.device = device
    self.receivedAt = receivedAt
    if let occurredAt = tap.occurredAt {
      // The age as told, for of a tap that is too old without `sentAt` the receipt would be taken.
      guard (tap.sentAt ?? receivedAt) - occurredAt <= tapAgeMax else {
        throw .invalid("occurredAt is over 24 hours old")
      }
      // Without `sentAt` a clock may run ahead; nothing begins or ends in the future.
      at = min(
        effectiveTime(recordedAt: occurredAt, sentAt: tap.sentAt, receivedAt: receivedAt).instant,
        receivedAt)
    } else {
      at = receivedAt
    }
    sentReport = tap.report.map { report in
      var report = report
      // It tells what held at the tap, not at the sending.
      report.recordedAt = report.recordedAt ?? tap.occurredAt
      return ReportFiling(report, of: device, sentAt: tap.sentAt, receivedAt: receivedAt)
    }
  }

  /// The same tap, whose report is held already.
  var withoutReport: TapFiling {
    var filing = self
    filing.sentReport = nil
    return filing
  }

  /// Whether the tap was made offline.
  var isOffline: Bool { tap.occurredAt != nil }

  /// The first answer, when this tap was answered before.
  /// - Parameter isClockOut: What the tap is for: bodies of the two may be equal.
  func earlier(isClockOut: Bool, on session: inout Session)
    throws(PostgresError) -> Turn<AttemptRecord>?
  {
    guard let earlier = try attempt(tap.attemptID, of: device, on: &session) else { return nil }
    let isSame = earlier.bodyHash == tap.bodyHash && earlier.outcome.isOfClockOut == isClockOut
    return isSame ? .done(earlier) : .refused(.attemptReused)
  }

  /// The tap with its answer, to be kept.
  func record(
    _ outcome: AttemptOutcome, shift: Int32?, report: ReportID?, decision: Decision,
    policyVersion: Int32, needsReview: Bool
  ) -> AttemptRecord {
    AttemptRecord(
      attemptID: tap.attemptID, device: device, bodyHash: tap.bodyHash, at: at,
      receivedAt: receivedAt, outcome: outcome, shift: shift, report: report, decision: decision,
      policyVersion: policyVersion, needsReview: needsReview)
  }
}
