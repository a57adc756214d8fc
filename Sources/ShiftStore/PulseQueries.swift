import Postgres
import ShiftDomain

// Table device_contact: a device's last contact, position and sign of life.

/// The last contact of a device; only times, no positions.
package struct Pulse: Hashable, Sendable {
  package var device: DeviceID
  /// SHA-256 of the secret of its token. The device's number says little: with the number of an
  /// erased employee another one gets it again.
  package var tokenHash: [UInt8]
  /// Its last contact. Server time.
  package var receivedAt: Instant
  package var firstReceivedAt: Instant
  /// When it was last located, whether or not the fix was accepted; `nil`: never.
  package var fixAt: Instant?
  package var position: Position?
  /// The newest accepted ping, or report.
  package var sign: Sign?
  /// The time of the oldest of them that had not been stored before; `nil`: all had.
  package var firstSignAt: Instant?
  /// When it last said that it is at rest; of its newest sign, until when it will be.
  package var restAt: Instant?
  /// When a rest or hidden time ended that began and ended within this contact.
  package var awayUntil: Instant?

  package struct Position: Hashable, Sendable {
    package var at: Instant
    /// When it was first received; `nil`: it had been stored before. A fix that is sent again seems
    /// to be of another time by the difference of the two delays.
    package var receivedAt: Instant?

    /// Whether `other` is this one, sent again, or older.
    fileprivate func includes(_ other: Position) -> Bool {
      other.at <= at || other.receivedAt == nil && other.at - at < .minutes(1)
    }
  }

  /// What a device reported about itself, without its position.
  package struct Sign: Hashable, Sendable {
    /// Its time, by the server's clock.
    package var at: Instant
    /// Until when it is at rest: this time, or the announced end; `nil`: it is not at rest.
    package var restAt: Instant?
    package var isHidden: Bool
    /// Whether it had been stored before: then others may have followed it that are not known here.
    package var isRepeated: Bool

    package init(
      at: Instant, restAt: Instant? = nil, isHidden: Bool = false, isRepeated: Bool = false
    ) {
      self.at = at
      self.restAt = restAt
      self.isHidden = isHidden
      self.isRepeated = isRepeated
    }

    /// Its time, unless it had been stored before.
    fileprivate var firstAt: Instant? { isRepeated ? nil : at }

    /// The end of its rest or hidden time, if its next sign is at `next`; `nil`: it was neither.
    fileprivate func awayUntil(next: Instant) -> Instant? {
      if isHidden { return next }
      return restAt.flatMap { $0 > at ? min($0, next) : nil }
    }
  }

  package init(
    device: DeviceID, tokenHash: [UInt8], receivedAt: Instant, fixAt: Instant? = nil,
    positionAt: Instant? = nil, sign: Sign? = nil
  ) {
    (self.device, self.tokenHash) = (device, tokenHash)
    self.receivedAt = receivedAt
    firstReceivedAt = receivedAt
    self.fixAt = fixAt
    self.sign = sign
    (firstSignAt, restAt) = (sign?.firstAt, sign?.restAt)
    position = positionAt.map { Position(at: $0, receivedAt: receivedAt) }
  }

  /// The newer of each time stays; an announced rest ends with the next sign of life.
  package mutating func merge(_ other: Pulse) {
    receivedAt = max(receivedAt, other.receivedAt)
    firstReceivedAt = min(firstReceivedAt, other.firstReceivedAt)
    fixAt = later(fixAt, other.fixAt)
    if let theirs = other.position { merge(theirs) }
    awayUntil = later(awayUntil, other.awayUntil)
    if let theirs = other.sign {
      merge(theirs, firstAt: other.firstSignAt, restAt: other.restAt)
    }
  }

  /// Merges what one ping of this contact says.
  package mutating func merge(fixAt: Instant?, positionAt: Instant?, sign: Sign?) {
    self.fixAt = later(self.fixAt, fixAt)
    if let positionAt {
      let isRepeated = sign?.isRepeated ?? false
      merge(Position(at: positionAt, receivedAt: isRepeated ? nil : receivedAt))
    }
    if let sign { merge(sign, firstAt: sign.firstAt, restAt: sign.restAt) }
  }

  private mutating func merge(_ theirs: Position) {
    guard let mine = position else { return position = theirs }
    if !mine.includes(theirs) || theirs.receivedAt != nil && theirs.includes(mine) {
      position = theirs
    }
  }

  private mutating func merge(_ theirs: Sign, firstAt: Instant?, restAt theirRest: Instant?) {
    let myFirst = firstSignAt
    firstSignAt = earlier(myFirst, firstAt)
    guard let mine = sign else { return (sign, restAt) = (theirs, theirRest) }
    guard mine.at != theirs.at else {
      // Of one that is sent again with another content, the first is stored.
      if !theirs.isRepeated { restAt = mine.isRepeated ? theirRest : later(restAt, theirRest) }
      return
    }
    let isNewer = theirs.at > mine.at
    let (before, after) = isNewer ? (mine, theirs) : (theirs, mine)
    let first = (isNewer ? firstAt : myFirst).flatMap { $0 > before.at ? $0 : nil }
    // What followed one that is repeated was counted when that was new.
    let next = before.isRepeated ? before.at : first ?? after.at
    awayUntil = later(awayUntil, before.awayUntil(next: next))
    restAt =
      isNewer
      ? later(restAt.map { min($0, before.at) }, theirRest)
      : later(restAt, theirRest.map { min($0, before.at) })
    sign = after
  }
}

