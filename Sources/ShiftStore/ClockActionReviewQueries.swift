public import GuardRules
public import Postgres
public import ShiftDomain

// Table clock_action, as managers see it: by number within the employee. Clock actions stored
// before numbering cannot be identified, and are not listed.

/// The result of a review. Raw values are stored; append-only.
public enum ReviewDecision: UInt8, Coded {
  /// Accepted: a shift was opened or corrected.
  case accepted = 0
  /// Dismissed without a change.
  case dismissed = 1

  /// Its code in JSON.
  public var code: String {
    switch self {
    case .accepted: "accepted"
    case .dismissed: "dismissed"
    }
  }
}

/// A review with its author and reason.
public struct ClockActionReview: Hashable, Sendable {
  /// The result.
  public var decision: ReviewDecision
  /// The time of the review.
  public var at: Instant
  /// The reviewer's name; 1…100 characters.
  public var by: String
  /// The reason; up to 500 characters, `nil` if none was given.
  public var reason: String?
  /// The shift that was opened or corrected, if any.
  public var shift: Int32?
  /// When that shift ended, as given with an acceptance, if at all.
  public var endedAt: Instant?

  /// A review.
  public init(
    _ reviewDecision: ReviewDecision, at: Instant, by: String, reason: String?, shift: Int32? = nil,
    endedAt: Instant? = nil
  ) {
    self.decision = reviewDecision
    self.at = at
    self.by = by
    self.reason = reason
    self.shift = shift
    self.endedAt = endedAt
  }
}

/// A clock action as managers see it.
public struct ClockActionRow: Hashable, Sendable {
  /// The device that sent it.
  public var device: DeviceID
  /// Its number within the employee, from 1.
  public var number: Int32
  /// Its time by the server's clock.
  public var at: Instant
  /// When it was received.
  public var receivedAt: Instant
  /// Its outcome.
  public var outcome: ClockActionResult
  /// The shift begun, ended or in conflict, as in the answer to the phone; a review does not change
  /// that, and has its own shift.
  public var shift: Int32?
  /// The report it was decided on, which may have been deleted.
  public var report: ReportID?
  /// The decision.
  public var decision: Decision
  /// Whether it was kept for review.
  public var needsReview: Bool
  /// Why it was kept; `nil` if it was answered at once.
  public var kept: KeptReason?
  /// The working time that the employee claims by it until it is reviewed; `nil` if it claims none.
  public var claimed: ShiftSpan?
  /// Whether it left the review queue automatically, because the employee has clocked in since or
  /// the shift is over; `false` after a review.
  public var isOvertaken = false
  /// The review; `nil` before it.
  public var review: ClockActionReview?

  /// Whether it needs review: it was blocked or kept, and is not reviewed yet.
  public var awaitsManager: Bool { review == nil && canBeReviewed }

  /// Whether it is of a kind that managers review.
  public var canBeReviewed: Bool { needsReview || outcome == .blocked }
}

/// For a clock action: the next shift that began after it, and the planned shift it was for.
private let nextShiftAndPlannedShift: StaticString = """
  LEFT JOIN LATERAL (
    SELECT min(shift.started_at) AS at FROM shift
    WHERE shift.employee_id = action.employee_id AND shift.started_at >= action.at) AS next
    ON true
  LEFT JOIN LATERAL (
    SELECT planned.ends_at FROM planned_shift AS planned
    WHERE planned.employee_id = action.employee_id AND planned.ends_at > action.at
      AND planned.starts_at BETWEEN action.at - interval '12 hours'
        AND action.at + interval '12 hours'
    ORDER BY abs(extract(epoch FROM planned.starts_at - action.at)), planned.starts_at
    LIMIT 1) AS nearest ON true
  """

