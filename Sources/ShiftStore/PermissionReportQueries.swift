public import GuardRules
public import Postgres
public import ShiftDomain

// Table permission_report, and the values kept from reports in other tables: the columns of a
// dimension are named in this file only. Every query that reads a report selects `reportColumns` in
// this order.

/// The columns that `Rows.permissionReport` decodes, of a table named `report`.
let reportColumns: StaticString = """
  report.report_id, report.effective_at, report.skew_ms, report.sequence,
  report.authorization_code, report.grant_path, report.accuracy, report.services,
  report.notifications, report.battery_optimisation, report.background_refresh,
  report.power_save, report.foreground_service, report.background_fix, report.mock_location,
  report.exit_cause, report.exit_at, report.installation_no, report.place, report.counts_from
  """

/// The number of these columns.
let reportColumnCount = 20

extension Rows {
  /// The report that begins at `column`; `nil` where an outer join found none.
  func permissionReport(_ row: Int, from column: Int) throws(PostgresError) -> PermissionReport? {
    guard let id: Int64 = try value(row, column) else { return nil }
    let skew: Int64? = try value(row, column + 2)
    return PermissionReport(
      id: ReportID(id),
      state: PermissionState(
        authorization: try coded(row, column + 4), grantPath: try coded(row, column + 5),
        accuracy: try coded(row, column + 6), services: try coded(row, column + 7),
        conditions: DeviceConditions(
          notifications: try coded(row, column + 8),
          batteryOptimisation: try coded(row, column + 9),
          backgroundRefresh: try coded(row, column + 10), powerSave: try coded(row, column + 11),
          foregroundService: try coded(row, column + 12),
          backgroundFix: try coded(row, column + 13), mockLocation: try coded(row, column + 14))),
      effectiveAt: try value(row, column + 1), skew: skew.map { .milliseconds($0) },
      installation: try value(row, column + 17), sequence: try value(row, column + 3),
      place: try value(row, column + 18), countsFrom: try value(row, column + 19),
      appExit: try appExit(row, from: column + 15))
  }
}

extension Rows {
  private func appExit(_ row: Int, from column: Int) throws(PostgresError) -> AppExit? {
    guard let cause: AppExitCause = try codedIfPresent(row, column) else { return nil }
    return AppExit(cause, at: try value(row, column + 1))
  }
}

/// What `Rows.coverageReport` decodes from the third column on. A day has thousands of reports.
let coverageReportColumns: StaticString = """
  report.device_no, report.received_at, report.report_id, report.effective_at, report.sequence,
  report.authorization_code, report.accuracy, report.services, report.exit_cause, report.exit_at,
  report.installation_no
  """

extension Rows {
  /// The report that begins at the third column.
  func coverageReport(_ row: Int) throws(PostgresError) -> ReceivedReport {
    let cause: AppExitCause? = try codedIfPresent(row, 10)
    let report = PermissionReport(
      id: ReportID(try value(row, 4)),
      state: PermissionState(
        authorization: try coded(row, 7), accuracy: try coded(row, 8),
        services: try coded(row, 9)),
      effectiveAt: try value(row, 5), installation: try value(row, 12),
      sequence: try value(row, 6),
      appExit: try cause.map { (cause) throws(PostgresError) in
        AppExit(cause, at: try value(row, 11))
      })
    return ReceivedReport(report, from: try value(row, 2), receivedAt: try value(row, 3))
  }
}

/// The columns that `Rows.knownState` decodes, of a table named `state`.
let knownColumns: StaticString = """
  state.known_authorization, state.known_accuracy, state.known_services, state.known_mock_location
  """

/// The number of these columns.
let knownColumnCount = 4

extension Rows {
  /// The known values that begin at `column`.
  func knownState(_ row: Int, from column: Int) throws(PostgresError) -> KnownState {
    KnownState(
      PermissionState(
        authorization: try coded(row, column), accuracy: try coded(row, column + 1),
        services: try coded(row, column + 2),
        conditions: DeviceConditions(mockLocation: try coded(row, column + 3))))
  }
}

extension KnownState {
  /// The same columns with their values.
  var columns: [(column: StaticString, value: Int16)] {
    [
      ("known_authorization", state.authorization.column),
      ("known_accuracy", state.accuracy.column), ("known_services", state.services.column),
      ("known_mock_location", state.conditions.mockLocation.column),
    ]
  }
}

