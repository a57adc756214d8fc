import Postgres
import ReadModels
import ShiftDomain

// Table quarantined_message: what phone apps sent and could not be read.

/// Stores a message; one that was stored before stays as it is.
/// - Parameters:
///   - hash: SHA-256 of the whole body.
///   - body: No U+0000. `nil`: it is not to be stored.
package func quarantine(
  _ message: QuarantinedMessage, hash: [UInt8], body: String?, of device: DeviceID
) -> SQL {
  """
  INSERT INTO quarantined_message (
    employee_id, device_no, received_at, phone_app, body_hash, reason, byte_count, body)
  VALUES (
    \(device.employee.rawValue), \(device.number), \(message.receivedAt),
    \(message.app.column), \(hash), \(message.reason), \(message.byteCount), \(body))
  ON CONFLICT DO NOTHING
  """
}

/// Deletes what the messages of `employee` since `instant`, the end of a shift, contain: it may be
/// positions from outside the shift.
func forgetContents(ofQuarantinedSince instant: Instant, from employee: EmployeeID) -> SQL {
  """
  UPDATE quarantined_message SET body = NULL
  WHERE employee_id = \(employee.rawValue) AND received_at > \(instant) AND body IS NOT NULL
  """
}

/// Deletes the oldest messages of `device` beyond the number that is kept.
package func shortenQuarantine(of device: DeviceID) -> SQL {
  """
  DELETE FROM quarantined_message
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    AND body_hash IN (
      SELECT body_hash FROM quarantined_message
      WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      ORDER BY received_at DESC, body_hash OFFSET \(QuarantinedMessage.keptMax))
  """
}

/// The messages of `device`, the newest first.
func selectQuarantine(of device: DeviceID, limit: Int32) -> SQL {
  """
  SELECT received_at, phone_app, reason, byte_count FROM quarantined_message
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  ORDER BY received_at DESC, body_hash LIMIT \(limit)
  """
}

/// The messages of all phones, the newest first.
package func quarantinedMessages(
  _ filter: QuarantineFilter, limit: Int32, on session: inout Session
) throws(PostgresError) -> [QuarantinedRow] {
  try session.run(selectQuarantine(filter, limit: limit)).map(QuarantinedRow.init(from:))
}

func selectQuarantine(_ filter: QuarantineFilter, limit: Int32) -> SQL {
  let after = filter.after
  return """
    SELECT received_at, phone_app, reason, byte_count, message.employee_id, device_no, body_hash,
      employee.name, body IS NOT NULL
    FROM quarantined_message AS message
    JOIN employee ON employee.employee_id = message.employee_id
    WHERE \(employeeIn: filter.scope, asked: filter.employee)
      AND (\(filter.employee?.rawValue) IS NULL
        OR message.employee_id = \(filter.employee?.rawValue))
      AND (\(filter.app?.column) IS NULL OR phone_app = \(filter.app?.column))
      AND (\(filter.reason) IS NULL OR reason = \(filter.reason))
      AND received_at >= coalesce(\(filter.from), '-infinity')
      AND received_at <= coalesce(\(after?.receivedAt), 'infinity')
      AND (\(after?.receivedAt) IS NULL OR received_at < \(after?.receivedAt)
        OR (message.employee_id, device_no, body_hash)
          > (\(after?.device.employee.rawValue), \(after?.device.number), \(after?.hash)))
    ORDER BY received_at DESC, message.employee_id, device_no, body_hash
    LIMIT \(limit)
    """
}

/// How many of the newest messages there are by app and reason, the most first.
package func quarantineCounts(on session: inout Session) throws(PostgresError) -> [QuarantineCount]
{
  try session.run(countQuarantine).map { (row) throws(PostgresError) in
    QuarantineCount(
      try row.next(), try row.next(), count: try row.next(), kept: try row.next())
  }
}

