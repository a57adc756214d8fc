import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// What is stored of one device, for support, across tables. No statement here reads a coordinate.

/// Clock actions of up to this time before the shift are listed too: they tell how it began.
package let supportedBefore = TimeSpan.hours(24)

/// What is stored of `device` in its open or last shift.
/// - Parameter limit: The maximum number of reports, clock actions and uploads, each.
package func deviceHistory(
  of device: DeviceID, limit: Int32, on session: inout Session
) throws(PostgresError) -> DeviceHistory {
  var history = DeviceHistory()
  history.shift = try session.run(selectLastShift(of: device)).first(DeviceShift.init(from:))
  let shift = history.shift
  try session.pipeline([
    selectReports(of: device, shift: shift?.number, limit: limit),
    selectClockActions(
      of: device, since: shift.map { $0.startedAt - supportedBefore }, limit: limit),
    selectPingUploads(of: device, shift: shift?.number, limit: limit),
    selectQuarantine(of: device, limit: limit),
  ]) { (position, rows) throws(PostgresError) in
    switch position {
    case 0:
      history.reports = try rows.map { (row) throws(PostgresError) in
        history.reportCount = try row.next()
        return try DeviceReport(from: &row)
      }
    case 1: history.clockActions = try rows.map(DeviceClockAction.init(from:))
    case 2:
      history.pingUploads = try rows.map { (row) throws(PostgresError) in
        (history.pingUploadCount, history.pingCount) = (try row.next(), try row.next())
        return try PingUploadRow(from: &row)
      }
    default: history.quarantine = try rows.map(QuarantinedMessage.init(from:))
    }
  }
  return history
}

/// The newest shift that the device tracked, reported in or sent a clock action for.
func selectLastShift(of device: DeviceID) -> SQL {
  """
  SELECT shift.shift_no, shift.started_at, shift.ended_at, shift.device_no
  FROM shift
  WHERE shift.employee_id = \(device.employee.rawValue)
    AND (shift.device_no = \(device.number)
      OR EXISTS (
        SELECT FROM take_over
        WHERE take_over.employee_id = \(device.employee.rawValue)
          AND take_over.shift_no = shift.shift_no
          AND take_over.device_no = \(device.number))
      OR EXISTS (
        SELECT FROM permission_report AS report
        WHERE report.employee_id = \(device.employee.rawValue)
          AND report.shift_no = shift.shift_no
          AND report.device_no = \(device.number))
      OR EXISTS (
        SELECT FROM clock_action AS action
        WHERE action.employee_id = \(device.employee.rawValue)
          AND action.shift_no = shift.shift_no
          AND action.device_no = \(device.number)))
  ORDER BY shift.started_at DESC
  LIMIT 1
  """
}

/// The device's reports in a shift and off shift, with their number before all else.
func selectReports(of device: DeviceID, shift: Int32?, limit: Int32) -> SQL {
  """
  SELECT count(*) OVER (), \(fragment: PermissionReport.columns), report.received_at,
    report.shift_no, report.trigger, report.source, report.raw
  FROM permission_report AS report
  WHERE report.employee_id = \(device.employee.rawValue)
    AND report.device_no = \(device.number)
    AND (report.shift_no = \(shift) OR report.shift_no IS NULL)
  ORDER BY report.received_at DESC, report.report_id DESC
  LIMIT \(limit)
  """
}

/// - Parameter start: `nil`: all of them.
func selectClockActions(of device: DeviceID, since start: Instant?, limit: Int32) -> SQL {
  """
  SELECT action.action_no, action.at, action.received_at, action.outcome, action.shift_no,
    CASE WHEN action.outcome = \(ClockActionResult.clockedIn.column)
      THEN coalesce(shift.overridden, 0) ELSE 0 END,
    action.blocking, action.warning, action.informing, action.policy_version,
    action.kept_reason, action.review_outcome
  FROM clock_action AS action
  LEFT JOIN shift ON shift.employee_id = action.employee_id AND shift.shift_no = action.shift_no
  WHERE action.employee_id = \(device.employee.rawValue)
    AND action.device_no = \(device.number)
    AND action.received_at >= coalesce(\(start), '-infinity')
  ORDER BY action.received_at DESC, action.action_no DESC NULLS LAST
  LIMIT \(limit)
  """
}

/// The device's uploads of pings that count for a shift, by receipt, after their number and that of
/// the pings.
func selectPingUploads(of device: DeviceID, shift: Int32?, limit: Int32) -> SQL {
  let (employee, number) = (device.employee.rawValue, device.number)
  return """
    SELECT count(*) OVER (), (sum(count(*)) OVER ())::bigint, received_at, count(*),
      count(*) FILTER (WHERE has_fix), min(effective_at), max(effective_at)
    FROM (
      SELECT effective_at, effective_at + arrived_ms * interval '1 ms' AS received_at,
        latitude_e7 IS NOT NULL AS has_fix
      FROM ping
      JOIN shift ON shift.employee_id = ping.employee_id AND shift.shift_no = ping.shift_no
      WHERE ping.employee_id = \(employee) AND ping.device_no = \(number)
        AND ping.shift_no = \(shift) AND \(fragment: isCounted, naming: device.employee)
        AND recorded_at >= (
          SELECT least(
            started_at - \(clockErrorMax.column) * interval '1 ms', recorded_from)
          FROM shift LEFT JOIN coverage_rollup USING (employee_id, shift_no)
          WHERE employee_id = \(employee) AND shift_no = \(shift))
        AND recorded_at <= (
          SELECT CASE WHEN ended_at IS NULL THEN 'infinity'
            ELSE greatest(ended_at + \(clockErrorMax.column) * interval '1 ms', recorded_to) END
          FROM shift LEFT JOIN coverage_rollup USING (employee_id, shift_no)
          WHERE employee_id = \(employee) AND shift_no = \(shift))) AS received
    GROUP BY received_at
    ORDER BY received_at DESC
    LIMIT \(limit)
    """
}

extension DeviceShift {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      number: try row.next(), startedAt: try row.next(), endedAt: try row.next(),
      device: try row.next())
  }
}

extension DeviceReport {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      try PermissionReport(try row.next(), from: &row), receivedAt: try row.next(),
      shift: try row.next(), trigger: try row.next(), source: try row.next(), raw: try row.next())
  }
}

extension DeviceClockAction {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      number: try row.next(), at: try row.next(), receivedAt: try row.next(),
      outcome: try row.next(), shift: try row.next(),
      decision: try Decision(excusing: try row.next(), from: &row),
      policyVersion: try row.next(), kept: try row.next(), review: try row.next())
  }
}

extension PingUploadRow {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      receivedAt: try row.next(), pings: try row.next(), positions: try row.next(),
      first: try row.next(), last: try row.next())
  }
}
