import Postgres
import ReadModels
import ShiftDomain

// Table acknowledgement: the newest acknowledgement of each device.

package struct Acknowledgement: Hashable, Sendable {
  /// The id of the app session; 1…64 characters.
  package var appSession: String
  package var findings: FindingSet

  package init(appSession: String, findings: FindingSet) {
    self.appSession = appSession
    self.findings = findings
  }
}

package func acknowledgement(on device: DeviceID, on session: inout Session)
  throws(PostgresError) -> Acknowledgement?
{
  try session.run(
    """
    SELECT app_session, findings
    FROM acknowledgement
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    """
  ).first { (row) throws(PostgresError) in
    Acknowledgement(appSession: try row.next(), findings: try row.next())
  }
}

/// Adds to the acknowledgement of the same session, or replaces that of an earlier one.
package func keep(_ acknowledgement: Acknowledgement, on device: DeviceID, at now: Instant) -> SQL {
  """
  INSERT INTO acknowledgement AS kept (
    employee_id, device_no, app_session, findings, acknowledged_at)
  VALUES (
    \(device.employee.rawValue), \(device.number), \(acknowledgement.appSession),
    \(acknowledgement.findings.column), \(now))
  ON CONFLICT (employee_id, device_no) DO UPDATE
  SET app_session = excluded.app_session, acknowledged_at = excluded.acknowledged_at,
    findings = excluded.findings
      | CASE WHEN kept.app_session = excluded.app_session THEN kept.findings ELSE 0 END
  """
}

/// Reads devices and their last acknowledgements, in as many statements for many as for one.
package struct DeviceReading: Reading {
  package let statements: [SQL]
  package private(set) var records: [DeviceID: DeviceRow] = [:]
  package private(set) var acknowledged: [DeviceID: (findings: FindingSet, at: Instant)] = [:]

  package init(of devices: [DeviceID]) {
    statements =
      devices.isEmpty ? [] : [selectDevices(devices), selectAcknowledgedFindings(on: devices)]
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    try rows.forEach { (row) throws(PostgresError) in
      if position == 0 {
        let record = try DeviceRow(from: &row)
        records[record.device] = record
      } else {
        let device = try DeviceID(from: &row)
        let (findings, at): (FindingSet, Instant) = (try row.next(), try row.next())
        acknowledged[device] = (findings, at)
      }
    }
  }
}

func selectAcknowledgedFindings(on devices: [DeviceID]) -> SQL {
  """
  SELECT kept.employee_id, kept.device_no, kept.findings, kept.acknowledged_at
  FROM acknowledgement AS kept
  JOIN \(wanted: devices)
    ON wanted.employee_id = kept.employee_id AND wanted.device_no = kept.device_no
  """
}
