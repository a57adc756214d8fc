import GuardRules
import Postgres
import ShiftDomain

// Tables shift, shift_break and take_over, as far as they decide where a ping or a report belongs.

/// Reads the shifts of an employee that intersect a span, both ends included. An open one extends
/// to its limit, whether or not its end there is recorded yet.
package struct TrackedShiftsReading: Reading {
  package let statements: [SQL]
  private let employee: EmployeeID
  private let span: ClosedRange<Instant>?
  private var shifts = TrackedShifts()

  /// - Parameter span: `nil`: none are wanted.
  package init(of employee: EmployeeID, in span: ClosedRange<Instant>?) {
    self.employee = employee
    self.span = span
    statements =
      span.map { selectTrackedShifts(of: [employee.rawValue], since: $0.lowerBound) } ?? []
  }

  /// All from `start` on.
  package init(of employee: EmployeeID, since start: Instant) {
    self.init(of: employee, in: start...Instant(milliseconds: .max))
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    try shifts.read(rows, of: position)
  }

  /// In order.
  package var found: [TrackedShift] {
    guard let span else { return [] }
    return shifts.byEmployee[employee, default: []].filter { $0.start <= span.upperBound }
  }
}

/// For `TrackedShifts`: shifts that intersect the time from `since` on, breaks, take-overs.
func selectTrackedShifts(of employees: [Int32], since: Instant) -> [SQL] {
  let ids = employees.map { EmployeeID($0) }
  return [
    """
    SELECT employee_id, shift_no, started_at,
      coalesce(ended_at, started_at + shift_max_ms * interval '1 millisecond'),
      CASE WHEN opened_by = 0 THEN device_no END,
      ping_interval_ms, fix_age_max_ms, max_rest_ms, accuracy_max_m, policy_version,
      \(fragment: trackedFrom, of: ids), \(fragment: trackedTo, of: ids), \(fragment: addedTime)
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
    SELECT take_over.employee_id, take_over.shift_no, take_over.device_no, take_over.at,
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

struct TrackedShifts {
  private(set) var byEmployee: [EmployeeID: [TrackedShift]] = [:]

  /// - Parameter position: The statement's index among the three.
  mutating func read(_ rows: consuming Rows, of position: Int) throws(PostgresError) {
    try rows.forEach { (row) throws(PostgresError) in
      let shift = try ShiftID(from: &row)
      guard position > 0 else {
        var tracked = TrackedShift(
          number: shift.number, start: try row.next(), end: try row.next(),
          device: try row.next(),
          settings: TrackingSettings(
            pingInterval: try row.next(), fixAgeMax: try row.next(), maxRest: try row.next(),
            accuracyMaxMeters: try row.next(), policyVersion: try row.next()))
        let (from, to): (Instant, Instant?) = (try row.next(), try row.next())
        tracked.added = IntervalSet(
          [
            Interval(from: tracked.start, to: from),
            Interval(from: to ?? .init(milliseconds: .max), to: .init(milliseconds: .max)),
          ] + (try IntervalSet(addedFrom: &row)).intervals)
        return byEmployee[shift.employee, default: []].append(tracked)
      }
      let shifts = byEmployee[shift.employee] ?? []
      guard let index = shifts.firstIndex(where: { $0.number == shift.number }) else {
        return row.skipRest()
      }
      if position == 1 {
        byEmployee[shift.employee]?[index].breaks = IntervalSet(
          shifts[index].breaks.intervals + [try Interval(from: &row)])
      } else {
        byEmployee[shift.employee]?[index].takeOvers.append(
          TrackingSpan(
            device: try row.next(), since: try row.next(), fixAgeMax: try row.next()))
      }
    }
  }
}
