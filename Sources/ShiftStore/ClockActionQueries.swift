public import Postgres
public import ShiftDomain

// Table clock_action.

/// A clock action and its answer.
public struct ClockActionRecord: Hashable, Sendable {
  /// Its number within the employee, from 1; `nil` for one stored before numbering.
  public var number: Int32?
  /// The id of the clock action, chosen by the phone.
  public var actionID: String
  /// The device that sent it.
  public var device: DeviceID
  /// SHA-256 of the body without `sentAt`.
  public var bodyHash: [UInt8]
  /// Its time by the server's clock.
  public var at: Instant
  /// When it was received.
  public var receivedAt: Instant
  /// Its outcome.
  public var outcome: ClockActionResult
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
    number: Int32?, actionID: String, device: DeviceID, bodyHash: [UInt8], at: Instant,
    receivedAt: Instant, outcome: ClockActionResult, shift: Int32?, report: ReportID?,
    decision: Decision, policyVersion: Int32, needsReview: Bool,
    kept: KeptReason? = nil, reviewDecision: ReviewDecision? = nil, reviewedShift: Int32? = nil
  ) {
    self.number = number
    self.actionID = actionID
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

/// Stores a clock action. Violates `clock_action_pk` if the device has already used the id.
public func insert(_ action: ClockActionRecord) -> SQL {
  """
  INSERT INTO clock_action (
    employee_id, device_no, action_id, body_hash, at, received_at, outcome, shift_no, report_id,
    policy_version, blocking, warning, informing, needs_review, action_no, kept_reason)
  VALUES (
    \(action.device.employee.rawValue), \(action.device.number), \(action.actionID),
    \(action.bodyHash), \(action.at), \(action.receivedAt), \(action.outcome.column),
    \(action.shift), \(action.report?.rawValue), \(action.policyVersion),
    \(action.decision.blocking.column), \(action.decision.warning.column),
    \(action.decision.informing.column), \(action.needsReview), \(action.number),
    \(action.kept?.column))
  """
}

/// The clock action of the device with `actionID`; `nil` if it is new.
public func clockAction(_ actionID: String, of device: DeviceID, on session: inout Session)
  throws(PostgresError) -> ClockActionRecord?
{
  let rows = try session.run(
    """
    SELECT action.body_hash, action.at, action.received_at, action.outcome, action.shift_no,
      action.report_id, action.policy_version, action.blocking, action.warning,
      action.informing, action.needs_review, action.action_no, coalesce(shift.overridden, 0),
      action.kept_reason, action.review_outcome, action.review_shift
    FROM clock_action AS action
    LEFT JOIN shift ON shift.employee_id = action.employee_id
      AND shift.shift_no = action.shift_no
      AND action.outcome = \(ClockActionResult.clockedIn.column)
    WHERE action.employee_id = \(device.employee.rawValue)
      AND action.device_no = \(device.number) AND action.action_id = \(actionID)
    """)
  guard rows.count > 0 else { return nil }
  let report: Int64? = try rows.value(0, 5)
  return ClockActionRecord(
    number: try rows.value(0, 11), actionID: actionID, device: device,
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
  let clockIns = ClockActionResult.allCases.filter { $0.kind == .clockIn }.map(\.column)
  let rows = try session.run(
    """
    SELECT kept_reason IS NOT NULL AND reviewed_at IS NULL
    FROM clock_action
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND outcome = ANY (\(clockIns)) AND at <= \(instant)
    ORDER BY at DESC, action_no DESC NULLS LAST
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
