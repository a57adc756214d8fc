import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Tables device and device_contact.

extension DeviceRow {
  /// To be followed by those of its newest report.
  fileprivate static let columns: StaticString = """
    device.employee_id, device.device_no, device.platform, device.os_version, device.model,
    device.can_report, device.enrolled_at, device.revoked_at,
    contact.last_received_at, contact.last_fix_at, device.language, device.app,
    device.app_name, device.installations[1], device.installation_no, device.phone_app,
    contact.hidden IS TRUE, device.arrived_at, device.region_crossings, device.left_received_at
    """

  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      device: try DeviceID(from: &row), platform: try row.next(), osVersion: try row.next(),
      model: try row.next(), canReport: try row.next(), enrolledAt: try row.next(),
      revokedAt: try row.next(), lastContactAt: try row.next(),
      lastFixAt: try row.next(), language: try row.next(), app: try row.next(),
      appName: try row.next(), installation: try row.next(), installationNumber: try row.next(),
      phoneApp: try row.next(), isHidden: try row.next(), arrivedAt: try row.next(),
      presence: try RegionPresence(from: &row))
    newestReport = try PermissionReport(from: &row)
  }
}

private let deviceTables: StaticString = """
  FROM device
  LEFT JOIN device_contact AS contact
    ON contact.employee_id = device.employee_id AND contact.device_no = device.device_no
  LEFT JOIN permission_report AS report
    ON report.employee_id = device.employee_id AND report.report_id = device.newest_report_id
  """

/// Devices, each followed by the hash that opens it, which is read only to check a credential.
func selectDevicesWithTokenHash(_ devices: [DeviceID]) -> SQL {
  """
  SELECT \(fragment: DeviceRow.columns), \(fragment: PermissionReport.columns), device.token_hash
  \(fragment: deviceTables)
  JOIN \(wanted: devices)
    ON wanted.employee_id = device.employee_id AND wanted.device_no = device.device_no
  """
}

/// The devices of `employee`, or of all employees in `scope`, newest first within an employee.
package func devices(
  of employee: EmployeeID?, in scope: TeamScope = TeamScope(), on session: inout Session
) throws(PostgresError) -> [DeviceRow] {
  try session.value(of: devices(of: employee, in: scope))
}

package func devices(of employee: EmployeeID?, in scope: TeamScope = TeamScope())
  -> Query<[DeviceRow]>
{
  Query(
    """
    SELECT \(fragment: DeviceRow.columns), \(fragment: PermissionReport.columns)
    \(fragment: deviceTables)
    WHERE (\(employee?.rawValue) IS NULL OR device.employee_id = \(employee?.rawValue))
      AND EXISTS (
        SELECT FROM employee WHERE employee.employee_id = device.employee_id
          AND \(employeeIn: scope, asked: employee))
    ORDER BY device.employee_id, device.device_no DESC
    """
  ) { (rows) throws(PostgresError) in try rows.map(DeviceRow.init(from:)) }
}

func selectDevices(_ devices: [DeviceID]) -> SQL {
  """
  SELECT \(fragment: DeviceRow.columns), \(fragment: PermissionReport.columns)
  \(fragment: deviceTables)
  JOIN \(wanted: devices)
    ON wanted.employee_id = device.employee_id AND wanted.device_no = device.device_no
  """
}

/// These devices, in any order; unknown ones are left out.
package func deviceRecords(of devices: [DeviceID], on session: inout Session) throws(PostgresError)
  -> [DeviceRow]
{
  try session.run(selectDevices(devices)).map(DeviceRow.init(from:))
}

package struct DeviceToInsert: Hashable, Sendable {
  package var platform: Platform
  /// Its system's version; up to 50 characters.
  package var osVersion: String?
  /// Its maker and model; up to 100 characters.
  package var model: String?
  package var canReport: Bool
  /// SHA-256 of its token's secret.
  package var tokenHash: [UInt8]
  /// Two lower-case letters; `nil` if none of the requested languages is supported.
  package var language: String?
  /// `nil`: an app of ours.
  package var phoneApp: PhoneApp?
  /// The interval of positions that the phone app was set up with; `nil`: the team's.
  package var appInterval: TimeSpan?

  package init(
    platform: Platform, osVersion: String?, model: String?, canReport: Bool, tokenHash: [UInt8],
    language: String? = nil, phoneApp: PhoneApp? = nil, appInterval: TimeSpan? = nil
  ) {
    self.platform = platform
    self.osVersion = osVersion
    self.model = model
    self.canReport = canReport
    self.tokenHash = tokenHash
    self.language = language
    self.phoneApp = phoneApp
    self.appInterval = appInterval
  }
}

