import GuardRules
import Postgres
import ShiftDomain

// Table purge, and sealed fixes: fixes that are stored although the shift does not count them,
// because a late record put them outside of it, into a break, or on a device that did not track.
// Pings are not changed for that: readers filter by the timeline.

/// Why fixes are sealed. Raw values are stored; append-only.
package enum SealCause: UInt8, Coded {
  case outsideShift = 0
  /// They are from a device that did not track.
  case otherDevice = 1
  /// A manager put them into a break.
  case inBreak = 2

  package var code: String {
    switch self {
    case .outsideShift: "outside_shift"
    case .otherDevice: "other_device"
    case .inBreak: "in_break"
    }
  }
}

/// How long sealed fixes are kept, so that the cause can be undone.
package let sealedLife = TimeSpan.hours(7 * 24)

/// Whether a ping of `shift` counts by the current timeline, for tables with these names.
let isCounted = ShiftFragment(
  "ping.effective_at >= ", trackedFrom, " AND coalesce(ping.effective_at < ", trackedTo, ", true)",
  " AND NOT coalesce(shift.added_time @> ping.effective_at, false)",
  """
   AND NOT EXISTS (
    SELECT FROM shift_break AS pause
    WHERE pause.employee_id = shift.employee_id AND pause.shift_no = shift.shift_no
      AND pause.started_at <= ping.effective_at
      AND (pause.ended_at IS NULL OR ping.effective_at < pause.ended_at))
  AND ping.device_no = coalesce((
    SELECT taken.device_no FROM take_over AS taken
    WHERE taken.employee_id = shift.employee_id AND taken.shift_no = shift.shift_no
      AND taken.at <= ping.effective_at
    ORDER BY taken.at DESC LIMIT 1), shift.device_no)
  """)

/// Schedules the deletion, 7 days from `now`, of fixes recorded with a shift from `start` on and
/// before `end`, if there are any; `nil`: without limit. The shift is rolled up again without them,
/// and visits that touch that time are deleted at once.
func purgeLater(
  _ shift: ShiftID, from start: Instant?, to end: Instant?, _ cause: SealCause, at now: Instant
) -> [SQL] {
  let (employee, number) = (shift.employee.rawValue, shift.number)
  let (first, last) = (start.map { $0 - clockErrorMax }, end.map { $0 + clockErrorMax })
  return [
    """
    INSERT INTO purge (employee_id, shift_no, sealed_at, cause, from_at, to_at)
    SELECT \(employee), \(number), \(now), \(cause.column),
      coalesce(\(start), '-infinity'), coalesce(\(end), 'infinity')
    WHERE EXISTS (
      SELECT FROM device
      JOIN ping ON ping.employee_id = device.employee_id AND ping.device_no = device.device_no
      WHERE device.employee_id = \(employee) AND shift_no = \(number)
        AND recorded_at >= CASE WHEN \(first) IS NULL THEN '-infinity' ELSE least(\(first), (
          SELECT recorded_from FROM coverage_rollup
          WHERE employee_id = \(employee) AND shift_no = \(number))) END
        AND recorded_at <= CASE WHEN \(last) IS NULL THEN 'infinity' ELSE greatest(\(last), (
          SELECT recorded_to FROM coverage_rollup
          WHERE employee_id = \(employee) AND shift_no = \(number))) END
        AND (\(start) IS NULL OR effective_at >= \(start))
        AND (\(end) IS NULL OR effective_at < \(end)))
    OR EXISTS (
      SELECT FROM shift
      WHERE employee_id = \(employee) AND shift_no = \(number)
        AND (start_fix_at >= \(start) OR end_fix_at > \(start)
          OR start_fix_at < \(end) OR end_fix_at < \(end)))
    ON CONFLICT DO NOTHING
    """, markDirty(shift), deleteVisits(of: shift, from: start, to: end),
  ]
}

