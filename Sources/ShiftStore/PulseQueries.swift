public import Postgres
public import ShiftDomain

// Table device_pulse: when a device was last heard of, and last spoke for its position.

/// When a device was last heard of; times only, never places.
public struct Pulse: Hashable, Sendable {
  /// Which device.
  public var device: DeviceID
  /// When something last came from it. Server time.
  public var receivedAt: Instant
  /// When the first came of what this pulse is of.
  public var firstReceivedAt: Instant
  /// When it was last located, whatever became of the fix; `nil` when it never was.
  public var fixAt: Instant?
  /// The last fix that was taken.
  public var position: Position?
  /// The newest ping that was taken, or report.
  public var sign: Sign?
  /// When it last said that it is at rest, or until when that it will be.
  public var restAt: Instant?

  /// A fix that was taken.
  public struct Position: Hashable, Sendable {
    /// When it was.
    public var at: Instant
    /// When the request came that carried it.
    public var receivedAt: Instant
  }

  /// What a device said of itself, besides where it is.
  public struct Sign: Hashable, Sendable {
    /// When, by our clock.
    public var at: Instant
    /// When it is at rest by what it said: then, or until when it announced; `nil`: it is not.
    public var restAt: Instant?
    /// Whether its page went out of view.
    public var isHidden: Bool

    /// What it said at `at`.
    public init(at: Instant, restAt: Instant? = nil, isHidden: Bool = false) {
      self.at = at
      self.restAt = restAt
      self.isHidden = isHidden
    }
  }

  /// The pulse of `device`.
  public init(
    device: DeviceID, receivedAt: Instant, fixAt: Instant? = nil, positionAt: Instant? = nil,
    sign: Sign? = nil
  ) {
    self.device = device
    self.receivedAt = receivedAt
    firstReceivedAt = receivedAt
    self.fixAt = fixAt
    self.sign = sign
    restAt = sign?.restAt
    position = positionAt.map { Position(at: $0, receivedAt: receivedAt) }
  }

  /// Takes in another pulse of the device; the newer of each time stays, and a rest that was
  /// announced ends with the next sign.
  public mutating func merge(_ other: Pulse) {
    receivedAt = max(receivedAt, other.receivedAt)
    firstReceivedAt = min(firstReceivedAt, other.firstReceivedAt)
    fixAt = later(fixAt, other.fixAt)
    if let theirs = other.position, position.map({ $0.at < theirs.at }) ?? true {
      position = theirs
    }
    guard let theirs = other.sign else { return }
    guard let mine = sign, mine.at >= theirs.at else {
      restAt = later(restAt.map { min($0, theirs.at) }, other.restAt)
      sign = theirs
      return
    }
    restAt = later(restAt, other.restAt.map { min($0, mine.at) })
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
    employee_id, device_no, last_received_at, heard_again_at, last_fix_at, position_at,
    position_received_at, sign_at, last_rest_at, hidden)
  SELECT
    device.employee_id, device.device_no, item.last_received_at, item.heard_again_at,
    item.last_fix_at, item.position_at, item.position_received_at, item.sign_at,
    item.last_rest_at, item.hidden
  FROM unnest(
    \(pulses.map(\.device.employee.rawValue)), \(pulses.map(\.device.number)),
    \(pulses.map(\.receivedAt)), \(pulses.map(\.firstReceivedAt)), \(pulses.map(\.fixAt)),
    \(pulses.map { $0.position?.at }), \(pulses.map { $0.position?.receivedAt }),
    \(pulses.map { $0.sign?.at }), \(pulses.map(\.restAt)),
    \(pulses.map { $0.sign?.isHidden ?? false }))
    AS item (
      employee_id, device_no, last_received_at, heard_again_at, last_fix_at, position_at,
      position_received_at, sign_at, last_rest_at, hidden)
  JOIN device
    ON device.employee_id = item.employee_id AND device.device_no = item.device_no
  ORDER BY device.employee_id, device.device_no
  ON CONFLICT (employee_id, device_no) DO UPDATE
  SET last_received_at = greatest(pulse.last_received_at, excluded.last_received_at),
    quiet_since = CASE WHEN \(fragment: hasGap) THEN greatest(
      pulse.last_received_at, CASE WHEN pulse.last_rest_at < excluded.heard_again_at
        THEN pulse.last_rest_at ELSE pulse.last_received_at END)
      ELSE pulse.quiet_since END,
    heard_again_at = CASE WHEN \(fragment: hasGap) THEN excluded.heard_again_at
      ELSE pulse.heard_again_at END,
    last_fix_at = greatest(pulse.last_fix_at, excluded.last_fix_at),
    position_received_at = CASE WHEN pulse.position_at >= excluded.position_at
      THEN pulse.position_received_at
      ELSE coalesce(excluded.position_received_at, pulse.position_received_at) END,
    position_at = greatest(pulse.position_at, excluded.position_at),
    hidden = CASE WHEN \(fragment: isNewerSign) THEN excluded.hidden ELSE pulse.hidden END,
    last_rest_at = CASE WHEN \(fragment: isNewerSign)
      THEN greatest(
        CASE WHEN pulse.last_rest_at > excluded.sign_at THEN excluded.sign_at
          ELSE pulse.last_rest_at END,
        excluded.last_rest_at)
      ELSE greatest(
        pulse.last_rest_at,
        CASE WHEN excluded.last_rest_at > pulse.sign_at THEN pulse.sign_at
          ELSE excluded.last_rest_at END) END,
    sign_at = greatest(pulse.sign_at, excluded.sign_at)
  """
}

/// Whether the device said something of itself that is newer than what is stored.
private let isNewerSign: StaticString = """
  excluded.sign_at IS NOT NULL AND coalesce(excluded.sign_at > pulse.sign_at, true)
  """

/// Whether nothing came for so long that it may have been too long, though neither a rest nor a
/// page out of view accounts for it. Under no policy is less too long than two minutes.
private let hasGap: StaticString = """
  NOT pulse.hidden AND excluded.heard_again_at >= pulse.last_received_at + interval '2 min'
    AND coalesce(excluded.heard_again_at > pulse.last_rest_at, true)
  """
