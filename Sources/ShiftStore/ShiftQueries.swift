import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table shift.

/// Adds a shift. Violates `shift_spans_disjoint` if it would overlap another of the employee's.
/// - Parameters:
/// - endedAt: For a shift that a manager enters afterwards.
/// - offlineReceipt: When the clock-in was received, if it was made offline.
/// - askedFrom: Before this time no phone was asked to track; `nil`: asked from the start.
/// - openedBecause: The manager who opened it, and their reason.
package func insert(
  _ shift: OpenShift, of employee: EmployeeID, under decision: Decision, override: Int32?,
  policy: Policy, policyVersion: Int32, endedAt: Instant? = nil, offlineReceipt: Instant? = nil,
  askedFrom: Instant? = nil, openedBecause: OpeningReason? = nil
) -> SQL {
  let settings = TrackingSettings(of: policy, version: policyVersion)
  return """
    INSERT INTO shift (
      employee_id, shift_no, device_no, started_at, evidence_report_id, policy_version,
      fix_age_max_ms, shift_max_ms, verdict, blocking, warning, informing, overridden, override_no,
      ended_at, ended_by, ping_interval_ms, max_rest_ms, break_max_ms, accuracy_max_m,
      offline_received_at, asked_from, opened_by, confirm_by, opened_by_name, opening_reason,
      ignores_mock)
    VALUES (
      \(employee.rawValue), \(shift.number), \(shift.device), \(shift.startedAt),
      \(shift.report?.id.rawValue), \(policyVersion), \(settings.fixAgeMax.column),
      \(shift.shiftMax.column), \(decision.verdict.column), \(decision.blocking.column),
      \(decision.warning.column), \(decision.informing.column), \(decision.overridden.column),
      \(override), \(endedAt), \(endedAt == nil ? nil : ShiftEnding.manager.column),
      \(settings.pingInterval.column), \(settings.maxRest.column), \(shift.breakMax.column),
      \(settings.accuracyMaxMeters), \(offlineReceipt), \(askedFrom), \(shift.openedBy.column),
      \(shift.confirmBy), \(openedBecause?.by), \(openedBecause?.reason),
      \(shift.accepted.isMockIgnored))
    """
}

/// Stores that the employee confirmed a shift on `shift.device`, which tracks it from then on.
/// - Parameter askedFrom: Before this time no phone was asked to track.
package func confirm(
  _ shift: OpenShift, of employee: EmployeeID, under decision: Decision, override: Int32?,
  policy: Policy, policyVersion: Int32, offlineReceipt: Instant?, askedFrom: Instant?
) -> [SQL] {
  let settings = TrackingSettings(of: policy, version: policyVersion)
  return [
    """
    UPDATE shift
    SET device_no = \(shift.device), asked_from = \(askedFrom ?? shift.askedFrom),
      evidence_report_id = \(shift.report?.id.rawValue), policy_version = \(policyVersion),
      fix_age_max_ms = \(settings.fixAgeMax.column), shift_max_ms = \(shift.shiftMax.column),
      verdict = \(decision.verdict.column), blocking = \(decision.blocking.column),
      warning = \(decision.warning.column), informing = \(decision.informing.column),
      overridden = \(decision.overridden.column), override_no = \(override),
      ping_interval_ms = \(settings.pingInterval.column),
      max_rest_ms = \(settings.maxRest.column), break_max_ms = \(shift.breakMax.column),
      accuracy_max_m = \(settings.accuracyMaxMeters), offline_received_at = \(offlineReceipt),
      ignores_mock = \(shift.accepted.isMockIgnored)
    WHERE employee_id = \(employee.rawValue) AND shift_no = \(shift.number)
    """,
    countAppInterval(in: ShiftID(employee: employee, number: shift.number)),
    // No phone tracked it before, so no position has to move.
    """
    INSERT INTO take_over (
      employee_id, shift_no, at, device_no, report_id, fix_age_max_ms, fresh_for_ms)
    SELECT employee_id, shift_no, \(shift.takenOverAt), device_no, \(shift.report?.id.rawValue),
      fix_age_max_ms, NULL
    FROM shift
    WHERE employee_id = \(employee.rawValue) AND shift_no = \(shift.number)
    """,
  ]
}

/// Goes with a clock-in: if the app of the tracking device was set up with an interval of which
/// three are longer than the shift's `fixAgeMax`, these count.
package func countAppInterval(in shift: ShiftID) -> SQL {
  """
  UPDATE shift SET fix_age_max_ms = 3 * device.app_interval_ms
  FROM device
  WHERE shift.employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    AND device.employee_id = \(shift.employee.rawValue) AND device.device_no = shift.device_no
    AND 3 * device.app_interval_ms > fix_age_max_ms
  """
}

