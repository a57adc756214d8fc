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

/// Stores that another device tracks from `span.since` on, or earlier than it did; positions
/// recorded by others from then on are sealed. `report` was in force on the device then; `now` is
/// the receipt of the take-over.
package func insertTakeOver(
  _ span: TrackingSpan, of shift: ShiftID, on report: ReportID?, at now: Instant
) -> [SQL] {
  [
    lockOutUploads(of: shift.employee),
    """
    DELETE FROM take_over
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND device_no = \(span.device) AND at = (
        SELECT min(later.at) FROM take_over AS later
        WHERE later.employee_id = \(shift.employee.rawValue)
          AND later.shift_no = \(shift.number) AND later.at > \(span.since))
    """,
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

/// The last position of each page in the employee's shifts from `since` on, before `app` took them
/// over; by shift, then by device.
package func lastPageFixes(before app: DeviceID, since: Instant)
  -> Query<[Int32: [Int16: Instant?]]>
{
  Query(selectLastPageFixes(before: app, since: since)) { (rows) throws(PostgresError) in
    var found: [Int32: [Int16: Instant?]] = [:]
    try rows.forEach { (row) throws(PostgresError) in
      let (shift, page): (Int32, Int16) = (try row.next(), try row.next())
      let last: Instant? = try row.next()
      found[shift, default: [:]].updateValue(last, forKey: page)
    }
    return found
  }
}

func selectLastPageFixes(before app: DeviceID, since: Instant) -> SQL {
  """
  SELECT shift.shift_no, page.device_no, (
    SELECT effective_at FROM ping
    WHERE ping.employee_id = \(app.employee.rawValue) AND ping.device_no = page.device_no
      AND ping.shift_no = shift.shift_no AND latitude_e7 IS NOT NULL
      AND recorded_at >= shift.started_at - \(clockErrorMax.column) * interval '1 ms'
      AND effective_at < coalesce((
        SELECT min(take_over.at) FROM take_over
        WHERE take_over.employee_id = \(app.employee.rawValue)
          AND take_over.shift_no = shift.shift_no AND take_over.device_no = \(app.number)),
        'infinity')
    ORDER BY recorded_at DESC LIMIT 1)
  FROM shift
  JOIN device AS page ON page.employee_id = shift.employee_id
    AND page.platform = \(Platform.web.column)
  WHERE shift.employee_id = \(app.employee.rawValue)
    AND tstzrange(shift.started_at, shift.ended_at) && tstzrange(\(since), NULL)
  """
}

/// The newest take-over of a shift; `nil` without one.
package func lastTakeOver(of shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> TrackingSpan?
{
  try session.run(selectLastTakeOver(of: shift)).first { (row) throws(PostgresError) in
    TrackingSpan(device: try row.next(), since: try row.next())
  }
}

func selectLastTakeOver(of shift: ShiftID) -> SQL {
  """
  SELECT device_no, at
  FROM take_over
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  ORDER BY at DESC LIMIT 1
  """
}
