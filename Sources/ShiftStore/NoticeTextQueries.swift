public import Postgres
public import ShiftDomain

// Tables privacy_notice and privacy_acknowledgement.

/// What employees are told of what is kept of them, in one version.
public struct PrivacyNotice: Hashable, Sendable {
  /// The version, from 1.
  public var version: Int32
  /// What it says.
  public var text: String
  /// Since when it is the newest.
  public var createdAt: Instant

  /// A version.
  public init(version: Int32, text: String, createdAt: Instant) {
    self.version = version
    self.text = text
    self.createdAt = createdAt
  }
}

/// The newest notice; `nil` before the first.
public func newestNotice(on session: inout Session) throws(PostgresError) -> PrivacyNotice? {
  let rows = try session.run(
    "SELECT version, text, created_at FROM privacy_notice ORDER BY version DESC LIMIT 1")
  guard rows.count > 0 else { return nil }
  return PrivacyNotice(
    version: try rows.value(0, 0), text: try rows.value(0, 1), createdAt: try rows.value(0, 2))
}

/// Adds a version. Violates `privacy_notice_pk` when somebody else made it first,
/// `privacy_notice_text_length` for a text that is none or too long.
public func insert(_ notice: PrivacyNotice) -> SQL {
  """
  INSERT INTO privacy_notice (version, text, created_at)
  VALUES (\(notice.version), \(notice.text), \(notice.createdAt))
  """
}

/// Keeps that the employee of `device` read a version, unless they had before. Affects no row for a
/// version that there is not.
public func keepRead(_ version: Int32, on device: DeviceID, at now: Instant) -> SQL {
  """
  INSERT INTO privacy_acknowledgement (employee_id, version, device_no, acknowledged_at)
  SELECT \(device.employee.rawValue), version, \(device.number), \(now)
  FROM privacy_notice WHERE version = \(version)
  ON CONFLICT (employee_id, version) DO UPDATE
  SET acknowledged_at = privacy_acknowledgement.acknowledged_at
  """
}

/// When `employee` first said that they read a version; `nil`: never.
public func readAt(_ version: Int32, by employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> Instant?
{
  let rows = try session.run(
    """
    SELECT acknowledged_at FROM privacy_acknowledgement
    WHERE employee_id = \(employee.rawValue) AND version = \(version)
    """)
  return rows.count == 0 ? nil : try rows.value(0, 0)
}