/// Cancels the deletion of what a shift of this span counts again; only what is outside is deleted.
func keepCounted(of shift: ShiftID, in span: ShiftSpan) -> [SQL] {
  let (employee, number) = (shift.employee.rawValue, shift.number)
  let outside = SealCause.outsideShift.column
  let before: SQL = """
    UPDATE purge SET to_at = \(span.start)
    WHERE employee_id = \(employee) AND shift_no = \(number) AND cause = \(outside)
      AND from_at = '-infinity' AND to_at > \(span.start)
    """
  guard let end = span.end else {
    return [
      before,
      """
      DELETE FROM purge
      WHERE employee_id = \(employee) AND shift_no = \(number) AND cause = \(outside)
        AND to_at = 'infinity'
      """,
    ]
  }
  return [
    before,
    """
    WITH early AS (
      DELETE FROM purge
      WHERE employee_id = \(employee) AND shift_no = \(number) AND cause = \(outside)
        AND to_at = 'infinity' AND from_at < \(end)
      RETURNING sealed_at)
    INSERT INTO purge (employee_id, shift_no, sealed_at, cause, from_at, to_at)
    SELECT DISTINCT \(employee), \(number), sealed_at, \(outside), \(end), 'infinity'::timestamptz
    FROM early
    ON CONFLICT DO NOTHING
    """,
  ]
}

/// Shifts with sealed fixes that are due: those sealed before `cutoff`.
package func purgesDue(before cutoff: Instant, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [ShiftID]
{
  try session.run(
    """
    SELECT DISTINCT employee_id, shift_no FROM purge WHERE sealed_at <= \(cutoff)
    ORDER BY employee_id, shift_no LIMIT \(limit)
    """
  ).map(ShiftID.init(from:))
}

/// Deletes a shift's fixes that were sealed before `cutoff` and still do not count.
/// INVARIANT: the employee's state is locked first, so that no timeline changes meanwhile.
package func purge(_ shift: ShiftID, before cutoff: Instant, startFixAgeMax: TimeSpan) -> [SQL] {
  let (employee, number) = (shift.employee.rawValue, shift.number)
  return [
    """
    DELETE FROM ping USING purge, shift
    WHERE purge.employee_id = \(employee) AND purge.shift_no = \(number)
      AND purge.sealed_at <= \(cutoff)
      AND shift.employee_id = purge.employee_id AND shift.shift_no = purge.shift_no
      AND ping.employee_id = purge.employee_id AND ping.shift_no = purge.shift_no
      AND ping.effective_at >= purge.from_at AND ping.effective_at < purge.to_at
      AND NOT (\(fragment: isCounted, naming: shift.employee))
    """,
    """
    UPDATE shift SET start_fix_at = NULL, start_latitude_e7 = NULL, start_longitude_e7 = NULL,
      start_accuracy_m = NULL
    WHERE employee_id = \(employee) AND shift_no = \(number)
      AND (started_at - start_fix_at > CASE WHEN original_started_at <> started_at THEN 0
          ELSE \(startFixAgeMax.column) END * interval '1 ms'
        OR start_fix_at >= ended_at)
      AND EXISTS (
        SELECT FROM purge
        WHERE employee_id = \(employee) AND shift_no = \(number) AND sealed_at <= \(cutoff))
    """,
    """
    UPDATE shift SET end_fix_at = NULL, end_latitude_e7 = NULL, end_longitude_e7 = NULL
    WHERE employee_id = \(employee) AND shift_no = \(number)
      AND (end_fix_at < started_at OR end_fix_at > ended_at)
      AND EXISTS (
        SELECT FROM purge
        WHERE employee_id = \(employee) AND shift_no = \(number) AND sealed_at <= \(cutoff))
    """,
    """
    DELETE FROM purge
    WHERE employee_id = \(employee) AND shift_no = \(number) AND sealed_at <= \(cutoff)
    """,
  ]
}