/// Ends a shift, or stores the true end of one that ended at its limit. Fixes after the end are
/// sealed at `sealedAt`; `nil`: deleted at once, because the employee confirmed the end.
/// INVARIANT: uploads are locked out first.
package func end(
  _ shift: ShiftID, at instant: Instant, by ending: ShiftEnding, sealedAt: Instant?
) -> [SQL] {
  let behind =
    sealedAt.map { purgeLater(shift, from: instant, to: nil, .outsideShift, at: $0) }
    ?? deletePings(of: shift, from: instant, to: nil)
  return endSpan(of: shift, at: instant, by: ending) + behind
}

func endSpan(of shift: ShiftID, at instant: Instant, by ending: ShiftEnding) -> [SQL] {
  [
    lockOutUploads(of: shift.employee),
    """
    UPDATE shift
    SET ended_at = \(instant), ended_by = \(ending.column), needs_review = \(ending.needsReview),
      times_confirmed_at = NULL, objected_at = NULL, objection = NULL
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    """,
    """
    DELETE FROM shift_break
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND started_at >= \(instant)
    """,
    """
    UPDATE shift_break SET ended_at = \(instant)
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND (ended_at IS NULL OR ended_at > \(instant))
    """,
    forgetContents(ofQuarantinedSince: instant, from: shift.employee),
    forgetPresence(of: shift.employee),
  ]
}

/// Moves an open shift's start; fixes before it are sealed at `now`.
package func moveStart(of shift: ShiftID, to instant: Instant, at now: Instant) -> [SQL] {
  [
    lockOutUploads(of: shift.employee),
    """
    UPDATE shift SET started_at = \(instant)
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    """,
    """
    DELETE FROM shift_break
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND ended_at <= \(instant)
    """,
    """
    UPDATE shift_break SET started_at = \(instant)
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND started_at < \(instant)
    """,
  ] + purgeLater(shift, from: nil, to: instant, .outsideShift, at: now)
}

/// A mark for all facts that coverage uses of a shift: another value whenever something is new,
/// except for our own outages, which have no version.
package struct ShiftVersion: Hashable, Sendable {
  package var state: Int64
  package var rollupVersion: Int32
}

/// As much of a shift as tells whether anything is new about it.
package struct DayShift: Hashable, Sendable {
  package var shift: ShiftID
  package var startedAt: Instant
  /// `nil` while open.
  package var endedAt: Instant?
  package var version: ShiftVersion
}

extension ShiftRow {
  fileprivate static let columns = ShiftFragment(
    ownColumns, ", ", trackedFrom, ", ", trackedTo, ", ", addedTime)

  private static let ownColumns: ShiftFragment = """
    shift.employee_id, shift.shift_no, employee.name, shift.device_no, shift.started_at,
    shift.ended_at, shift.verdict, shift.ping_interval_ms, shift.fix_age_max_ms,
    shift.max_rest_ms, shift.accuracy_max_m, shift.policy_version, shift.shift_max_ms,
    shift.start_fix_at, shift.start_fix_proof, shift.end_fix_at, shift.end_fix_proof,
    shift.offline_received_at, shift.ended_by, shift.needs_review, shift.opened_by,
    shift.opened_by_name, shift.opening_reason, shift.confirm_by, shift.approved_by,
    shift.approved_at, shift.times_confirmed_at, shift.objected_at, shift.objection,
    shift.asked_from, coalesce(shift.asked_from, shift.original_started_at, shift.started_at),
    shift.evidence_report_id, shift.ignores_mock,
    CASE WHEN shift.original_started_at IS NOT NULL THEN (
      SELECT array_agg(corrected_at ORDER BY correction_no) FROM shift_correction AS correction
      WHERE correction.employee_id = shift.employee_id AND correction.shift_no = shift.shift_no
        AND undoes IS NULL AND old_ended_at IS NULL AND new_ended_at IS NOT NULL) END,
    CASE WHEN shift.original_started_at IS NOT NULL THEN (
      SELECT array_agg(coalesce((
          SELECT undoing.corrected_at FROM shift_correction AS undoing
          WHERE undoing.employee_id = shift.employee_id AND undoing.shift_no = shift.shift_no
            AND undoing.undoes = correction.correction_no), shift.ended_at, corrected_at)
        ORDER BY correction_no)
      FROM shift_correction AS correction
      WHERE correction.employee_id = shift.employee_id AND correction.shift_no = shift.shift_no
        AND undoes IS NULL AND old_ended_at IS NULL AND new_ended_at IS NOT NULL) END
    """

  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      shift: try ShiftID(from: &row), name: try row.next(), device: try row.next(),
      startedAt: try row.next(), endedAt: try row.next(), verdict: try row.next(),
      settings: TrackingSettings(
        pingInterval: try row.next(), fixAgeMax: try row.next(), maxRest: try row.next(),
        accuracyMaxMeters: try row.next(), policyVersion: try row.next()),
      shiftMax: try row.next(), startFix: try ActionFix(from: &row),
      endFix: try ActionFix(from: &row), offlineReceipt: try row.next(),
      notAsked: IntervalSet(), ending: try row.next(), needsReview: try row.next(),
      openedBy: try row.next(), openedBecause: try OpeningReason(from: &row),
      confirmBy: try row.next(), approval: try ShiftApproval(from: &row),
      timesConfirmedAt: try row.next(), objection: try Objection(from: &row))
    let end = endedAt ?? Instant(milliseconds: .max)
    let (askedFrom, begun): (Instant?, Instant) = (try row.next(), try row.next())
    (evidence, isMockIgnored) = (try row.next(), try row.next())
    // What is accepted in review begins with what held then.
    let isAccepted = openedBy == .employee && askedFrom != nil
    isMockAccepted = startFix?.proof == .mock && !isAccepted
    // One that a manager ended while it was open was to be tracked until then, and from the undo.
    let (ends, undos): ([Instant]?, [Instant]?) = (try row.next(), try row.next())
    let (trackedFrom, trackedTo): (Instant, Instant?) = (try row.next(), try row.next())
    (begunAt, confirmedAt) = (begun, openedBy == .employee ? nil : askedFrom)
    added = IntervalSet(
      [
        Interval(from: startedAt, to: min(trackedFrom, end)),
        Interval(from: max(trackedTo ?? end, startedAt), to: end),
      ] + (try IntervalSet(addedFrom: &row)).intervals
    ).intersection(IntervalSet(from: startedAt, to: end))
    let before = Interval(
      from: startedAt, to: min(askedFrom ?? (device == nil ? end : startedAt), end))
    let ended = zip(ends ?? [], undos ?? []).map { Interval(from: $0, to: $1) }
    notAsked = IntervalSet([before] + added.intervals + ended)
  }
}

