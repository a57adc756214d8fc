import Postgres
import ShiftDomain

// What a device's status depends on besides the time and the newest pings, as one text: if it is
// the same, nothing was written that the status shows.

/// Reads that text, and the hash that opens the device; nothing for a revoked device.
package struct SnapshotKeyReading: Reading {
  package let statements: [SQL]
  package private(set) var found: (key: String, tokenHash: [UInt8])?

  package init(of device: DeviceID) { statements = [selectSnapshotKey(of: device)] }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    found = try rows.first { (row) throws(PostgresError) in (try row.next(), try row.next()) }
  }
}

/// Writes about shifts, incidents and overrides all raise `guard_state.version`.
func selectSnapshotKey(of device: DeviceID) -> SQL {
  """
  SELECT md5(row(
      state.version, employee.name, employee.team_id, team.policy_version,
      device.newest_report_id, device.os_version, device.model, device.app, device.app_name,
      device.language, acknowledgement.app_session, acknowledgement.findings)::text),
    device.token_hash
  FROM device
  JOIN guard_state AS state ON state.employee_id = device.employee_id
  JOIN employee ON employee.employee_id = device.employee_id
  JOIN team ON team.team_id = employee.team_id
  LEFT JOIN acknowledgement ON acknowledgement.employee_id = device.employee_id
    AND acknowledgement.device_no = device.device_no
  WHERE device.employee_id = \(device.employee.rawValue) AND device.device_no = \(device.number)
    AND device.revoked_at IS NULL
  """
}
