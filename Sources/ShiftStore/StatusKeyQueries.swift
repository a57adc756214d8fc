import Postgres
import ShiftDomain

/// A device's status as one text, its key: if the key is the same, nothing was written that the
/// status shows. It covers all that the status depends on but the time and the newest pings.
package struct StatusKey: Hashable, Sendable {
  package var text: String
  /// SHA-256 of the secret that opens the device.
  package var tokenHash: [UInt8]
}

/// Reads the keys of devices; none for a revoked one, and none for an app from a store, which may
/// not read its status.
package struct StatusKeyReading: Reading {
  package let statements: [SQL]
  package private(set) var found: [DeviceID: StatusKey] = [:]

  package init(of devices: [DeviceID]) { statements = [selectStatusKeys(of: devices)] }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    try rows.forEach { (row) throws(PostgresError) in
      let device = DeviceID(employee: EmployeeID(try row.next()), number: try row.next())
      found[device] = StatusKey(text: try row.next(), tokenHash: try row.next())
    }
  }
}

/// Writes about shifts, incidents, overrides and planned shifts all raise `guard_state.version`;
/// those about sites do not.
func selectStatusKeys(of devices: [DeviceID]) -> SQL {
  """
  SELECT device.employee_id, device.device_no,
    md5(row(
      state.version, employee.name, employee.team_id, team.policy_version,
      \(fragment: sitesVersion),
      device.newest_report_id, device.os_version, device.model, device.app, device.app_name,
      device.language, acknowledgement.app_session, acknowledgement.findings)::text),
    device.token_hash
  FROM \(wanted: devices)
  JOIN device ON device.employee_id = wanted.employee_id AND device.device_no = wanted.device_no
  JOIN guard_state AS state ON state.employee_id = device.employee_id
  JOIN employee ON employee.employee_id = device.employee_id
  JOIN team ON team.team_id = employee.team_id
  LEFT JOIN acknowledgement ON acknowledgement.employee_id = device.employee_id
    AND acknowledgement.device_no = device.device_no
  WHERE device.revoked_at IS NULL AND device.phone_app IS NULL
  """
}
