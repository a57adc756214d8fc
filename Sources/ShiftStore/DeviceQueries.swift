public import Postgres
public import ShiftDomain

// Tables device and device_contact.

/// A device with its newest report and its last contacts.
public struct DeviceRecord: Hashable, Sendable {
  /// The device.
  public var device: DeviceID
  /// Its system.
  public var platform: Platform
  /// Its system's version, as reported.
  public var osVersion: String?
  /// Its maker and model.
  public var model: String?
  /// Whether its app can report permissions.
  public var canReport: Bool
  /// SHA-256 of its token's secret.
  public var tokenHash: [UInt8]
  /// When it was enrolled.
  public var enrolledAt: Instant
  /// When it was revoked; `nil` while it is allowed.
  public var revokedAt: Instant?
  /// Its newest report.
  public var newestReport: PermissionReport?
  /// Its last contact.
  public var lastReceivedAt: Instant?
  /// Its last fix.
  public var lastFixAt: Instant?
  /// The code of the language that it asked for last, among the supported ones; `nil` if it never
  /// asked for one.
  public var language: String?
  /// Its app and the app's version, as last reported.
  public var app: String?
  /// The id of its newest installation that has one; `nil` before the first.
  public var installation: String?
  /// The number of its newest installation; 0: the enrolment.
  public var installationNumber: Int32
}

private let deviceSelection: StaticString = """
  SELECT device.employee_id, device.device_no, device.platform, device.os_version, device.model,
    device.can_report, device.token_hash, device.enrolled_at, device.revoked_at,
    contact.last_received_at, contact.last_fix_at, device.language,
    device.app, device.installations[1], device.installation_no,
  """

private let deviceTables: StaticString = """
  FROM device
  LEFT JOIN device_contact AS contact
    ON contact.employee_id = device.employee_id AND contact.device_no = device.device_no
  LEFT JOIN permission_report AS report
    ON report.employee_id = device.employee_id AND report.report_id = device.newest_report_id
  """

func selectDevice(_ device: DeviceID) -> SQL {
  """
  \(fragment: deviceSelection) \(fragment: reportColumns)
  \(fragment: deviceTables)
  WHERE device.employee_id = \(device.employee.rawValue) AND device.device_no = \(device.number)
  """
}

/// The devices of `employee`, or of all employees, newest first within an employee.
public func devices(of employee: EmployeeID?, on session: inout Session) throws(PostgresError)
  -> [DeviceRecord]
{
  let rows = try session.run(
    """
    \(fragment: deviceSelection) \(fragment: reportColumns)
    \(fragment: deviceTables)
    WHERE \(employee?.rawValue) IS NULL OR device.employee_id = \(employee?.rawValue)
    ORDER BY device.employee_id, device.device_no DESC
    """)
  return try rows.deviceRecords()
}

func selectDevices(_ devices: [DeviceID]) -> SQL {
  """
  \(fragment: deviceSelection) \(fragment: reportColumns)
  \(fragment: deviceTables)
  JOIN unnest(\(devices.map(\.employee.rawValue)), \(devices.map(\.number)))
    AS item (employee_id, device_no)
    ON item.employee_id = device.employee_id AND item.device_no = device.device_no
  """
}

/// These devices, in any order; unknown ones are left out.
public func deviceRecords(of devices: [DeviceID], on session: inout Session) throws(PostgresError)
  -> [DeviceRecord]
{
  try session.run(selectDevices(devices)).deviceRecords()
}

extension Rows {
  func deviceRecords() throws(PostgresError) -> [DeviceRecord] {
    var records: [DeviceRecord] = []
    for row in 0..<count {
      records.append(
        DeviceRecord(
          device: DeviceID(
            employee: EmployeeID(try value(row, 0)), number: try value(row, 1)),
          platform: try coded(row, 2), osVersion: try value(row, 3), model: try value(row, 4),
          canReport: try value(row, 5), tokenHash: try value(row, 6),
          enrolledAt: try value(row, 7), revokedAt: try value(row, 8),
          newestReport: try permissionReport(row, from: 15), lastReceivedAt: try value(row, 9),
          lastFixAt: try value(row, 10), language: try value(row, 11),
          app: try value(row, 12), installation: try value(row, 13),
          installationNumber: try value(row, 14)))
    }
    return records
  }
}

