import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table clock_action, as managers see it: by number within the employee. Clock actions stored
// before numbering cannot be identified, and are not listed.

/// Clock actions with the policy of their team, the next shift that began after them, and the
/// planned shift they were for. A shift that covers a blocked clock-in, since another one was
/// accepted or a start corrected, counts as the next; so does one that a manager added over any.
private let clockActionSource = ShiftFragment(
  """
  FROM clock_action AS action
  JOIN employee ON employee.employee_id = action.employee_id
  JOIN team ON team.team_id = employee.team_id
  JOIN policy_version AS policy
    ON policy.team_id = team.team_id AND policy.version = team.policy_version
  LEFT JOIN LATERAL (
    SELECT min(greatest(shift.started_at, action.at)) AS at FROM shift
    WHERE shift.employee_id = action.employee_id AND (shift.started_at >= action.at
      OR (action.kept_reason IS NULL OR shift.device_no IS NULL AND shift.ended_by = 2)
        AND coalesce(shift.ended_at > action.at, true))) AS next
    ON true
  LEFT JOIN LATERAL (
    SELECT planned.ends_at FROM planned_shift AS planned
    WHERE planned.employee_id = action.employee_id AND
  """, " ", nearestPlan(ofClockInAt: "action.at"), ") AS nearest ON true")

/// Clock actions of `employee`, or of all employees, newest first. `awaitingOnly`: only those that
/// need review; a blocked clock-in does until the employee has clocked in or the shift is over.
package func clockActions(
  of employee: EmployeeID?, number: Int32? = nil, in scope: TeamScope = TeamScope(),
  awaitingOnly: Bool = false, since: Instant? = nil, after: ListPlace? = nil, limit: Int32,
  now: Instant, on session: inout Session
) throws(PostgresError) -> [ClockActionRow] {
  try session.run(
    selectClockActions(
      of: employee, number: number, in: scope, awaitingOnly: awaitingOnly, since: since,
      after: after, limit: limit, now: now)
  ).map(ClockActionRow.init(from:))
}

package func clockActions(of employee: EmployeeID, awaitingOnly: Bool, limit: Int32, now: Instant)
  -> Query<[ClockActionRow]>
{
  Query(selectClockActions(of: employee, awaitingOnly: awaitingOnly, limit: limit, now: now)) {
    (rows) throws(PostgresError) in try rows.map(ClockActionRow.init(from:))
  }
}

/// Clock-ins and kept clock actions of `span` that nobody has reviewed, by employee and time.
package func unreviewedClockActions(
  in scope: TeamScope, during span: Interval, of employee: EmployeeID?, limit: Int32,
  now: Instant
) -> Query<[ClockActionRow]> {
  Query(
    selectClockActions(
      of: employee, in: scope, unreviewedDuring: span, limit: limit, now: now)
  ) { (rows) throws(PostgresError) in
    try rows.map(ClockActionRow.init(from:)).sorted {
      ($0.device.employee.rawValue, $0.at) < ($1.device.employee.rawValue, $1.at)
    }
  }
}

func selectClockActions(
  of employee: EmployeeID? = nil, among employees: [EmployeeID]? = nil, number: Int32? = nil,
  in scope: TeamScope = TeamScope(),
  awaitingOnly: Bool = false, unreviewedDuring span: Interval? = nil, since: Instant? = nil,
  after place: ListPlace? = nil, limit: Int32, now: Instant
) -> SQL {
  let clockIns = ClockActionResult.allCases.filter { $0.kind == .clockIn }.map(\.column)
  let clockOuts = ClockActionResult.allCases.filter { $0.kind == .clockOut }.map(\.column)
  return """
    SELECT action.employee_id, action.device_no, action_no, action.at, received_at, outcome,
      action.shift_no, report_id, action.blocking, action.warning, action.informing,
      action.policy_version, local_blocking, local_warning, local_informing, local_policy_version,
      action.needs_review, kept_reason,
      CASE WHEN reviewed_at IS NULL AND outcome = ANY (\(clockIns))
        AND (kept_reason IS NOT NULL OR outcome = \(ClockActionResult.blocked.column))
        THEN least(
          coalesce(next.at, clock_out.at, nearest.ends_at, \(now)), \(now),
          action.at + policy.shift_max_ms * interval '1 ms') END,
      reviewed_at IS NULL AND (next.at IS NOT NULL
        OR coalesce(nearest.ends_at, action.at + policy.shift_max_ms * interval '1 ms') <= \(now)),
      CASE WHEN reviewed_at IS NULL AND outcome = \(ClockActionResult.blocked.column)
        THEN next.at END,
      review_outcome, reviewed_at, reviewed_by, review_reason, review_shift, review_end
    \(fragment: clockActionSource)
    LEFT JOIN LATERAL (
      SELECT min(later.at) AS at FROM clock_action AS later
      WHERE later.employee_id = action.employee_id AND later.at > action.at
        AND later.kept_reason IS NOT NULL AND later.outcome = ANY (\(clockOuts))
        AND later.reviewed_at IS NULL) AS clock_out ON true
    WHERE action_no IS NOT NULL
      AND (\(employee?.rawValue) IS NULL OR action.employee_id = \(employee?.rawValue))
      AND (\(employees?.map(\.rawValue)) IS NULL
        OR action.employee_id = ANY (\(employees?.map(\.rawValue))))
      AND (\(number) IS NULL OR action_no = \(number))
      AND received_at >= coalesce(\(since), '-infinity')
      AND \(after: place, time: "received_at", employee: "action.employee_id",
        number: "action_no")
      AND \(employeeIn: scope, asked: employee)
      \(awaitingAt: awaitingOnly ? now : nil) \(unreviewedDuring: span)
    ORDER BY received_at DESC, action.employee_id, action_no DESC
    LIMIT \(limit)
    """
}

