public import GuardRules
public import Postgres
public import ShiftDomain

// Tables shift_break and take_over: what happens to a shift between its start and its end.

/// Begins a break. What was recorded in it is sealed until its end is known. Violates
/// `shift_break_disjoint` when it overlaps another.
/// - Parameter receivedAt: When that was told: from then on fixes are refused.
///
/// INVARIANT: uploads are kept out first.
public func insertBreak(
  _ number: Int16, of shift: ShiftID, from start: Instant, receivedAt: Instant
) -> [SQL] {
  [
    keepOutUploads(of: shift.employee),
    """
    INSERT INTO shift_break (employee_id, shift_no, break_no, started_at, received_at)
    VALUES (
      \(shift.employee.rawValue), \(shift.number), \(number), \(start), \(receivedAt))
    """, unfold(shift),
  ]
}

/// Ends the break that began at `start`: what was recorded in it goes, and what was recorded after
/// it counts again.
public func endBreak(of shift: ShiftID, from start: Instant, at instant: Instant) -> [SQL] {
  [
    keepOutUploads(of: shift.employee),
    """
    UPDATE shift_break SET ended_at = \(instant)
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND ended_at IS NULL AND started_at < \(instant)
    """,
  ] + deletePings(of: shift, from: start, to: instant)
}

/// Notes that another device tracks from `span.since` on; what others recorded from then on is
/// sealed.
/// - Parameters:
///   - report: The report of its that was in force then.
///   - now: When that was told.
public func insertTakeOver(
  _ span: TrackingSpan, of shift: ShiftID, on report: ReportID?, at now: Instant
) -> [SQL] {
  [
    keepOutUploads(of: shift.employee),
    """
    INSERT INTO take_over (
      employee_id, shift_no, at, device_no, report_id, fix_age_max_ms, fresh_for_ms)
    VALUES (
      \(shift.employee.rawValue), \(shift.number), \(span.since), \(span.device),
      \(report?.rawValue), coalesce(\(span.fixAgeMax?.column), (
        SELECT fix_age_max_ms FROM shift
        WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number))),
      \(span.freshFor?.column))
    """,
  ] + purgeLater(shift, from: span.since, to: nil, .otherDevice, at: now)
}

/// A shift's breaks, the open one without an end in sight, and the devices that took over.
public func interruptions(of shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> (breaks: IntervalSet, takeOvers: [TrackingSpan])
{
  var breaks: [Interval] = []
  var takeOvers: [TrackingSpan] = []
  try session.pipeline([selectBreaks(of: shift), selectTakeOvers(of: shift)]) {
    (position, rows) throws(PostgresError) in
    for row in 0..<rows.count {
      if position == 0 {
        let end: Instant? = try rows.value(row, 1)
        breaks.append(
          Interval(
            from: try rows.value(row, 0), to: end ?? Instant(milliseconds: .max)))
      } else {
        takeOvers.append(
          TrackingSpan(device: try rows.value(row, 1), since: try rows.value(row, 0)))
      }
    }
  }
  return (IntervalSet(breaks), takeOvers)
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
  SELECT at, device_no
  FROM take_over
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  ORDER BY at
  """
}
