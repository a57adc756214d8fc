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
  /// What coverage needs, of a table named `report`: a day has thousands of reports.
  static let coverageColumns: StaticString = """
    report.report_id, report.authorization_code, report.accuracy, report.services,
    report.effective_at, report.installation_no, report.sequence, report.exit_cause,
    report.exit_at, report.device_no, report.received_at
    """

  init(coverageFrom row: inout RowReader) throws(PostgresError) {
    let report = PermissionReport(
      id: try row.next(),
      state: PermissionState(
        authorization: try row.next(), accuracy: try row.next(), services: try row.next()),
      effectiveAt: try row.next(), installation: try row.next(), sequence: try row.next(),
      appExit: try AppExit(from: &row))
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

  var columns: [(column: StaticString, value: Int16)] {
    [
      ("known_authorization", state.authorization.column),
      ("known_accuracy", state.accuracy.column), ("known_services", state.services.column),
      ("known_mock_location", state.conditions.mockLocation.column),
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

/// Adds a report. Violates `permission_report_sequence_once` if its installation has already used
/// its sequence. If its shift has ended, the totals are marked to be computed again.
package func insert(_ row: ReportRow) -> SQL {
  let (report, state) = (row.report, row.report.state)
  return """
    WITH moved AS (
      UPDATE coverage_rollup SET version = version + 1
      WHERE employee_id = \(row.device.employee.rawValue) AND shift_no = \(row.shift)
        AND totals_version IS NOT NULL)
    INSERT INTO permission_report (
      employee_id, device_no, report_id, shift_no, effective_at, received_at, skew_ms, sequence,
      authorization_code, grant_path, accuracy, services, notifications, battery_optimisation,
      background_refresh, power_save, foreground_service, background_fix, mock_location,
      exit_cause, exit_at, trigger, source, raw, installation_no, place, counts_from)
    VALUES (
      \(row.device.employee.rawValue), \(row.device.number), \(report.id.rawValue), \(row.shift),
      \(report.effectiveAt), \(row.receivedAt), \(report.skew?.milliseconds), \(report.sequence),
      \(state.authorization.column), \(state.grantPath.column), \(state.accuracy.column),
      \(state.services.column), \(state.conditions.notifications.column),
      \(state.conditions.batteryOptimisation.column),
      \(state.conditions.backgroundRefresh.column), \(state.conditions.powerSave.column),
      \(state.conditions.foregroundService.column), \(state.conditions.backgroundFix.column),
      \(state.conditions.mockLocation.column), \(report.appExit?.cause.column),
      \(report.appExit?.at),
      \(row.trigger), \(row.source), \(row.raw), \(report.installation),
      \(report.placeColumn), \(report.countsFromColumn))
    """
}

extension PermissionReport {
  fileprivate var placeColumn: Int64? { place == sequence ? nil : place }

  fileprivate var countsFromColumn: Instant? { countsFrom == effectiveAt ? nil : countsFrom }
}

/// Adds a report unless it is already stored, by its id or by its sequence.
package func insertIfMissing(_ row: ReportRow) -> SQL {
  var sql = insert(row)
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

/// Deletes the device's previous report, unless it belongs to a shift: off shift only the newest is
/// kept, and those on which a clock action waiting for review was decided.
package func deleteReportsOffShift(of device: DeviceID) -> SQL {
  """
  DELETE FROM permission_report
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    AND shift_no IS NULL
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

/// Reports of `device` with an effective time in `span`, in any order.
package func reports(
  of device: DeviceID, effective span: ClosedRange<Instant>, on session: inout Session
) throws(PostgresError) -> [ReceivedReport] {
  try session.run(selectReports(of: device, effective: span)).receivedReports(from: device.number)
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

extension Rows {
  /// Reports of a device, each with its receipt as the last column.
  consuming func receivedReports(from device: Int16) throws(PostgresError) -> [ReceivedReport] {
    try map { (row) throws(PostgresError) in
      ReceivedReport(
        try PermissionReport(try row.next(), from: &row), from: device,
        receivedAt: try row.next())
    }
  }
}

package func reportID(
  of device: DeviceID, installation: Int32, sequence: Int64, on session: inout Session
) throws(PostgresError) -> ReportID? {
  try session.run(
    """
    SELECT report_id FROM permission_report
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND installation_no = \(installation) AND sequence = \(sequence)
    """
  ).firstValue()
}

/// Reads what is already stored of an upload of reports.
package struct UploadReading: Reading {
  package let statements: [SQL]
  /// The number of its installation; `nil` if it is new.
  package private(set) var installation: Int32?
  /// Those of its reports that are stored, by their sequence.
  package private(set) var stored: [Int64: ReportID] = [:]
  /// Stored reports of which those without a sequence may be copies; `nil`: they are none.
  package private(set) var originals: [PermissionReport]?
  private let device: DeviceID
  private let names: Bool

  /// - Parameters:
  ///   - name: The installation; `nil`: the enrolment, which has number 0.
  ///   - sequences: The sequences of the reports.
  ///   - copies: The effective times of stored reports of which these may be copies although they
  ///     have no sequence; `nil`: they are none.
  package init(
    from device: DeviceID, installation name: String?, sequences: [Int64],
    copies: ClosedRange<Instant>? = nil
  ) {
    self.device = device
    names = name != nil
    installation = name == nil ? 0 : nil
    originals = copies == nil ? nil : []
    statements =
      (name.map { [selectInstallation($0, on: device)] } ?? [])
      + (copies.map { [selectReports(of: device, effective: $0)] } ?? [])
      + (sequences.isEmpty ? [] : [selectReportIDs(of: device, name, sequences: sequences)])
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    if names && position == 0 {
      installation = try rows.installationNumber()
    } else if originals != nil, position == (names ? 1 : 0) {
      originals = try rows.receivedReports(from: device.number).map(\.report)
    } else {
      try rows.forEach { (row) throws(PostgresError) in stored[try row.next()] = try row.next() }
    }
  }
}

func selectReportIDs(of device: DeviceID, _ installation: String?, sequences: [Int64]) -> SQL {
  guard let installation else {
    return """
      SELECT sequence, report_id FROM permission_report
      WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
        AND installation_no = 0 AND sequence \(equalsAny: sequences)
      """
  }
  return """
    SELECT sequence, report_id FROM permission_report
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND installation_no = (
        SELECT installation_no + 1 - array_position(installations, \(installation))
        FROM device
        WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number))
      AND sequence \(equalsAny: sequences)
    """
}

extension StaticString {
  /// The number of columns in this list, which contains no calls.
  fileprivate var columnCount: Int { 1 + description.count { $0 == "," } }
}
