import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// What phones say about regions that are named for shifts, in table device.

extension RegionPresence {
  init(from row: inout RowReader) throws(PostgresError) {
    let crossings: [Int64]? = try row.next()
    let pairs = crossings.map { list in
      stride(from: 1, to: list.count, by: 2).map { (list[$0 - 1], list[$0]) }
    }
    self.init(
      (pairs ?? []).map { region, time in
        Crossing(
          of: region, at: Instant(milliseconds: abs(time)), isArrival: time > 0)
      }, leftReceivedAt: try row.next())
  }

  /// A hash and a time for each region, negative for a departure; `nil` without any.
  fileprivate var column: [Int64]? {
    crossings.isEmpty
      ? nil
      : crossings.flatMap { [$0.region, $0.isArrival ? $0.at.milliseconds : -$0.at.milliseconds] }
  }
}

package func setPresence(_ presence: RegionPresence, of device: DeviceID) -> SQL {
  """
  UPDATE device
  SET region_crossings = \(presence.column), left_received_at = \(presence.leftReceivedAt)
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

/// After a shift; not if another is open, or the true end of one is not confirmed.
func forgetPresence(of employee: EmployeeID) -> SQL {
  """
  UPDATE device SET region_crossings = NULL, left_received_at = NULL
  WHERE employee_id = \(employee.rawValue) AND region_crossings IS NOT NULL
    AND NOT EXISTS (
      SELECT FROM guard_state AS state
      WHERE state.employee_id = \(employee.rawValue)
        AND (state.open_shift IS NOT NULL OR state.unconfirmed_shift IS NOT NULL))
  """
}

/// The shift that a departure of `device` ended less than `departureWait` before `arrival`, if none
/// is open or began after it, nobody has changed or approved its times since, and the employee has
/// not clocked out, too.
/// - Parameter prefix: What the ids of departures begin with.
package func shiftLeft(before arrival: Instant, by device: DeviceID, with prefix: String)
  -> Query<Int32?>
{
  Query(selectShiftLeft(before: arrival, by: device, with: prefix)) {
    (rows) throws(PostgresError) in try rows.firstValue()
  }
}

func selectShiftLeft(before arrival: Instant, by device: DeviceID, with prefix: String) -> SQL {
  """
  SELECT shift.shift_no FROM guard_state AS state
  JOIN shift ON shift.employee_id = state.employee_id
  JOIN clock_action AS action
    ON action.employee_id = shift.employee_id AND action.shift_no = shift.shift_no
      AND action.at = shift.ended_at
  WHERE state.employee_id = \(device.employee.rawValue) AND state.open_shift IS NULL
    AND tstzrange(shift.started_at, shift.ended_at) && tstzrange(\(arrival - departureWait), NULL)
    AND shift.ended_at <= \(arrival)
    AND NOT EXISTS (
      SELECT FROM shift AS later
      WHERE later.employee_id = shift.employee_id AND later.started_at >= shift.ended_at)
    AND shift.approved_at IS NULL AND shift.original_started_at IS NULL
    AND NOT EXISTS (
      SELECT FROM clock_action AS own
      WHERE own.employee_id = shift.employee_id AND own.at >= shift.ended_at
        AND own.outcome = \(ClockActionResult.noOpenShift.column))
    AND action.device_no = \(device.number)
    AND starts_with(action.action_id, \(prefix))
    AND action.outcome = \(ClockActionResult.clockedOut.column)
  """
}

/// Undoes a shift's end. Fixes from then on count again.
/// INVARIANT: uploads are locked out first.
package func reopen(_ shift: ShiftID, from start: Instant) -> [SQL] {
  [
    lockOutUploads(of: shift.employee),
    """
    UPDATE shift
    SET ended_at = NULL, ended_by = NULL, needs_review = false, times_confirmed_at = NULL,
      objected_at = NULL, objection = NULL
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    """,
  ] + keepCounted(of: shift, in: ShiftSpan(from: start, to: nil)) + [markDirty(shift)]
}

/// - Parameter instant: The time of an arrival that waits for the app's permission; `nil`: none
///   does any more.
package func setArrival(_ instant: Instant?, of device: DeviceID) -> SQL {
  """
  UPDATE device SET arrived_at = \(instant)
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

/// Devices in use whose arrival before `arrivedBefore` still waits, or whose departure that was
/// received before `leftBefore` does, except in a break and just after it; the earliest first.
package func waitingCrossings(
  arrivedBefore: Instant, leftBefore: Instant, limit: Int32, on session: inout Session
) throws(PostgresError) -> [DeviceID] {
  try session.run(
    selectWaitingCrossings(arrivedBefore: arrivedBefore, leftBefore: leftBefore, limit: limit)
  ).map(DeviceID.init(from:))
}

func selectWaitingCrossings(arrivedBefore: Instant, leftBefore: Instant, limit: Int32) -> SQL {
  """
  SELECT device.employee_id, device.device_no FROM device
  JOIN guard_state AS state ON state.employee_id = device.employee_id
  WHERE device.revoked_at IS NULL AND (device.arrived_at < \(arrivedBefore)
    OR device.left_received_at < \(leftBefore)
      AND (state.break_no IS NULL OR state.break_ended_at < \(leftBefore)))
  ORDER BY least(device.arrived_at, device.left_received_at) LIMIT \(limit)
  """
}