extension Objection {
  init?(from row: inout RowReader) throws(PostgresError) {
    let (at, reason): (Instant?, String?) = (try row.next(), try row.next())
    guard let at, let reason else { return nil }
    self.init(at: at, reason: reason)
  }
}

extension OpeningReason {
  fileprivate init?(from row: inout RowReader) throws(PostgresError) {
    let (by, reason): (String?, String?) = (try row.next(), try row.next())
    guard let by, let reason else { return nil }
    self.init(by: by, reason: reason)
  }
}

extension DayShift {
  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      shift: try ShiftID(from: &row), startedAt: try row.next(), endedAt: try row.next(),
      version: ShiftVersion(state: try row.next(), rollupVersion: try row.next()))
  }
}

private let shiftSource: StaticString = """
  FROM shift
  JOIN employee ON employee.employee_id = shift.employee_id
  """

package func shifts(
  of employee: EmployeeID?, openOnly: Bool, limit: Int32, on session: inout Session
) throws(PostgresError) -> [ShiftRow] {
  try session.value(of: shifts(of: employee, openOnly: openOnly, limit: limit))
}

package func shifts(of employee: EmployeeID?, openOnly: Bool, limit: Int32) -> Query<[ShiftRow]> {
  Query(
    """
    SELECT \(fragment: ShiftRow.columns)
    \(fragment: shiftSource)
    WHERE (\(employee?.rawValue) IS NULL OR shift.employee_id = \(employee?.rawValue))
      AND (NOT \(openOnly) OR shift.ended_at IS NULL)
    ORDER BY shift.started_at DESC, shift.employee_id
    LIMIT \(limit)
    """
  ) { (rows) throws(PostgresError) in try rows.map(ShiftRow.init(from:)) }
}

/// The shifts of a team that began from `start` on and before `end`, by employee and start.
package func shifts(
  of team: TeamID, from start: Instant, to end: Instant, on session: inout Session
) throws(PostgresError) -> [ShiftRow] {
  try session.run(
    """
    SELECT \(fragment: ShiftRow.columns)
    \(fragment: shiftSource)
    WHERE employee.team_id = \(team.rawValue)
      AND shift.started_at >= \(start) AND shift.started_at < \(end)
    ORDER BY shift.employee_id, shift.started_at
    """
  ).map(ShiftRow.init(from:))
}

package func shift(_ shift: ShiftID, on session: inout Session) throws(PostgresError)
  -> ShiftRow?
{
  try session.run(selectShift(shift)).first(ShiftRow.init(from:))
}

