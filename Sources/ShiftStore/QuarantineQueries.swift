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
