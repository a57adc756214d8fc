import GuardRules
import Postgres
import ShiftDomain

// Tables shift_break and take_over: the events of a shift between its start and its end.

/// Starts a break. Positions recorded in it are sealed until its end is known; fixes are refused
/// from `receivedAt` on. Violates `shift_break_disjoint` if it overlaps another.
/// INVARIANT: uploads are locked out first.
package func insertBreak(
  _ number: Int16, of shift: ShiftID, from start: Instant, receivedAt: Instant
) -> [SQL] {
  [
    lockOutUploads(of: shift.employee),
    """
    INSERT INTO shift_break (employee_id, shift_no, break_no, started_at, received_at)
    VALUES (
      \(shift.employee.rawValue), \(shift.number), \(number), \(start), \(receivedAt))
    """, markDirty(shift),
  ]
}

/// Ends the break begun at `start`: its positions are deleted, later ones count again.
package func endBreak(of shift: ShiftID, from start: Instant, at instant: Instant) -> [SQL] {
  [
    lockOutUploads(of: shift.employee),
    """
    UPDATE shift_break SET ended_at = \(instant)
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND ended_at IS NULL AND started_at < \(instant)
    """,
  ] + deletePings(of: shift, from: start, to: instant)
}

/// Stores that another device tracks from `span.since` on; positions recorded by others from then
/// on are sealed. `report` was in force on the device then; `now` is the receipt of the take-over.
package func insertTakeOver(
  _ span: TrackingSpan, of shift: ShiftID, on report: ReportID?, at now: Instant
) -> [SQL] {
  [
    lockOutUploads(of: shift.employee),
    """
    INSERT INTO take_over (
      employee_id, shift_no, at, device_no, report_id, fix_age_max_ms, fresh_for_ms)
    SELECT employee_id, shift_no, \(span.since), \(span.device), \(report?.rawValue),
      greatest(\(Policy.fixAgeMin.column), 3 * ping_interval_ms, (
        SELECT 3 * app_interval_ms FROM device
        WHERE device.employee_id = \(shift.employee.rawValue)
          AND device.device_no = \(span.device))),
      \(span.freshFor?.column)
    FROM shift
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    """,
  ] + purgeLater(shift, from: span.since, to: nil, .otherDevice, at: now)
}

/// A shift's breaks, an open one without an end, and its take-overs.
package func breaksAndTakeOvers(of shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> (breaks: IntervalSet, takeOvers: [TrackingSpan])
{
  var breaks = IntervalSet()
  var takeOvers: [TrackingSpan] = []
  try session.pipeline([selectBreaks(of: shift), selectTakeOvers(of: shift)]) {
    (position, rows) throws(PostgresError) in
    if position == 0 {
      breaks = IntervalSet(try rows.map(Interval.init(from:)))
    } else {
      takeOvers = try rows.map { (row) throws(PostgresError) in
        TrackingSpan(device: try row.next(), since: try row.next())
      }
    }
  }
  return (breaks, takeOvers)
}

func selectBreaks(of shift: ShiftID) -> SQL {
  """
  SELECT started_at, ended_at
  FROM shift_break
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  ORDER BY started_at
  """
}

func selectTakeOvers(of shift: ShiftID) -> SQL {
  """
  SELECT device_no, at
  FROM take_over
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  ORDER BY at
  """
}
