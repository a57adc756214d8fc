public import GuardRules
public import Postgres
public import ShiftDomain

// Table ping.

/// A ping with the shift it belongs to.
public struct PlacedPing: Hashable, Sendable {
  /// The ping.
  public var ping: Ping
  /// The shift's number.
  public var shift: Int32

  /// `ping`, placed in `shift`.
  public init(ping: Ping, shift: Int32) {
    self.ping = ping
    self.shift = shift
  }
}

/// Stores pings of one device in one statement and answers the `recordedAt` of those that were new.
/// A ping whose shift no longer holds it is not stored and not answered.
public func store(
  _ pings: [PlacedPing], of device: DeviceID, receivedAt: Instant, on session: inout Session
) throws(PostgresError) -> Set<Instant> {
  let rows = try session.run(insert(pings, of: device, receivedAt: receivedAt))
  var stored: Set<Instant> = []
  for row in 0..<rows.count { stored.insert(try rows.value(row, 0)) }
  return stored
}

/// The rows are sorted by key: two sessions that insert the same keys in different order deadlock.
func insert(_ pings: [PlacedPing], of device: DeviceID, receivedAt: Instant) -> SQL {
  let columns = PingColumns(pings, receivedAt: receivedAt)
  return """
    WITH item AS MATERIALIZED (
      SELECT * FROM unnest(
        \(columns.recordedAt), \(columns.effectiveAt), \(columns.shift), \(columns.latitude),
        \(columns.longitude), \(columns.arrived), \(columns.accuracy), \(columns.speed),
        \(columns.heading), \(columns.altitude), \(columns.flags))
      AS item (
        recorded_at, effective_at, shift_no, latitude_e7, longitude_e7, arrived_ms, accuracy_m,
        speed_cm_s, heading_deg, altitude_m, flags))
    INSERT INTO ping (
      employee_id, device_no, recorded_at, effective_at, shift_no, latitude_e7, longitude_e7,
      arrived_ms, accuracy_m, speed_cm_s, heading_deg, altitude_m, flags)
    SELECT
      shift.employee_id, \(device.number)::smallint, item.recorded_at, item.effective_at,
      item.shift_no,
      item.latitude_e7, item.longitude_e7, item.arrived_ms, item.accuracy_m, item.speed_cm_s,
      item.heading_deg, item.altitude_m, item.flags
    FROM item
    JOIN shift ON shift.employee_id = \(device.employee.rawValue)
      AND shift.shift_no = item.shift_no
      AND item.effective_at >= shift.started_at
      AND (shift.ended_at IS NULL OR item.effective_at < shift.ended_at)
    ORDER BY item.recorded_at
    ON CONFLICT DO NOTHING
    RETURNING recorded_at
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
