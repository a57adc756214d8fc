import Postgres
import ReadModels
import ShiftDomain

// Table acknowledgement: the newest acknowledgement of each device.

/// Findings that an employee acknowledged.
package struct Acknowledgement: Hashable, Sendable {
  /// The id of the app session; 1…64 characters.
  package var appSession: String
  /// The findings acknowledged in it.
  package var findings: FindingSet

  /// An acknowledgement.
  package init(appSession: String, findings: FindingSet) {
    self.appSession = appSession
    self.findings = findings
  }
}

/// The newest acknowledgement on `device`; `nil` before the first.
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

/// Stores an acknowledgement: added to earlier ones of the same session, replacing those of another
/// session.
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

/// Reads a device and its last acknowledgement, with statements that run in one round trip with
/// others.
package struct DeviceReading: Sendable {
  /// To be run in order; the results go to `add`.
  package let statements: [SQL]
  /// The device; `nil` if it does not exist.
  package private(set) var record: DeviceRow?
  /// The last acknowledgement, and when; `nil` before the first.
  package private(set) var acknowledged: (findings: FindingSet, at: Instant)?

  /// Reads `device`.
  package init(of device: DeviceID) {
    statements = [selectDevice(device), selectAcknowledgedFindings(on: device)]
  }

  /// Takes the result of the statement at `position`.
  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    if position == 0 {
      record = try rows.first(DeviceRow.init(from:))
    } else {
      acknowledged = try rows.first { (row) throws(PostgresError) in
        (findings: try row.next(), at: try row.next())
      }
    }
  }
}

func selectAcknowledgedFindings(on device: DeviceID) -> SQL {
  """
  SELECT findings, acknowledged_at FROM acknowledgement
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}
