public import GuardRules
public import Postgres
public import ShiftDomain

// Table ping.

/// A ping as it is stored.
public struct PingRow: Hashable, Sendable {
  /// The ping.
  public var ping: Ping
  /// The device that sent it.
  public var device: DeviceID
  /// The number of the shift that it belongs to.
  public var shift: Int32
  /// When it arrived.
  public var receivedAt: Instant

  /// `ping` of `device`, placed in `shift`.
  public init(ping: Ping, device: DeviceID, shift: Int32, receivedAt: Instant) {
    self.ping = ping
    self.device = device
    self.shift = shift
    self.receivedAt = receivedAt
  }

  /// What tells it from all others.
  public var key: PingKey { PingKey(device: device, recordedAt: ping.recordedAt) }
}

/// What tells a ping from all others, however often it is sent.
public struct PingKey: Hashable, Comparable, Sendable {
  /// The device that sent it.
  public var device: DeviceID
  /// When it was recorded, by the phone's clock.
  public var recordedAt: Instant

  /// In the order of the table's key.
  public static func < (left: PingKey, right: PingKey) -> Bool {
    let (one, other) = (left.device, right.device)
    if one.employee != other.employee { return one.employee < other.employee }
    if one.number != other.number { return one.number < other.number }
    return left.recordedAt < right.recordedAt
  }
}

/// Stores pings in one statement and answers the keys of those that were new; `nil`: all were.
///
/// INVARIANT: the caller holds the shifts that they belong to.
/// - Parameter pings: Sorted by key: two sessions that insert the same keys in different order
///   deadlock.
public func insertNew(_ pings: [PingRow], on session: inout Session)
  throws(PostgresError) -> Set<PingKey>?
{
  let rows = try session.run(insert(pings))
  guard rows.count < pings.count else { return nil }
  var keys: Set<PingKey> = []
  for row in 0..<rows.count {
    keys.insert(
      PingKey(
        device: DeviceID(
          employee: EmployeeID(try rows.value(row, 0)), number: try rows.value(row, 1)),
        recordedAt: try rows.value(row, 2)))
  }
  return keys
}

func insert(_ pings: [PingRow]) -> SQL {
  let columns = PingColumns(pings)
  return """
    INSERT INTO ping (
      employee_id, device_no, recorded_at, effective_at, shift_no, latitude_e7, longitude_e7,
      arrived_ms, accuracy_m, speed_cm_s, heading_deg, altitude_m, flags)
    SELECT * FROM unnest(
      \(columns.employee), \(columns.device), \(columns.recordedAt), \(columns.effectiveAt),
      \(columns.shift), \(columns.latitude), \(columns.longitude), \(columns.arrived),
      \(columns.accuracy), \(columns.speed), \(columns.heading), \(columns.altitude),
      \(columns.flags))
    ON CONFLICT DO NOTHING
    RETURNING employee_id, device_no, recorded_at
    """
}

/// Forgets what was recorded with a shift from `start` on and before `end`; `nil`: without bound.
func deletePings(of shift: ShiftID, from start: Instant?, to end: Instant?) -> SQL {
  """
  DELETE FROM ping
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    AND (\(start) IS NULL OR effective_at >= \(start))
    AND (\(end) IS NULL OR effective_at < \(end))
  """
}

/// What a shift's devices sent, by effective time.
public func coveragePings(of shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> [ReceivedPing]
{
  let rows = try session.run(
    """
    SELECT effective_at, arrived_ms, latitude_e7 IS NOT NULL OR flags & 128 <> 0, device_no
    FROM ping
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    ORDER BY effective_at
    """)
  var pings: [ReceivedPing] = []
  pings.reserveCapacity(rows.count)
  for row in 0..<rows.count {
    let effectiveAt: Instant = try rows.value(row, 0)
    pings.append(
      ReceivedPing(
        device: try rows.value(row, 3), effectiveAt: effectiveAt,
        receivedAt: effectiveAt + (try rows.timeSpan(row, 1)),
        speaksForPosition: try rows.value(row, 2)))
  }
  return pings
}

/// Makes the weekly partitions from the week of `first` on; answers how many were new.
public func makePingWeeks(from first: Instant, count: Int32, on session: inout Session)
  throws(PostgresError) -> Int32
{
  try session.run("SELECT make_ping_weeks(\(first), \(count))").value(0, 0)
}
