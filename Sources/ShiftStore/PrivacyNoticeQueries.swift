import Postgres
import ReadModels
import ShiftDomain

// Tables privacy_notice and privacy_acknowledgement.

/// The newest privacy notice; `nil` before the first.
package func newestPrivacyNotice(on session: inout Session) throws(PostgresError) -> PrivacyNotice?
{
  try privacyNotices(limit: 1, on: &session).first
}

/// The newest privacy notices, newest first.
package func privacyNotices(limit: Int, on session: inout Session) throws(PostgresError)
  -> [PrivacyNotice]
{
  try session.run(selectPrivacyNotices(limit: limit)).map { (row) throws(PostgresError) in
    PrivacyNotice(version: try row.next(), text: try row.next(), createdAt: try row.next())
  }
}

func selectPrivacyNotices(limit: Int) -> SQL {
  """
  SELECT version, text, created_at FROM privacy_notice
  ORDER BY version DESC LIMIT \(Int64(limit))
  """
}

/// Adds a version. Violates `privacy_notice_text_length` for a text that is empty or too long.
/// INVARIANT: its number was read after `holdNumbers` in the same transaction.
package func insert(_ privacyNotice: PrivacyNotice) -> SQL {
  """
  INSERT INTO privacy_notice (version, text, created_at)
  VALUES (\(privacyNotice.version), \(privacyNotice.text), \(privacyNotice.createdAt))
  """
}

/// Stores that the employee of `device` has read a version, once. No row: unknown version.
package func keepRead(_ version: Int32, on device: DeviceID, at now: Instant) -> SQL {
  """
  INSERT INTO privacy_acknowledgement (employee_id, version, device_no, acknowledged_at)
  SELECT \(device.employee.rawValue), version, \(device.number), \(now)
  FROM privacy_notice WHERE version = \(version)
  ON CONFLICT (employee_id, version) DO UPDATE
  SET acknowledged_at = privacy_acknowledgement.acknowledged_at
  """
}

/// When `employee` first confirmed having read a version; `nil`: never.
package func readAt(_ version: Int32, by employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> Instant?
{
  try session.run(
    """
    SELECT acknowledged_at FROM privacy_acknowledgement
    WHERE employee_id = \(employee.rawValue) AND version = \(version)
    """
  ).firstValue()
}
