public import GuardRules
public import Postgres
public import ShiftDomain

// Tables shift, shift_break and take_over, as far as they decide where a ping or a report belongs.

/// The shifts of `employee` that intersect the span from `start` to `end`, both included, in order.
/// An open one extends to its limit, whether or not its end there is recorded yet.
public func trackedShifts(
  of employee: EmployeeID, from start: Instant, to end: Instant, on session: inout Session
) throws(PostgresError) -> [TrackedShift] {
  guard start <= end else { return [] }
  var shifts = TrackedShifts()
  try session.pipeline(selectTrackedShifts(of: [employee.rawValue], since: start)) {
    (position, rows) throws(PostgresError) in try shifts.read(rows, of: position)
  }
  return shifts.byEmployee[employee, default: []].filter { $0.start <= end }
}

/// The statements that `TrackedShifts` reads: shifts that intersect the time from `since` on, their
/// breaks, and their take-overs.
func selectTrackedShifts(of employees: [Int32], since: Instant) -> [SQL] {
  [
    """
    SELECT employee_id, shift_no, started_at,
      coalesce(ended_at, started_at + shift_max_ms * interval '1 millisecond'), device_no,
      ping_interval_ms, fix_age_max_ms, max_rest_ms, accuracy_max_m, policy_version
    FROM shift
    WHERE employee_id = ANY (\(employees))
      AND tstzrange(started_at, ended_at) && tstzrange(\(since), NULL)
    ORDER BY employee_id, started_at
    """,
    """
    SELECT pause.employee_id, pause.shift_no,
      CASE WHEN pause.ended_at IS NULL
        THEN greatest(pause.started_at, pause.received_at) ELSE pause.started_at END,
      pause.ended_at
    FROM shift
    JOIN shift_break AS pause
      ON pause.employee_id = shift.employee_id AND pause.shift_no = shift.shift_no
    WHERE shift.employee_id = ANY (\(employees))
      AND tstzrange(shift.started_at, shift.ended_at) && tstzrange(\(since), NULL)
    ORDER BY pause.employee_id, pause.started_at
    """,
    """
    SELECT take_over.employee_id, take_over.shift_no, take_over.at, take_over.device_no,
      take_over.fix_age_max_ms
    FROM shift
    JOIN take_over
      ON take_over.employee_id = shift.employee_id AND take_over.shift_no = shift.shift_no
    WHERE shift.employee_id = ANY (\(employees))
      AND tstzrange(shift.started_at, shift.ended_at) && tstzrange(\(since), NULL)
    ORDER BY take_over.employee_id, take_over.at
    """,
  ]
}

/// Assembles the rows of `selectTrackedShifts`.
struct TrackedShifts {
  private(set) var byEmployee: [EmployeeID: [TrackedShift]] = [:]

  /// - Parameter position: The statement's index among the three.
  mutating func read(_ rows: borrowing Rows, of position: Int) throws(PostgresError) {
    for row in 0..<rows.count {
      let (employee, number) = (EmployeeID(try rows.value(row, 0)), try shiftNumber(rows, row))
      if position == 0 {
        byEmployee[employee, default: []].append(
          TrackedShift(
            number: number, start: try rows.value(row, 2), end: try rows.value(row, 3),
            device: try rows.value(row, 4),
            settings: TrackingSettings(
              pingInterval: try rows.timeSpan(row, 5), fixAgeMax: try rows.timeSpan(row, 6),
              maxRest: try rows.timeSpan(row, 7), accuracyMaxMeters: try rows.value(row, 8),
              policyVersion: try rows.value(row, 9))))
        continue
      }
      guard let index = byEmployee[employee]?.firstIndex(where: { $0.number == number }) else {
        continue
      }
      if position == 1 {
        let end: Instant? = try rows.value(row, 3)
        let pause = Interval(
          from: try rows.value(row, 2), to: end ?? Instant(milliseconds: .max))
        let before = byEmployee[employee]?[index].breaks.intervals ?? []
        byEmployee[employee]?[index].breaks = IntervalSet(before + [pause])
      } else {
        byEmployee[employee]?[index].takeOvers.append(
          TrackingSpan(
            device: try rows.value(row, 3), since: try rows.value(row, 2),
            fixAgeMax: try rows.timeSpanIfPresent(row, 4)))
      }
    }
  }

  private func shiftNumber(_ rows: borrowing Rows, _ row: Int) throws(PostgresError) -> Int32 {
    try rows.value(row, 1)
  }
}
