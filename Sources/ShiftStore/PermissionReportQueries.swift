import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table permission_report, and the values kept from reports in other tables: the columns of a
// dimension are named in this file only.

extension PermissionReport {
  /// Of a table named `report`.
  static let columns: StaticString = """
    report.report_id, report.authorization_code, report.grant_path, report.accuracy,
    report.services, report.notifications, report.battery_optimisation, report.background_refresh,
    report.power_save, report.foreground_service, report.background_fix, report.mock_location,
    report.effective_at, report.skew_ms, report.installation_no, report.sequence, report.place,
    report.counts_from, report.exit_cause, report.exit_at
    """

  static let columnCount = columns.columnCount

  /// `nil` where an outer join found none.
  init?(from row: inout RowReader) throws(PostgresError) {
    guard let id: ReportID = try row.next() else {
      row.skip(Self.columnCount - 1)
      return nil
    }
    try self.init(id, from: &row)
  }

  /// - Parameter id: The first column.
  init(_ id: ReportID, from row: inout RowReader) throws(PostgresError) {
    self.init(
      id: id,
      state: PermissionState(
        authorization: try row.next(), grantPath: try row.next(), accuracy: try row.next(),
        services: try row.next(),
        conditions: DeviceConditions(
          notifications: try row.next(), batteryOptimisation: try row.next(),
          backgroundRefresh: try row.next(), powerSave: try row.next(),
          foregroundService: try row.next(), backgroundFix: try row.next(),
          mockLocation: try row.next())),
      effectiveAt: try row.next(), skew: try row.next(), installation: try row.next(),
      sequence: try row.next(), place: try row.next(), countsFrom: try row.next(),
      appExit: try AppExit(from: &row))
  }
}

extension AppExit {
  fileprivate init?(from row: inout RowReader) throws(PostgresError) {
    guard let cause: AppExitCause = try row.next() else {
      row.skip(1)
      return nil
    }
    self.init(cause, at: try row.next())
  }
}

extension ReceivedReport {
  /// What a shift's record needs, of a table named `report`: a day has thousands of reports.
  static let coverageColumns: StaticString = """
    report.report_id, report.authorization_code, report.accuracy, report.services,
    report.effective_at, report.installation_no, report.sequence, report.exit_cause,
    report.exit_at, report.mock_location, report.device_no, report.received_at
    """

  init(coverageFrom row: inout RowReader) throws(PostgresError) {
    var report = PermissionReport(
      id: try row.next(),
      state: PermissionState(
        authorization: try row.next(), accuracy: try row.next(), services: try row.next()),
      effectiveAt: try row.next(), installation: try row.next(), sequence: try row.next(),
      appExit: try AppExit(from: &row))
    report.state.conditions.mockLocation = try row.next()
    self.init(report, from: try row.next(), receivedAt: try row.next())
  }
}

extension KnownState {
  static let columns: StaticString = """
    state.known_authorization, state.known_accuracy, state.known_services,
    state.known_mock_location
    """

  static let columnCount = columns.columnCount

  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      PermissionState(
        authorization: try row.next(), accuracy: try row.next(), services: try row.next(),
        conditions: DeviceConditions(mockLocation: try row.next())))
  }

  static func columns(of known: [KnownState]) -> [SentColumn] {
    [
      SentColumn("known_authorization", known.map(\.state.authorization.column)),
      SentColumn("known_accuracy", known.map(\.state.accuracy.column)),
      SentColumn("known_services", known.map(\.state.services.column)),
      SentColumn("known_mock_location", known.map(\.state.conditions.mockLocation.column)),
    ]
  }
}

/// The stored facts of a report besides those the rules use.
package struct ReportRow: Hashable, Sendable {
  package var device: DeviceID
  package var report: PermissionReport
  package var receivedAt: Instant
  package var shift: Int32?
  package var trigger: String?
  package var source: String?
  /// The raw values as JSON; 1…1,000 characters.
  package var raw: String?

  package init(
    device: DeviceID, report: PermissionReport, receivedAt: Instant, shift: Int32?,
    trigger: String?, source: String?, raw: String? = nil
  ) {
    self.device = device
    self.report = report
    self.receivedAt = receivedAt
    self.shift = shift
    self.trigger = trigger
    self.source = source
    self.raw = raw
  }
}

/// Adds reports. Violates `permission_report_sequence_once` if the installation of one has already
/// used its sequence. If a report's shift has ended, the totals are marked to be computed again.
func insert(_ rows: [ReportRow]) -> SQL {
  let shifts = rows.compactMap { row in
    row.shift.map { ShiftID(employee: row.device.employee, number: $0) }
  }
  let inserted: SQL = """
    INSERT INTO permission_report \(inserting: columns(of: rows), count: rows.count)
    """
  if shifts.isEmpty { return inserted }
  return """
    WITH moved AS (
      UPDATE coverage_rollup AS rollup SET version = version + 1
      FROM \(wanted: shifts)
      WHERE rollup.employee_id = wanted.employee_id AND rollup.shift_no = wanted.shift_no
        \(ifOne: shifts, of: "rollup.employee_id") AND totals_version IS NOT NULL)
    INSERT INTO permission_report \(inserting: columns(of: rows), count: rows.count)
    """
}