/// A phone to be enrolled.
public struct DeviceToInsert: Hashable, Sendable {
  /// Its system.
  public var platform: Platform
  /// Its system's version; up to 50 characters.
  public var osVersion: String?
  /// Its maker and model; up to 100 characters.
  public var model: String?
  /// Whether its app can report permissions.
  public var canReport: Bool
  /// SHA-256 of its token's secret.
  public var tokenHash: [UInt8]
  /// The code of its language, two lower-case letters; `nil` if none of those requested is
  /// supported.
  public var language: String?

  /// A phone.
  public init(
    platform: Platform, osVersion: String?, model: String?, canReport: Bool, tokenHash: [UInt8],
    language: String? = nil
  ) {
    self.platform = platform
    self.osVersion = osVersion
    self.model = model
    self.canReport = canReport
    self.tokenHash = tokenHash
    self.language = language
  }
}

/// Enrols a phone under the employee's next number; `nil` for an unknown employee, or when there
/// are no more numbers.
public func add(_ new: DeviceToInsert, to employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> DeviceID?
{
  let numbers = try session.run(takeDeviceNumber(of: employee))
  guard numbers.count == 1 else { return nil }
  let number: Int16 = try numbers.value(0, 0)
  try session.execute(
    """
    INSERT INTO device (
      employee_id, device_no, platform, os_version, model, can_report, token_hash, language)
    VALUES (
      \(employee.rawValue), \(number), \(new.platform.column), \(new.osVersion), \(new.model),
      \(new.canReport), \(new.tokenHash), \(new.language))
    """)
  return DeviceID(employee: employee, number: number)
}

/// Makes `report` the device's newest.
public func setNewestReport(_ report: ReportID, of device: DeviceID) -> SQL {
  """
  UPDATE device SET newest_report_id = \(report.rawValue)
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

/// Sets the language that the device asks for.
public func setLanguage(_ code: String, of device: DeviceID) -> SQL {
  """
  UPDATE device SET language = \(code)
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

/// Updates a device's description from its newest report.
public func setDescription(
  of device: DeviceID, osVersion: String?, model: String?, app: String?
) -> SQL {
  """
  UPDATE device SET os_version = \(osVersion), model = \(model), app = \(app)
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

/// The number of the installation `name` on `device`; `nil` if it is unknown.
public func installationNumber(
  of name: String, on device: DeviceID, _ session: inout Session
) throws(PostgresError) -> Int32? {
  let rows = try session.run(
    """
    SELECT installation_no + 1 - array_position(installations, \(name))
    FROM device
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    """)
  return rows.count == 0 ? nil : try rows.value(0, 0)
}

/// Adds the device's newest installation under `number`. The newest hundred are stored; a report of
/// an older one counts as one of a new installation.
public func addInstallation(_ name: String, number: Int32, of device: DeviceID) -> SQL {
  """
  UPDATE device
  SET installation_no = \(number), installations = (\(name) || installations)[1:100]
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

/// Revokes a device. Affects no row if it is unknown or already revoked.
///
/// INVARIANT: the employee's version is increased first, because tokens are cached with it.
public func revoke(_ device: DeviceID, at now: Instant) -> SQL {
  """
  UPDATE device SET revoked_at = \(now)
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    AND revoked_at IS NULL
  """
}

/// The newest device of `employee` that is not revoked; `nil` without any.
public func newestDevice(of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> Int16?
{
  try session.run(
    """
    SELECT max(device_no) FROM device
    WHERE employee_id = \(employee.rawValue) AND revoked_at IS NULL
    """
  ).value(0, 0)
}
