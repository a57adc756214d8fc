public import Postgres
public import ShiftDomain

// Table device_pulse: when a device was last heard of, and last spoke for its position.

/// When a device was last heard of; times only, never places.
public struct Pulse: Hashable, Sendable {
  /// Which device.
  public var device: DeviceID
  /// When something last came from it. Server time.
  public var receivedAt: Instant
  /// When it was last located; `nil` when it never was.
  public var fixAt: Instant?
  /// When it last said that it is at rest, which speaks for its position as a fix does.
  public var restAt: Instant?

  /// The pulse of `device`.
  public init(
    device: DeviceID, receivedAt: Instant, fixAt: Instant? = nil, restAt: Instant? = nil
  ) {
    self.device = device
    self.receivedAt = receivedAt
    self.fixAt = fixAt
    self.restAt = restAt
  }

  /// Takes in another pulse of the device; the newer of each time stays.
  public mutating func merge(_ other: Pulse) {
    receivedAt = max(receivedAt, other.receivedAt)
    fixAt = later(fixAt, other.fixAt)
    restAt = later(restAt, other.restAt)
  }
}

private func later(_ left: Instant?, _ right: Instant?) -> Instant? {
  guard let left, let right else { return left ?? right }
  return max(left, right)
}

/// So many pulses one statement takes.
public let pulsesPerFold = 5_000

/// Folds pulses into the table, newest wins; saying it twice does no harm. Of a device that is gone
/// nothing is kept.
///
/// Sorted by key: two instances that write the same devices in different order deadlock.
/// - Parameter pulses: One a device, `pulsesPerFold` at the most.
public func fold(_ pulses: [Pulse]) -> SQL {
  """
  INSERT INTO device_pulse AS pulse (
    employee_id, device_no, last_received_at, last_fix_at, last_rest_at)
  SELECT
    device.employee_id, device.device_no, item.last_received_at, item.last_fix_at,
    item.last_rest_at
  FROM unnest(
    \(pulses.map(\.device.employee.rawValue)), \(pulses.map(\.device.number)),
    \(pulses.map(\.receivedAt)), \(pulses.map(\.fixAt)), \(pulses.map(\.restAt)))
    AS item (employee_id, device_no, last_received_at, last_fix_at, last_rest_at)
  JOIN device
    ON device.employee_id = item.employee_id AND device.device_no = item.device_no
  ORDER BY device.employee_id, device.device_no
  ON CONFLICT (employee_id, device_no) DO UPDATE
  SET last_received_at = greatest(pulse.last_received_at, excluded.last_received_at),
    last_fix_at = greatest(pulse.last_fix_at, excluded.last_fix_at),
    last_rest_at = greatest(pulse.last_rest_at, excluded.last_rest_at)
  """
}