private func columns(of rows: [ReportRow]) -> [SentColumn] {
  let (reports, states) = (rows.map(\.report), rows.map(\.report.state))
  let conditions = states.map(\.conditions)
  return [
    SentColumn("employee_id", rows.map(\.device.employee.rawValue)),
    SentColumn("device_no", rows.map(\.device.number)),
    SentColumn("report_id", reports.map(\.id.rawValue)),
    SentColumn("shift_no", rows.map(\.shift)),
    SentColumn("effective_at", reports.map(\.effectiveAt)),
    SentColumn("received_at", rows.map(\.receivedAt)),
    SentColumn("skew_ms", reports.map { $0.skew?.milliseconds }),
    SentColumn("sequence", reports.map(\.sequence)),
    SentColumn("authorization_code", states.map(\.authorization.column)),
    SentColumn("grant_path", states.map(\.grantPath.column)),
    SentColumn("accuracy", states.map(\.accuracy.column)),
    SentColumn("services", states.map(\.services.column)),
    SentColumn("notifications", conditions.map(\.notifications.column)),
    SentColumn("battery_optimisation", conditions.map(\.batteryOptimisation.column)),
    SentColumn("background_refresh", conditions.map(\.backgroundRefresh.column)),
    SentColumn("power_save", conditions.map(\.powerSave.column)),
    SentColumn("foreground_service", conditions.map(\.foregroundService.column)),
    SentColumn("background_fix", conditions.map(\.backgroundFix.column)),
    SentColumn("mock_location", conditions.map(\.mockLocation.column)),
    SentColumn("exit_cause", reports.map { $0.appExit?.cause.column }),
    SentColumn("exit_at", reports.map { $0.appExit?.at }),
    SentColumn("trigger", rows.map(\.trigger)), SentColumn("source", rows.map(\.source)),
    SentColumn("raw", rows.map(\.raw)),
    SentColumn("installation_no", reports.map(\.installation)),
    SentColumn("place", reports.map(\.placeColumn)),
    SentColumn("counts_from", reports.map(\.countsFromColumn)),
  ]
}

extension PermissionReport {
  fileprivate var placeColumn: Int64? { place == sequence ? nil : place }

  fileprivate var countsFromColumn: Instant? { countsFrom == effectiveAt ? nil : countsFrom }
}

/// Adds those of the reports that are not stored yet, by their ids or by their sequences.
package func insertIfMissing(_ rows: [ReportRow]) -> SQL {
  var sql = insert(rows)
  sql.append(fragment: " ON CONFLICT DO NOTHING")
  return sql
}

/// The sequences of stored reports in `range`, for comparing with those acknowledged.
package func reportSequences(
  of device: DeviceID, in range: ClosedRange<Int64>, on session: inout Session
) throws(PostgresError) -> [Int64] {
  try session.run(
    """
    SELECT sequence FROM permission_report
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND sequence BETWEEN \(range.lowerBound) AND \(range.upperBound)
    """
  ).values()
}

/// Deletes the device's previous reports, unless they belong to a shift: off shift only the newest
/// is kept, those of its last day that say what it leaves unknown (0), and those on which an action
/// that waits for a review was decided.
package func deleteReportsOffShift(of device: DeviceID, before newest: PermissionReport) -> SQL {
  let state = newest.state
  return """
    DELETE FROM permission_report
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND shift_no IS NULL
      AND (effective_at < \(newest.effectiveAt - PolicySpan.freshFor.range.upperBound)
        OR (\(state.authorization != .unknown) OR authorization_code = 0)
        AND (\(state.services != .unknown) OR services = 0)
        AND (\(state.accuracy != .unknown) OR accuracy = 0)
        AND (\(state.conditions.mockLocation != .unknown) OR mock_location = 0))
      AND NOT EXISTS (
        SELECT FROM clock_action AS action
        WHERE action.employee_id = permission_report.employee_id
          AND action.report_id = permission_report.report_id
          AND action.action_no IS NOT NULL AND action.reviewed_at IS NULL
          AND (action.needs_review OR action.outcome = \(ClockActionResult.blocked.column)))
    """
}

package func assign(_ report: ReportID, to shift: ShiftID) -> SQL {
  """
  UPDATE permission_report SET shift_no = \(shift.number)
  WHERE employee_id = \(shift.employee.rawValue) AND report_id = \(report.rawValue)
    AND shift_no IS NULL
  """
}

