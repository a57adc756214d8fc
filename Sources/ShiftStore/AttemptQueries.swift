public import Postgres
public import ShiftDomain

// Table attempt.

/// What came of a tap. Raw values are stored; append-only.
public enum AttemptOutcome: UInt8, Coded {
  /// Work began.
  case clockedIn = 0
  /// A shift was open on the device already.
  case alreadyOpen = 1
  /// A shift was open on another device.
  case openElsewhere = 2
  /// The rules refused.
  case blocked = 3
  /// It would have overlapped an ended shift.
  case overlaps = 4
  /// Work ended.
  case clockedOut = 5
  /// There was no shift to end.
  case noOpenShift = 6
  /// The end lay before the beginning.
  case endsBeforeStart = 7

  /// Whether a clock-out came to this, and not a clock-in.
  public var isOfClockOut: Bool {
    switch self {
    case .clockedIn, .alreadyOpen, .openElsewhere, .blocked, .overlaps: false
    case .clockedOut, .noOpenShift, .endsBeforeStart: true
    }
  }

  /// Its word in JSON.
  public var code: String {
    switch self {
    case .clockedIn: "clocked_in"
    case .alreadyOpen: "already_open"
    case .openElsewhere: "open_elsewhere"
    case .blocked: "blocked"
    case .overlaps: "overlaps"
    case .clockedOut: "clocked_out"
    case .noOpenShift: "no_open_shift"
    case .endsBeforeStart: "ends_before_start"
    }
  }
}

/// One tap and what was answered.
public struct AttemptRecord: Hashable, Sendable {
  /// The tap's id, chosen by the phone.
  public var attemptID: String
  /// The device that was tapped.
  public var device: DeviceID
  /// SHA-256 of the body without `sentAt`.
  public var bodyHash: [UInt8]
  /// When it was tapped, by the server's clock.
  public var at: Instant
  /// When it arrived.
  public var receivedAt: Instant
  /// What came of it.
  public var outcome: AttemptOutcome
  /// The shift begun, ended or in the way.
  public var shift: Int32?
  /// The evidence it was judged on.
  public var report: ReportID?
  /// The decision; all empty for a clock-out.
  public var decision: Decision
  /// The policy's version it was judged under.
  public var policyVersion: Int32
  /// Whether a manager is to look at it.
  public var needsReview: Bool

  /// A tap and its answer.
  public init(
    attemptID: String, device: DeviceID, bodyHash: [UInt8], at: Instant, receivedAt: Instant,
    outcome: AttemptOutcome, shift: Int32?, report: ReportID?, decision: Decision,
    policyVersion: Int32, needsReview: Bool
  ) {
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
  }
}

/// Keeps a tap. Violates `attempt_pk` when the device used the id before.
public func insert(_ attempt: AttemptRecord) -> SQL {
  """
  INSERT INTO attempt (
    employee_id, device_no, attempt_id, body_hash, at, received_at, outcome, shift_no, report_id,
    policy_version, blocking, warning, informing, review)
  VALUES (
    \(attempt.device.employee.rawValue), \(attempt.device.number), \(attempt.attemptID),
    \(attempt.bodyHash), \(attempt.at), \(attempt.receivedAt), \(attempt.outcome.column),
    \(attempt.shift), \(attempt.report?.rawValue), \(attempt.policyVersion),
    \(attempt.decision.blocking.column), \(attempt.decision.warning.column),
    \(attempt.decision.informing.column), \(attempt.needsReview))
  """
}

/// The tap that the device made under `attemptID`; `nil` when it is new.
public func attempt(_ attemptID: String, of device: DeviceID, on session: inout Session)
  throws(PostgresError) -> AttemptRecord?
{
  let rows = try session.run(
    """
    SELECT body_hash, at, received_at, outcome, shift_no, report_id, policy_version, blocking,
      warning, informing, review
    FROM attempt
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND attempt_id = \(attemptID)
    """)
  guard rows.count > 0 else { return nil }
  let report: Int64? = try rows.value(0, 5)
  let (blocking, warning) = (try rows.findings(0, 7), try rows.findings(0, 8))
  return AttemptRecord(
    attemptID: attemptID, device: device, bodyHash: try rows.value(0, 0),
    at: try rows.value(0, 1), receivedAt: try rows.value(0, 2), outcome: try rows.coded(0, 3),
    shift: try rows.value(0, 4), report: report.map { ReportID($0) },
    decision: Decision(
      blocking.union(warning).union(try rows.findings(0, 9)),
      under: SeverityTable(blocking: blocking, warning: warning)),
    policyVersion: try rows.value(0, 6), needsReview: try rows.value(0, 10))
}