/// Enrols a phone; `nil` for an unknown employee, or if there are no more device numbers.
package func add(_ new: DeviceToInsert, to employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> DeviceID?
{
  guard let number: Int16 = try session.run(takeDeviceNumber(of: employee)).firstValue() else {
    return nil
  }
  try session.execute(
    """
    INSERT INTO device (
      employee_id, device_no, platform, os_version, model, can_report, token_hash, language,
      phone_app, app_interval_ms)
    VALUES (
      \(employee.rawValue), \(number), \(new.platform.column), \(new.osVersion), \(new.model),
      \(new.canReport), \(new.tokenHash), \(new.language), \(new.phoneApp?.column),
      \(new.appInterval?.column))
    """)
  return DeviceID(employee: employee, number: number)
}

/// Stores the newest report of each device.
package func setNewestReports(_ newest: [(report: ReportID, device: DeviceID)]) -> SQL {
  let columns = [
    SentColumn("employee_id", newest.map(\.device.employee.rawValue)),
    SentColumn("device_no", newest.map(\.device.number)),
    SentColumn("report_id", newest.map(\.report.rawValue)),
  ]
  return """
    UPDATE device SET newest_report_id = sent.report_id
    FROM \(sent: columns, count: newest.count)
    WHERE device.employee_id = \("sent.employee_id", orOnly: newest.map(\.device.employee.rawValue))
      AND device.device_no = sent.device_no
    """
}

package func setLanguage(_ code: String, of device: DeviceID) -> SQL {
  """
  UPDATE device SET language = \(code)
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

/// What a device that tracks is, for those of the employee that do not.
package func tracker(_ device: DeviceID) -> Query<Tracker?> {
  Query(selectTracker(device)) { (rows) throws(PostgresError) in
    try rows.first { (row) throws(PostgresError) in
      Tracker(phoneApp: try row.next(), isRevoked: try row.next())
    }
  }
}

func selectTracker(_ device: DeviceID) -> SQL {
  """
  SELECT CASE WHEN revoked_at IS NULL THEN phone_app END, revoked_at IS NOT NULL FROM device
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

package func setDescription(
  of device: DeviceID, osVersion: String?, model: String?, app: String?, appName: String?
) -> SQL {
  """
  UPDATE device SET os_version = \(osVersion), model = \(model), app = \(app),
    app_name = \(appName)
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

package func installationNumber(
  of name: String, on device: DeviceID, _ session: inout Session
) throws(PostgresError) -> Int32? {
  try session.run(selectInstallation(name, on: device)).installationNumber()
}

/// The number of an installation; NULL if it is unknown.
func selectInstallation(_ name: String, on device: DeviceID) -> SQL {
  """
  SELECT installation_no + 1 - array_position(installations, \(name))
  FROM device
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

extension Rows {
  /// The result of `selectInstallation`; `nil` if it is unknown.
  consuming func installationNumber() throws(PostgresError) -> Int32? {
    let numbers: [Int32?] = try values()
    return numbers.first ?? nil
  }
}

/// Adds an installation. The newest hundred are stored; older ones count as new again.
package func addInstallation(_ name: String, number: Int32, of device: DeviceID) -> SQL {
  // COALESCE changes nothing: Citus takes a slice alone for an assignment to a part of the column.
  """
  UPDATE device
  SET installation_no = \(number), installations = coalesce((\(name) || installations)[1:100])
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

/// Revokes a device. Affects no row if it is unknown or already revoked.
/// INVARIANT: the employee's version is increased first, because tokens are cached with it.
package func revoke(_ device: DeviceID, at now: Instant) -> SQL {
  """
  UPDATE device
  SET revoked_at = \(now), arrived_at = NULL, region_crossings = NULL, left_received_at = NULL
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    AND revoked_at IS NULL
  """
}

/// The newest device of each of `employees`, revoked ones aside; without those who have none.
package func newestDevices(of employees: [EmployeeID], on session: inout Session)
  throws(PostgresError) -> [EmployeeID: Int16]
{
  guard !employees.isEmpty else { return [:] }
  var found: [EmployeeID: Int16] = [:]
  try session.run(selectNewestDevices(of: employees)).forEach { (row) throws(PostgresError) in
    let employee: EmployeeID = try row.next()
    found[employee] = try row.next()
  }
  return found
}

func selectNewestDevices(of employees: [EmployeeID]) -> SQL {
  """
  SELECT employee_id, max(device_no) FROM device
  WHERE employee_id \(equalsAny: employees.map(\.rawValue)) AND revoked_at IS NULL
  GROUP BY employee_id
  """
}