let countQuarantine: SQL = """
  SELECT phone_app, reason, count(*), count(*) FILTER (WHERE is_kept) FROM (
    SELECT phone_app, reason, body IS NOT NULL AS is_kept FROM quarantined_message AS message
    JOIN employee ON employee.employee_id = message.employee_id
    WHERE \(employeeIn: TeamScope())
    ORDER BY received_at DESC LIMIT \(QuarantineCount.countedMax)) AS newest
  GROUP BY phone_app, reason ORDER BY count(*) DESC, phone_app, reason LIMIT 100
  """

/// The devices with messages, from the one after `after` on.
package func devicesInQuarantine(
  of employee: EmployeeID?, after: DeviceID?, limit: Int32, on session: inout Session
) throws(PostgresError) -> [DeviceID] {
  try session.run(selectDevicesInQuarantine(of: employee, after: after, limit: limit))
    .map(DeviceID.init(from:))
}

func selectDevicesInQuarantine(
  of employee: EmployeeID?, after: DeviceID?, limit: Int32
) -> SQL {
  """
  SELECT DISTINCT employee_id, device_no FROM quarantined_message
  WHERE employee_id BETWEEN \(employee?.rawValue ?? 1) AND \(employee?.rawValue ?? .max)
    AND (employee_id, device_no) > (\(after?.employee.rawValue ?? 0), \(after?.number ?? 0))
  ORDER BY employee_id, device_no LIMIT \(limit)
  """
}

/// The messages of `device` with their contents, in the order of their receipt.
package func quarantinedContents(of device: DeviceID, on session: inout Session)
  throws(PostgresError) -> [QuarantinedContents]
{
  try session.run(selectQuarantinedContents(of: device)).map { (row) throws(PostgresError) in
    QuarantinedContents(
      try QuarantinedMessage(from: &row), hash: try row.next(), body: try row.next())
  }
}

func selectQuarantinedContents(of device: DeviceID) -> SQL {
  """
  SELECT received_at, phone_app, reason, byte_count, body_hash, body FROM quarantined_message
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  ORDER BY received_at, body_hash
  """
}

/// The hashes of the messages of `device` whose contents are kept, and the number of the others.
package func quarantinedHashes(of device: DeviceID, on session: inout Session)
  throws(PostgresError) -> (withBody: Set<[UInt8]>, withoutBody: Int)
{
  var (hashes, others): (Set<[UInt8]>, Int) = ([], 0)
  try session.run(selectQuarantinedHashes(of: device)).forEach { (row) throws(PostgresError) in
    let hash: [UInt8] = try row.next()
    if try row.next() { hashes.insert(hash) } else { others += 1 }
  }
  return (hashes, others)
}

func selectQuarantinedHashes(of device: DeviceID) -> SQL {
  """
  SELECT body_hash, body IS NOT NULL FROM quarantined_message
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
  """
}

/// Deletes a message that could be read after all.
package func deleteQuarantined(_ hash: [UInt8], of device: DeviceID) -> SQL {
  """
  DELETE FROM quarantined_message
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    AND body_hash = \(hash)
  """
}

/// Stores why a message still cannot be read.
package func setReason(_ reason: String, ofQuarantined hash: [UInt8], of device: DeviceID) -> SQL {
  """
  UPDATE quarantined_message SET reason = \(reason)
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    AND body_hash = \(hash)
  """
}

extension QuarantinedRow {
  init(from row: inout RowReader) throws(PostgresError) {
    let message = try QuarantinedMessage(from: &row)
    let place = QuarantinePlace(
      receivedAt: message.receivedAt, device: try DeviceID(from: &row), hash: try row.next())
    self.init(message, at: place, name: try row.next(), hasContents: try row.next())
  }
}

extension QuarantinedMessage {
  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      receivedAt: try row.next(), app: try row.next(), reason: try row.next(),
      byteCount: try row.next())
  }
}

/// They may contain positions, so they are kept no longer than fixes.
func deleteQuarantine(before cutoff: Instant) -> SQL {
  "DELETE FROM quarantined_message WHERE received_at < \(cutoff)"
}