/// The stored facts of a report besides those the rules use.
public struct ReportRow: Hashable, Sendable {
  /// The device that sent it.
  public var device: DeviceID
  /// The report.
  public var report: PermissionReport
  /// When it was received.
  public var receivedAt: Instant
  /// The shift it belongs to; `nil` off shift.
  public var shift: Int32?
  /// What made the phone report.
  public var trigger: String?
  /// The source of the raw values.
  public var source: String?

  /// A row.
  public init(
    device: DeviceID, report: PermissionReport, receivedAt: Instant, shift: Int32?,
    trigger: String?, source: String?
  ) {
    self.device = device
    self.report = report
    self.receivedAt = receivedAt
    self.shift = shift
    self.trigger = trigger
    self.source = source
  }
}

/// Adds a report. Violates `permission_report_sequence_once` if its installation has already used
/// its sequence. If its shift has ended, the totals are marked to be computed again.
public func insert(_ row: ReportRow) -> SQL {
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
      exit_cause, exit_at, trigger, source, installation_no, place, counts_from)
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
      \(row.trigger), \(row.source), \(report.installation), \(report.placeColumn),
      \(report.countsFromColumn))
    """
}

extension PermissionReport {
  /// `nil` if it equals the sequence.
  fileprivate var placeColumn: Int64? { place == sequence ? nil : place }

  /// `nil` if it equals the effective time.
  fileprivate var countsFromColumn: Instant? { countsFrom == effectiveAt ? nil : countsFrom }
}

/// Adds a report unless it is already stored, by its id or by its sequence.
public func insertIfMissing(_ row: ReportRow) -> SQL {
  var sql = insert(row)
  sql.append(fragment: " ON CONFLICT DO NOTHING")
  return sql
}

/// The sequence of every stored report of `device` in `range`, for comparing acknowledged with
/// stored reports.
public func reportSequences(
  of device: DeviceID, in range: ClosedRange<Int64>, on session: inout Session
) throws(PostgresError) -> [Int64] {
  let rows = try session.run(
    """
    SELECT sequence FROM permission_report
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND sequence BETWEEN \(range.lowerBound) AND \(range.upperBound)
    """)
  var sequences: [Int64] = []
  for row in 0..<rows.count { sequences.append(try rows.value(row, 0)) }
  return sequences
}

/// Deletes the device's previous report, unless it belongs to a shift: off shift only the newest is
/// kept, and those on which a clock action waiting for review was decided.
public func deleteReportsOffShift(of device: DeviceID) -> SQL {
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

/// Stores a report with the shift that it began.
public func assign(_ report: ReportID, to shift: ShiftID) -> SQL {
  """
  UPDATE permission_report SET shift_no = \(shift.number)
  WHERE employee_id = \(shift.employee.rawValue) AND report_id = \(report.rawValue)
    AND shift_no IS NULL
  """
}

/// The stored reports of `device` whose effective time is in `span`, both ends included, in any
/// order.
public func reports(
  of device: DeviceID, effective span: ClosedRange<Instant>, on session: inout Session
) throws(PostgresError) -> [ReceivedReport] {
  let rows = try session.run(
    """
    SELECT \(fragment: reportColumns), report.received_at
    FROM permission_report AS report
    WHERE report.employee_id = \(device.employee.rawValue)
      AND report.device_no = \(device.number)
      AND report.effective_at BETWEEN \(span.lowerBound) AND \(span.upperBound)
    """)
  var reports: [ReceivedReport] = []
  for row in 0..<rows.count {
    guard let report = try rows.permissionReport(row, from: 0) else { continue }
    reports.append(
      ReceivedReport(
        report, from: device.number, receivedAt: try rows.value(row, reportColumnCount)))
  }
  return reports
}

/// The report that an installation on `device` sent under `sequence`; `nil` if it is not stored.
public func reportID(
  of device: DeviceID, installation: Int32, sequence: Int64, on session: inout Session
) throws(PostgresError) -> ReportID? {
  let rows = try session.run(
    """
    SELECT report_id FROM permission_report
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND installation_no = \(installation) AND sequence = \(sequence)
    """)
  return rows.count == 0 ? nil : ReportID(try rows.value(0, 0))
}

/// The reports that an installation on `device` sent under `sequences`, as far as they are stored.
public func reportIDs(
  of device: DeviceID, installation: Int32, sequences: [Int64], on session: inout Session
) throws(PostgresError) -> [Int64: ReportID] {
  let rows = try session.run(
    """
    SELECT sequence, report_id FROM permission_report
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND installation_no = \(installation) AND sequence = ANY (\(sequences))
    """)
  var ids: [Int64: ReportID] = [:]
  for row in 0..<rows.count { ids[try rows.value(row, 0)] = ReportID(try rows.value(row, 1)) }
  return ids
}
