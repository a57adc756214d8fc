import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Tables guard_state and ping, for the map of the employees on shift.

/// The employees of `scope` on shift, by team and number, each with the last position of the shift.
package func employeesOnShift(in scope: TeamScope, on session: inout Session)
  throws(PostgresError) -> [EmployeeOnShift]
{
  try session.run(selectEmployeesOnShift(in: scope)).map(EmployeeOnShift.init(from:))
}

/// Reads the end of the key's index for each device of an employee, as far as its newest position
/// that counts. See the invariant of `selectCoveragePings`.
func selectEmployeesOnShift(in scope: TeamScope) -> SQL {
  """
  SELECT shift.employee_id, shift.shift_no, employee.name, employee.team_id, shift.started_at,
    shift.fix_age_max_ms, CASE WHEN state.break_ended_at IS NULL THEN state.break_started_at END,
    state.open_device IS NULL, newest.effective_at, newest.recorded_at, newest.device_no,
    newest.latitude_e7, newest.longitude_e7, newest.accuracy_m,
    newest.flags & \(PingFlag.mock) <> 0
  FROM employee
  JOIN guard_state AS state ON state.employee_id = employee.employee_id
  JOIN shift
    ON shift.employee_id = state.employee_id AND shift.shift_no = state.open_shift
  LEFT JOIN coverage_rollup AS rollup
    ON rollup.employee_id = shift.employee_id AND rollup.shift_no = shift.shift_no
  LEFT JOIN LATERAL (
    SELECT found.*
    FROM device
    CROSS JOIN LATERAL (
      SELECT effective_at, recorded_at, ping.device_no, latitude_e7, longitude_e7, accuracy_m,
        flags
      FROM ping
      WHERE ping.employee_id = device.employee_id AND ping.device_no = device.device_no
        AND ping.shift_no = shift.shift_no AND latitude_e7 IS NOT NULL
        AND \(fragment: isCounted)
        AND recorded_at >= least(
          shift.started_at - \(clockErrorMax.column) * interval '1 ms', rollup.recorded_from)
      ORDER BY recorded_at DESC
      LIMIT 1
    ) AS found
    WHERE device.employee_id = shift.employee_id
    ORDER BY effective_at DESC
    LIMIT 1
  ) AS newest ON state.break_started_at IS NULL OR state.break_ended_at IS NOT NULL
  WHERE \(employeeIn: scope)
  ORDER BY employee.team_id, shift.employee_id
  """
}

extension EmployeeOnShift {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      shift: try ShiftID(from: &row), name: try row.next(), team: try row.next(),
      startedAt: try row.next(), fixAgeMax: try row.next(), position: .absent(.notYet))
    let (breakSince, isUnconfirmed): (Instant?, Bool) = (try row.next(), try row.next())
    let at: Instant? = try row.next()
    let fix = try at.flatMap { (at) throws(PostgresError) in
      try TrackFix(newestFrom: &row, at: at)
    }
    row.skipRest()
    if let breakSince {
      position = .absent(.onBreak(since: breakSince))
    } else if isUnconfirmed {
      position = .absent(.waitsForConfirmation)
    } else if let fix {
      position = .known(fix)
    }
  }
}

extension TrackFix {
  /// From the columns after its time; `nil` for a sign of life.
  fileprivate init?(newestFrom row: inout RowReader, at: Instant) throws(PostgresError) {
    let (recordedAt, device): (Instant, Int16) = (try row.next(), try row.next())
    guard let coordinate = try Coordinate(from: &row) else { return nil }
    let accuracy: Int16 = try row.next()
    let fix = Fix(
      coordinate: coordinate, accuracyMeters: accuracy == .min ? nil : Double(accuracy))
    self.init(
      at: at, recordedAt: recordedAt, device: device, fix: fix, isMock: try row.next())
  }
}
