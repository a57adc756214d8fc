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

  /// Whether the tap was made offline.
  var isOffline: Bool { tap.occurredAt != nil }

  /// The tap as it is to be judged: a report sent along that is held by now, because the tap
  /// crossed its posting, is taken as the one it is. Answers that one's id.
  func settled(on session: inout Session) throws(PostgresError) -> (TapFiling, held: ReportID?) {
    guard let held = try sentReport?.heldID(on: &session) else { return (self, nil) }
    var filing = self
    filing.sentReport = nil
    return (filing, held)
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

/// What was gathered for a tap, decided, and is now to be done.
protocol TapJudgement: SendableMetatype {
  /// What the phone is told.
  associatedtype Outcome: Sendable
  /// The tap.
  var filing: TapFiling { get }
  /// What was known when it was judged.
  var gathered: Gathered { get }
  /// Moves the employee's state.
  var step: GuardStep { get }
  /// What the phone is told.
  var outcome: Outcome { get }
  /// The tap with its answer, to be kept.
  var record: AttemptRecord { get }
  /// What is written besides the step's effects: before them, and after.
  func statements(on session: inout Session) throws(PostgresError) -> (before: [SQL], after: [SQL])
}

extension TapJudgement {
  /// Writes everything at once, or nothing when somebody else wrote first.
  func act(on session: inout Session) throws(PostgresError) -> Turn<(Outcome, Snapshot)> {
    let writing = GuardWriting(before: gathered.employee, step: step)
    guard try writing.claim(on: &session) else { return .lost }
    let (before, after) = try statements(on: &session)
    try session.pipeline(
      before + writing.statements + after
        + [
          insert(record),
          notePulse(of: filing.device, receivedAt: filing.receivedAt, fixAt: nil),
        ])
    return .done((outcome, present))
  }

  /// What the phone may know of the present after the tap.
  private var present: Snapshot {
    var (employee, device) = (gathered.employee, gathered.device)
    employee.state = step.state
    if let sent = filing.sentReport?.report, !sent.isLate(after: device.newestReport) {
      device.newestReport = sent
    }
    return Snapshot(employee, device, now: filing.receivedAt)
  }
}

extension Operations {
  /// Answers a tap once: a repeat gets the first answer, a new tap is judged.
  /// - Parameters:
  ///   - isClockOut: What the tap is for: the bodies of the two may be equal.
  ///   - repeated: The first answer, from what was kept of it.
  ///   - judge: The judgement of a new tap.
  func answer<Judgement: TapJudgement>(
    _ filing: TapFiling, isClockOut: Bool, from credential: DeviceCredential,
    repeated: @Sendable (AttemptRecord) -> Judgement.Outcome,
    judge: @Sendable (Gathered, inout Session) throws(PostgresError) -> Judgement
  ) async throws(OperationError) -> (Judgement.Outcome, Snapshot) {
    try await transact { (session) throws(PostgresError) in
      guard let gathered = try gather(credential, on: &session) else {
        return .refused(.unauthorized)
      }
      guard let earlier = try attempt(filing.tap.attemptID, of: filing.device, on: &session) else {
        return try judge(gathered, &session).act(on: &session)
      }
      guard earlier.bodyHash == filing.tap.bodyHash, earlier.outcome.isOfClockOut == isClockOut
      else { return .refused(.attemptReused) }
      return .done(
        (
          repeated(earlier),
          Snapshot(gathered.employee, gathered.device, now: filing.receivedAt)
        ))
    }
  }
}