private func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
  guard let left, let right else { return left ?? right }
  return min(left, right)
}

private func later(_ left: Instant?, _ right: Instant?) -> Instant? {
  guard let left, let right else { return left ?? right }
  return max(left, right)
}

package let pulsesPerStatement = 5_000

/// Merges pulses, one per token and at most `pulsesPerStatement`, into the table; the newest wins.
/// Those of deleted devices are dropped, also if another device has the number now. Sorted by key:
/// two instances that write the same devices in different order deadlock. Before its first contact
/// a device was heard when it was enrolled. An update finds the first sign of the pulse in
/// `excluded.excused_until`.
package func upsert(_ pulses: [Pulse]) -> SQL {
  """
  INSERT INTO device_contact AS contact (
    employee_id, device_no, last_received_at, contact_resumed_at, last_fix_at, position_at,
    position_received_at, sign_of_life_at, excused_until, last_rest_at, hidden, away_until,
    silent_since)
  SELECT device.employee_id, device.device_no, item.last_received_at, item.contact_resumed_at,
    item.last_fix_at, item.position_at, item.position_received_at, item.sign_of_life_at,
    item.first_sign_at, item.last_rest_at, item.hidden, item.away_until, device.enrolled_at
  FROM unnest(
    \(pulses.map(\.device.employee.rawValue)), \(pulses.map(\.device.number)),
    \(pulses.map(\.tokenHash)), \(pulses.map(\.receivedAt)), \(pulses.map(\.firstReceivedAt)),
    \(pulses.map(\.fixAt)),
    \(pulses.map { $0.position?.at }), \(pulses.map { $0.position?.receivedAt }),
    \(pulses.map { $0.sign?.at }), \(pulses.map(\.firstSignAt)), \(pulses.map(\.restAt)),
    \(pulses.map { $0.sign?.isHidden ?? false }), \(pulses.map(\.awayUntil))) AS item (
      employee_id, device_no, token_hash, last_received_at, contact_resumed_at, last_fix_at,
      position_at, position_received_at, sign_of_life_at, first_sign_at, last_rest_at, hidden,
      away_until)
  JOIN device USING (employee_id, device_no, token_hash)
  ORDER BY device.employee_id, device.device_no
  ON CONFLICT (employee_id, device_no) DO UPDATE
  SET last_received_at = greatest(contact.last_received_at, excluded.last_received_at),
    silent_since = CASE WHEN \(fragment: resumesContact) THEN contact.last_received_at
      ELSE contact.silent_since END,
    excused_until = CASE WHEN \(fragment: resumesContact) THEN \(fragment: excusedUntil)
      ELSE contact.excused_until END,
    excused_gaps = CASE WHEN \(fragment: resumesContact) AND \(fragment: wasExcused)
      THEN \(fragment: excusedGaps) ELSE contact.excused_gaps END,
    contact_resumed_at = CASE WHEN \(fragment: resumesContact) THEN excluded.contact_resumed_at
      ELSE contact.contact_resumed_at END,
    last_fix_at = greatest(contact.last_fix_at, excluded.last_fix_at),
    position_received_at = CASE WHEN \(fragment: hasPosition) THEN contact.position_received_at
      ELSE coalesce(excluded.position_received_at, contact.position_received_at) END,
    position_at = CASE WHEN \(fragment: hasPosition) THEN contact.position_at
      ELSE coalesce(excluded.position_at, contact.position_at) END,
    hidden = CASE WHEN \(fragment: isNewerStatus) THEN excluded.hidden ELSE contact.hidden END,
    away_until = \(fragment: awayUntil),
    last_rest_at = \(fragment: lastRest),
    sign_of_life_at = greatest(contact.sign_of_life_at, excluded.sign_of_life_at)
  """
}