/// Clock actions of `employee`, or of all employees, newest first; with `number` only that one.
/// - Parameters:
///   - teams: Only of employees of these teams; `nil`: of every team.
///   - awaitingOnly: Only those that need review: a blocked clock-in does until the employee has
///     clocked in or the shift is over.
public func clockActions(
  of employee: EmployeeID?, number: Int32? = nil, teams: [TeamID]? = nil,
  awaitingOnly: Bool = false, limit: Int32, now: Instant, on session: inout Session
) throws(PostgresError) -> [ClockActionRow] {
  let teams = teams?.map(\.rawValue)
  let clockIns = ClockActionResult.allCases.filter { $0.kind == .clockIn }.map(\.column)
  let clockOuts = ClockActionResult.allCases.filter { $0.kind == .clockOut }.map(\.column)
  let rows = try session.run(
    """
    SELECT action.employee_id, action.device_no, action_no, action.at, received_at, outcome,
      action.shift_no, report_id, action.blocking, action.warning, action.informing,
      action.needs_review, review_outcome,
      reviewed_at, reviewed_by, review_reason, review_shift, review_end, kept_reason,
      CASE WHEN reviewed_at IS NULL AND outcome = ANY (\(clockIns))
        AND (kept_reason IS NOT NULL OR outcome = \(ClockActionResult.blocked.column))
        THEN least(
          coalesce(next.at, clock_out.at, nearest.ends_at, \(now)), \(now),
          action.at + policy.shift_max_ms * interval '1 ms') END,
      reviewed_at IS NULL AND (next.at IS NOT NULL
        OR coalesce(nearest.ends_at, action.at + policy.shift_max_ms * interval '1 ms') <= \(now))
    FROM clock_action AS action
    JOIN employee ON employee.employee_id = action.employee_id
    JOIN team ON team.team_id = employee.team_id
    JOIN policy_version AS policy
      ON policy.team_id = team.team_id AND policy.version = team.policy_version
    \(fragment: nextShiftAndPlannedShift)
    LEFT JOIN LATERAL (
      SELECT min(later.at) AS at FROM clock_action AS later
      WHERE later.employee_id = action.employee_id AND later.at > action.at
        AND later.kept_reason IS NOT NULL AND later.outcome = ANY (\(clockOuts))
        AND later.reviewed_at IS NULL) AS clock_out ON true
    WHERE action_no IS NOT NULL
      AND (\(employee?.rawValue) IS NULL OR action.employee_id = \(employee?.rawValue))
      AND (\(number) IS NULL OR action_no = \(number))
      AND (\(teams) IS NULL OR employee.team_id = ANY (\(teams)))
      AND (NOT \(awaitingOnly)
        OR (reviewed_at IS NULL AND (action.needs_review
          OR (outcome = \(ClockActionResult.blocked.column) AND next.at IS NULL
            AND coalesce(nearest.ends_at, action.at + policy.shift_max_ms * interval '1 ms')
              > \(now)))))
    ORDER BY received_at DESC, action.employee_id, action_no DESC
    LIMIT \(limit)
    """)
  var records: [ClockActionRow] = []
  for row in 0..<rows.count { records.append(try rows.clockActionRow(row)) }
  return records
}

extension Rows {
  fileprivate func clockActionRow(_ row: Int) throws(PostgresError) -> ClockActionRow {
    let report: Int64? = try value(row, 7)
    let (blocking, warning) = (try findings(row, 8), try findings(row, 9))
    let reviewDecision: ReviewDecision? = try codedIfPresent(row, 12)
    let (at, claimedTo): (Instant, Instant?) = (try value(row, 3), try value(row, 19))
    return ClockActionRow(
      device: DeviceID(employee: EmployeeID(try value(row, 0)), number: try value(row, 1)),
      number: try value(row, 2), at: at, receivedAt: try value(row, 4),
      outcome: try coded(row, 5), shift: try value(row, 6), report: report.map { ReportID($0) },
      decision: Decision(
        blocking.union(warning).union(try findings(row, 10)),
        under: SeverityTable(blocking: blocking, warning: warning)),
      needsReview: try value(row, 11), kept: try codedIfPresent(row, 18),
      claimed: claimedTo.flatMap { at < $0 ? ShiftSpan(from: at, to: $0) : nil },
      isOvertaken: try value(row, 20),
      review: try reviewDecision.map { (reviewDecision) throws(PostgresError) in
        ClockActionReview(
          reviewDecision, at: try value(row, 13), by: try value(row, 14) ?? "",
          reason: try value(row, 15), shift: try value(row, 16), endedAt: try value(row, 17))
      })
  }
}

/// Stores a review, once. Affects one row, or none if it was already reviewed. The answer to the
/// phone stays, because it may ask again.
public func storeReview(_ action: ClockActionRow, _ review: ClockActionReview) -> SQL {
  """
  UPDATE clock_action
  SET review_outcome = \(review.decision.column), reviewed_at = \(review.at),
    reviewed_by = \(review.by), review_reason = \(review.reason),
    review_shift = \(review.shift), review_end = \(review.endedAt)
  WHERE employee_id = \(action.device.employee.rawValue) AND action_no = \(action.number)
    AND reviewed_at IS NULL
  """
}

/// A stored report; `nil` if it was deleted.
public func report(_ report: ReportID, of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> PermissionReport?
{
  let rows = try session.run(
    """
    SELECT \(fragment: reportColumns)
    FROM permission_report AS report
    WHERE report.employee_id = \(employee.rawValue) AND report.report_id = \(report.rawValue)
    """)
  return rows.count == 0 ? nil : try rows.permissionReport(0, from: 0)
}

/// Whether a clock action needs no review any more; `true` for an unknown one.
public func isReviewed(
  clockAction number: Int32, of employee: EmployeeID, on session: inout Session
) throws(PostgresError) -> Bool {
  try session.run(
    """
    SELECT NOT EXISTS (
      SELECT FROM clock_action
      WHERE employee_id = \(employee.rawValue) AND action_no = \(number)
        AND reviewed_at IS NULL)
    """
  ).value(0, 0)
}