/// Has `shift` begin, on one of its devices, with those of `reports` that belong to another shift.
package func noteEarlier(_ reports: [ReportID], in shift: ShiftID) -> SQL {
  """
  UPDATE shift SET earlier_reports = coalesce(earlier_reports, '{}') || ARRAY(
    SELECT report_id FROM permission_report AS report
    WHERE report.employee_id = \(shift.employee.rawValue)
      AND report.report_id = ANY (\(reports.map(\.rawValue)))
      AND report.shift_no <> \(shift.number))
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  """
}

/// Reports of `device` with an effective time in `span`, in any order.
package func reports(
  of device: DeviceID, effective span: ClosedRange<Instant>, on session: inout Session
) throws(PostgresError) -> [ReceivedReport] {
  try session.value(of: reports(of: device, effective: span))
}

package func reports(of device: DeviceID, effective span: ClosedRange<Instant>)
  -> Query<[ReceivedReport]>
{
  Query(selectReports(of: device, effective: span)) { (rows) throws(PostgresError) in
    try rows.receivedReports(from: device.number)
  }
}

func selectReports(of device: DeviceID, effective span: ClosedRange<Instant>) -> SQL {
  """
  SELECT \(fragment: PermissionReport.columns), report.received_at
  FROM permission_report AS report
  WHERE report.employee_id = \(device.employee.rawValue)
    AND report.device_no = \(device.number)
    AND report.effective_at BETWEEN \(span.lowerBound) AND \(span.upperBound)
  """
}

package func earlierReports(of employee: EmployeeID) -> Query<[DeviceID: [ReceivedReport]]> {
  Query(selectEarlierReports(of: [employee])) { (rows) throws(PostgresError) in
    try rows.earlierReports()
  }
}

/// The reports before the newest of each device that say what this leaves unknown (0) and were
/// fresh then: off shift, and in ended shifts once none is open. Few are read of each.
func selectEarlierReports(of employees: [EmployeeID]) -> SQL {
  """
  SELECT device.employee_id, device.device_no, \(fragment: PermissionReport.columns),
    report.received_at
  FROM device
  JOIN guard_state AS state ON state.employee_id = device.employee_id
  JOIN permission_report AS newest
    ON newest.employee_id = device.employee_id AND newest.report_id = device.newest_report_id
      AND 0 IN (newest.authorization_code, newest.services, newest.accuracy, newest.mock_location)
  CROSS JOIN LATERAL (
    \(fragment: earlierReports, of: employees) AND earlier.shift_no IS NULL
    UNION ALL
    \(fragment: earlierReports, of: employees)
      AND state.open_shift IS NULL AND \(fragment: isInRecentShift, of: employees)
  ) AS report
  WHERE device.employee_id \(equalsAny: employees.map(\.rawValue))
  """
}

/// A policy calls no report fresh for longer than a day.
private let isInRecentShift: ShiftFragment = """
  earlier.shift_no IN (
    SELECT ended.shift_no FROM shift AS ended
    WHERE ended.employee_id = device.employee_id
      AND tstzrange(ended.started_at, ended.ended_at)
        && tstzrange(newest.effective_at - interval '24 hours', NULL))
  """

private let earlierReports: ShiftFragment = """
  SELECT earlier.* FROM permission_report AS earlier
  WHERE earlier.employee_id = device.employee_id AND earlier.device_no = device.device_no
    AND earlier.report_id <> newest.report_id
    AND earlier.effective_at >= newest.effective_at - interval '1 ms' * (
      SELECT policy.fresh_for_ms
      FROM employee JOIN team USING (team_id)
      JOIN policy_version AS policy
        ON policy.team_id = team.team_id AND policy.version = team.policy_version
      WHERE employee.employee_id = device.employee_id)
    AND (newest.authorization_code = 0 AND earlier.authorization_code <> 0
      OR newest.services = 0 AND earlier.services <> 0
      OR newest.accuracy = 0 AND earlier.accuracy <> 0
      OR newest.mock_location = 0 AND earlier.mock_location <> 0)
  """

extension Rows {
  /// The result of `selectEarlierReports`.
  consuming func earlierReports() throws(PostgresError) -> [DeviceID: [ReceivedReport]] {
    var found: [DeviceID: [ReceivedReport]] = [:]
    try forEach { (row) throws(PostgresError) in
      let device = try DeviceID(from: &row)
      let report = ReceivedReport(
        try PermissionReport(try row.next(), from: &row), from: device.number,
        receivedAt: try row.next())
      found[device, default: []].append(report)
    }
    return found
  }

  /// Reports of a device, each with its receipt as the last column.
  consuming func receivedReports(from device: Int16) throws(PostgresError) -> [ReceivedReport] {
    try map { (row) throws(PostgresError) in
      ReceivedReport(
        try PermissionReport(try row.next(), from: &row), from: device,
        receivedAt: try row.next())
    }
  }
}

extension StaticString {
  /// The number of columns in this list, which contains no calls.
  fileprivate var columnCount: Int { 1 + description.count { $0 == "," } }
}