func selectShift(_ shift: ShiftID) -> SQL {
  """
  SELECT \(fragment: ShiftRow.columns, naming: shift.employee)
  \(fragment: shiftSource)
  WHERE shift.employee_id = \(shift.employee.rawValue) AND shift.shift_no = \(shift.number)
  """
}

/// The existing ones of `shifts`, by employee and number.
package func shiftRecords(of shifts: [ShiftID], on session: inout Session) throws(PostgresError)
  -> [ShiftRow]
{
  var records = shiftRecords(of: shifts)
  try session.pipeline([probeKeys] + records.statements) { (position, rows) throws(PostgresError) in
    if position == 1 { try records.add(0, rows) }
  }
  return records.value
}

/// The same, after their surroundings, whose advice to the planner is for this join too.
package func shiftRecords(of shifts: [ShiftID]) -> Query<[ShiftRow]> {
  Query(
    """
    SELECT \(fragment: ShiftRow.columns)
    \(fragment: shiftSource)
    JOIN \(wanted: shifts)
      ON wanted.employee_id = shift.employee_id AND wanted.shift_no = shift.shift_no
    ORDER BY shift.employee_id, shift.shift_no
    """
  ) { (rows) throws(PostgresError) in try rows.map(ShiftRow.init(from:)) }
}

func selectShifts(_ filter: ListFilter, limit: Int32) -> SQL {
  """
  SELECT \(fragment: ShiftRow.columns)
  \(fragment: shiftSource)
  WHERE \(employeeIn: filter.scope, asked: filter.employee)
    AND (\(filter.employee?.rawValue) IS NULL OR shift.employee_id = \(filter.employee?.rawValue))
    AND (\(filter.isOpen) IS NULL OR (shift.ended_at IS NULL) = \(filter.isOpen))
    AND shift.started_at >= coalesce(\(filter.from), '-infinity')
    AND shift.started_at < coalesce(\(filter.to), 'infinity')
    AND \(after: filter.after, time: "shift.started_at", employee: "shift.employee_id",
      number: "shift.shift_no")
  ORDER BY shift.started_at DESC, shift.employee_id, shift.shift_no DESC
  LIMIT \(limit)
  """
}

/// Shifts in `scope` that need review, the newest first: of the last 31 days, and those of any age
/// to whose times the employee objects.
func selectShiftsToReview(
  in scope: TeamScope, after place: ListPlace?, limit: Int32, now: Instant
) -> SQL {
  """
  SELECT \(fragment: ShiftRow.columns)
  \(fragment: shiftSource)
  WHERE shift.needs_review
    AND (shift.started_at > \(now - .hours(24 * 31)) OR shift.objected_at IS NOT NULL)
    AND \(employeeIn: scope)
    AND \(after: place, time: "shift.started_at", employee: "shift.employee_id",
      number: "shift.shift_no")
  ORDER BY shift.started_at DESC, shift.employee_id, shift.shift_no DESC
  LIMIT \(limit)
  """
}

func countShiftsToReview(in scope: TeamScope, now: Instant) -> SQL {
  """
  SELECT count(*)
  \(fragment: shiftSource)
  WHERE shift.needs_review
    AND (shift.started_at > \(now - .hours(24 * 31)) OR shift.objected_at IS NOT NULL)
    AND \(employeeIn: scope)
  """
}

/// Notes that a manager has reviewed the shift and accepted its times. Affects one row, or none.
package func noteReviewed(_ shift: ShiftID) -> SQL {
  """
  UPDATE shift SET needs_review = false
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    AND needs_review AND ended_at IS NOT NULL
  """
}

extension [TeamDay] {
  /// No earlier shift can intersect one of the days, because none is longer than a day.
  var earliestBegin: Instant { (map(\.span.start).min() ?? Instant(milliseconds: 0)) - .hours(24) }
}

func selectShifts(touching days: [TeamDay], only employees: [Int32]?) -> SQL {
  """
  SELECT shift.employee_id, shift.shift_no, shift.started_at, shift.ended_at, state.version,
    coalesce(rollup.version, 0)
  \(fragment: shiftSource)
  JOIN guard_state AS state ON state.employee_id = shift.employee_id
  LEFT JOIN coverage_rollup AS rollup
    ON rollup.employee_id = shift.employee_id AND rollup.shift_no = shift.shift_no
  JOIN unnest(
      \(days.map(\.team.rawValue)), \(days.map(\.span.start)), \(days.map(\.span.end)))
    AS day (team_id, starts_at, ends_at) ON day.team_id = employee.team_id
  WHERE shift.started_at >= \(days.earliestBegin) AND shift.started_at < day.ends_at
    AND (shift.ended_at IS NULL OR shift.ended_at > day.starts_at)
    AND (\(employees) IS NULL OR shift.employee_id = ANY (\(employees)))
  ORDER BY shift.employee_id, shift.started_at
  """
}