/// Whether the stored position is the sent one, sent again, or newer: see `Position.includes`.
private let hasPosition: ShiftFragment = """
  (contact.position_at >= excluded.position_at
    OR excluded.position_received_at IS NULL
      AND excluded.position_at - contact.position_at < interval '1 minute')
  """

/// Whether the device's own report is newer than the stored one.
private let isNewerStatus: ShiftFragment = """
  excluded.sign_of_life_at IS NOT NULL
    AND coalesce(excluded.sign_of_life_at > contact.sign_of_life_at, true)
  """

/// Whether all that the pulse reports had been stored before, and the newest is known here, too.
private let isKnownStatus: ShiftFragment = """
  (excluded.excused_until IS NULL
    AND coalesce(excluded.sign_of_life_at <= contact.sign_of_life_at,
      excluded.sign_of_life_at IS NULL))
  """

/// The device's next report after the stored one, as far as it is known, or `NULL`.
private let nextSign: ShiftFragment = """
  CASE WHEN excluded.excused_until > contact.sign_of_life_at THEN excluded.excused_until
    WHEN excluded.sign_of_life_at > contact.sign_of_life_at THEN excluded.sign_of_life_at END
  """

/// Whether the device was hidden or at an announced rest, by its stored report.
private let wasAway: ShiftFragment = """
  (contact.hidden OR contact.last_rest_at > contact.sign_of_life_at)
  """

/// When that ends at the latest, if it ends by itself.
private let restEnd: ShiftFragment = """
  CASE WHEN NOT contact.hidden THEN contact.last_rest_at END
  """

/// The end of the last rest, or of the last time out of view.
private let awayUntil = ShiftFragment(
  "greatest(excluded.away_until, CASE WHEN ", isNewerStatus, " AND ", wasAway, " THEN least(",
  restEnd, ", ", nextSign, ") ELSE contact.away_until END)")

/// When the device last said that it is at rest; of its newest report, until when it will be. When
/// a rest before that ended is not kept here: a late record may have sealed what announced it.
private let lastRest = ShiftFragment(
  "CASE WHEN ", isKnownStatus, " THEN contact.last_rest_at ELSE greatest(CASE WHEN ",
  isNewerStatus, " AND contact.last_rest_at > contact.sign_of_life_at",
  " THEN contact.sign_of_life_at ELSE contact.last_rest_at END,",
  " CASE WHEN excluded.last_rest_at > excluded.sign_of_life_at",
  " AND contact.sign_of_life_at > excluded.sign_of_life_at",
  " THEN excluded.sign_of_life_at ELSE excluded.last_rest_at END) END")

/// Whether a silence before this contact may have been too long: no policy allows less than two
/// minutes. Times are subtracted: Citus refuses a time and an interval in an upsert.
private let resumesContact: StaticString = """
  excluded.contact_resumed_at - contact.last_received_at >= interval '2 min'
  """

/// Whether the phone was at rest or hidden in the stored gap.
private let wasExcused: StaticString = """
  contact.silent_since < least(contact.excused_until, contact.contact_resumed_at)
  """

/// The stored gap and those before it, as far as no day lies in between.
private let excusedGaps: StaticString = """
  (tstzrange(contact.silent_since, contact.contact_resumed_at)
    || CASE WHEN contact.silent_since - upper(contact.excused_gaps[1]) < interval '1 day'
      THEN contact.excused_gaps END)[:16]
  """

/// The end of a rest or of hidden time after the last contact, which may lie ahead.
private let excusedUntil: StaticString = """
  CASE WHEN contact.hidden OR contact.last_rest_at > contact.last_received_at THEN least(
    CASE WHEN contact.hidden THEN 'infinity' ELSE contact.last_rest_at END,
    CASE WHEN excluded.excused_until > contact.sign_of_life_at THEN excluded.excused_until
      WHEN excluded.sign_of_life_at > contact.sign_of_life_at THEN excluded.sign_of_life_at END)
  END
  """