/// How many clock actions of `employee` wait for a review at `now`.
package func awaitingClockActions(of employee: EmployeeID, now: Instant) -> Query<Int64> {
  Query(countAwaitingClockActions(of: employee, now: now)) { (rows) throws(PostgresError) in
    try rows.value(0, 0)
  }
}

func countAwaitingClockActions(
  of employee: EmployeeID? = nil, in scope: TeamScope = TeamScope(), now: Instant
) -> SQL {
  """
  SELECT count(*)
  \(fragment: clockActionSource)
  WHERE action_no IS NOT NULL
    AND (\(employee?.rawValue) IS NULL OR action.employee_id = \(employee?.rawValue))
    AND \(employeeIn: scope, asked: employee)
    \(awaitingAt: now)
  """
}

extension SQL.Interpolation {
  /// Conditions for clock actions that need review at `now`; `nil`: none. A blocked clock-in does
  /// until its shift would be over, which is at most 36 hours later: a planned shift of 24 hours
  /// may have begun 12 hours later. The first condition names no other table, so that an index
  /// serves it.
  fileprivate mutating func appendInterpolation(awaitingAt now: Instant?) {
    guard let now else { return }
    appendLiteral("AND reviewed_at IS NULL AND (action.needs_review OR (outcome = ")
    appendInterpolation(ClockActionResult.blocked.column)
    appendLiteral(" AND received_at > ")
    appendInterpolation(now - .hours(48))
    appendLiteral(")) AND (action.needs_review OR (next.at IS NULL AND coalesce(nearest.ends_at,")
    appendLiteral(" action.at + policy.shift_max_ms * interval '1 ms') > ")
    appendInterpolation(now)
    appendLiteral("))")
  }
}

extension SQL.Interpolation {
  /// Conditions for clock actions of `span` that nobody has reviewed; `nil`: none. None is received
  /// before it is made.
  fileprivate mutating func appendInterpolation(unreviewedDuring span: Interval?) {
    guard let span else { return }
    appendLiteral("AND reviewed_at IS NULL AND (action.needs_review OR outcome = ")
    appendInterpolation(ClockActionResult.blocked.column)
    appendLiteral(") AND received_at >= ")
    appendInterpolation(span.start)
    appendLiteral(" AND action.at >= ")
    appendInterpolation(span.start)
    appendLiteral(" AND action.at < ")
    appendInterpolation(span.end)
  }
}

extension ClockActionRow {
  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      device: try DeviceID(from: &row), number: try row.next(), at: try row.next(),
      receivedAt: try row.next(), outcome: try row.next(), shift: try row.next(),
      report: try row.next(), decision: try Decision(from: &row),
      policyVersion: try row.next(), localDecision: try LocalDecision(from: &row),
      needsReview: try row.next(), kept: try row.next())
    if let end: Instant = try row.next(), at < end { claimed = ShiftSpan(from: at, to: end) }
    isOvertaken = try row.next()
    supersededAt = try row.next()
    review = try ClockActionReview(from: &row)
  }
}

extension LocalDecision {
  fileprivate init?(from row: inout RowReader) throws(PostgresError) {
    guard let blocking: FindingSet = try row.next() else {
      row.skip(3)
      return nil
    }
    self.init(
      Decision(blocking: blocking, warning: try row.next(), informing: try row.next()),
      policyVersion: try row.next())
  }
}

extension ClockActionReview {
  fileprivate init?(from row: inout RowReader) throws(PostgresError) {
    guard let decision: ReviewDecision = try row.next() else {
      row.skip(5)
      return nil
    }
    self.init(
      decision, at: try row.next(), by: try row.next() ?? "", reason: try row.next(),
      shift: try row.next(), endedAt: try row.next())
  }
}

/// Stores a review. Affects no row if there is one. The phone's answer stays: it may ask again.
package func storeReview(_ action: ClockActionRow, _ review: ClockActionReview) -> SQL {
  """
  UPDATE clock_action
  SET review_outcome = \(review.decision.column), reviewed_at = \(review.at),
    reviewed_by = \(review.by), review_reason = \(review.reason),
    review_shift = \(review.shift), review_end = \(review.endedAt)
  WHERE employee_id = \(action.device.employee.rawValue) AND action_no = \(action.number)
    AND reviewed_at IS NULL
  """
}

/// Deletes the dismissal of that time. Affects no row if there is another review, or none.
package func deleteReview(of action: ClockActionRow, from instant: Instant) -> SQL {
  """
  UPDATE clock_action
  SET review_outcome = NULL, reviewed_at = NULL, reviewed_by = NULL, review_reason = NULL
  WHERE employee_id = \(action.device.employee.rawValue) AND action_no = \(action.number)
    AND reviewed_at = \(instant) AND review_outcome = \(ReviewDecision.dismissed.column)
  """
}

package func report(_ report: ReportID, of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> PermissionReport?
{
  try session.run(
    """
    SELECT \(fragment: PermissionReport.columns)
    FROM permission_report AS report
    WHERE report.employee_id = \(employee.rawValue) AND report.report_id = \(report.rawValue)
    """
  ).first { (row) throws(PostgresError) in try PermissionReport(try row.next(), from: &row) }
}

/// Whether a clock action needs no review any more; `true` for an unknown one.
package func isReviewed(
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
