public import Postgres
public import ShiftDomain

// Table attempt.

/// A clock action and its answer.
public struct AttemptRecord: Hashable, Sendable {
  /// Its number within the employee, from 1; `nil` for one stored before numbering.
  public var number: Int32?
  /// The id of the clock action, chosen by the phone.
  public var attemptID: String
  /// The device that sent it.
  public var device: DeviceID
  /// SHA-256 of the body without `sentAt`.
  public var bodyHash: [UInt8]
  /// Its time by the server's clock.
  public var at: Instant
  /// When it was received.
  public var receivedAt: Instant
  /// Its outcome.
  public var outcome: AttemptOutcome
  /// The shift begun, concerned or in conflict.
  public var shift: Int32?
  /// The report it was decided on.
  public var report: ReportID?
  /// The decision; empty for anything but a clock-in.
  public var decision: Decision
  /// The policy version it was decided under.
  public var policyVersion: Int32
  /// Whether it needs review.
  public var needsReview: Bool
  /// Why it is kept for review; `nil` when it was answered at once.
  public var kept: KeptReason?
  /// The result of the review; `nil` while it is pending.
  public var reviewDecision: ReviewDecision?
  /// The shift that the review opened or corrected.
  public var reviewedShift: Int32?

  /// A clock action and its answer.
  public init(
    number: Int32?, attemptID: String, device: DeviceID, bodyHash: [UInt8], at: Instant,
    receivedAt: Instant, outcome: AttemptOutcome, shift: Int32?, report: ReportID?,
    decision: Decision, policyVersion: Int32, needsReview: Bool,
    kept: KeptReason? = nil, reviewDecision: ReviewDecision? = nil, reviewedShift: Int32? = nil
  ) {
    self.number = number
    self.attemptID = attemptID
    self.device = device
    self.bodyHash = bodyHash
    self.at = at
    self.receivedAt = receivedAt
    self.outcome = outcome
    self.shift = shift
    self.report = report
    self.decision = decision
    self.policyVersion = policyVersion
    self.needsReview = needsReview
    self.kept = kept
    self.reviewDecision = reviewDecision
    self.reviewedShift = reviewedShift
  }
}

/// Stores a clock action. Violates `attempt_pk` if the device has already used the id.
public func insert(_ attempt: AttemptRecord) -> SQL {
  """
  INSERT INTO attempt (
    employee_id, device_no, attempt_id, body_hash, at, received_at, outcome, shift_no, report_id,
    policy_version, blocking, warning, informing, review, attempt_no, kept_reason)
  VALUES (
    \(attempt.device.employee.rawValue), \(attempt.device.number), \(attempt.attemptID),
    \(attempt.bodyHash), \(attempt.at), \(attempt.receivedAt), \(attempt.outcome.column),
    \(attempt.shift), \(attempt.report?.rawValue), \(attempt.policyVersion),
    \(attempt.decision.blocking.column), \(attempt.decision.warning.column),
    \(attempt.decision.informing.column), \(attempt.needsReview), \(attempt.number),
    \(attempt.kept?.column))
  """
}

/// The clock action of the device with `attemptID`; `nil` if it is new.
public func attempt(_ attemptID: String, of device: DeviceID, on session: inout Session)
  throws(PostgresError) -> AttemptRecord?
{
  let rows = try session.run(
    """
    SELECT attempt.body_hash, attempt.at, attempt.received_at, attempt.outcome, attempt.shift_no,
      attempt.report_id, attempt.policy_version, attempt.blocking, attempt.warning,
      attempt.informing, attempt.review, attempt.attempt_no, coalesce(shift.overridden, 0),
      attempt.kept_reason, attempt.settlement, attempt.settled_shift
    FROM attempt
    LEFT JOIN shift ON shift.employee_id = attempt.employee_id
      AND shift.shift_no = attempt.shift_no AND attempt.outcome = \(AttemptOutcome.clockedIn.column)
    WHERE attempt.employee_id = \(device.employee.rawValue)
      AND attempt.device_no = \(device.number) AND attempt.attempt_id = \(attemptID)
    """)
  guard rows.count > 0 else { return nil }
  let report: Int64? = try rows.value(0, 5)
  return AttemptRecord(
    number: try rows.value(0, 11), attemptID: attemptID, device: device,
    bodyHash: try rows.value(0, 0), at: try rows.value(0, 1), receivedAt: try rows.value(0, 2),
    outcome: try rows.coded(0, 3), shift: try rows.value(0, 4),
    report: report.map { ReportID($0) }, decision: try rows.decision(0, from: 7, overridden: 12),
    policyVersion: try rows.value(0, 6), needsReview: try rows.value(0, 10),
    kept: try rows.codedIfPresent(0, 13), reviewDecision: try rows.codedIfPresent(0, 14),
    reviewedShift: try rows.value(0, 15))
}

/// Whether the device's newest clock-in up to `instant` is kept, with a pending review.
public func isClockInKept(of device: DeviceID, upTo instant: Instant, on session: inout Session)
  throws(PostgresError) -> Bool
{
  let clockIns = AttemptOutcome.allCases.filter { $0.kind == .clockIn }.map(\.column)
  let rows = try session.run(
    """
    SELECT kept_reason IS NOT NULL AND settled_at IS NULL
    FROM attempt
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND outcome = ANY (\(clockIns)) AND at <= \(instant)
    ORDER BY at DESC, attempt_no DESC NULLS LAST
    LIMIT 1
    """)
  return rows.count == 0 ? false : try rows.value(0, 0)
}

extension Rows {
  /// The decision whose blocking, warning and informing findings begin at `column`.
  fileprivate func decision(_ row: Int, from column: Int, overridden: Int)
    throws(PostgresError) -> Decision
  {
    let (blocking, warning) = (try findings(row, column), try findings(row, column + 1))
    let excused = try findings(row, overridden)
    return Decision(
      blocking.union(warning).union(try findings(row, column + 2)),
      under: SeverityTable(
        blocking: blocking.union(excused), warning: warning.subtracting(excused)),
      excusing: excused)
  }
}
