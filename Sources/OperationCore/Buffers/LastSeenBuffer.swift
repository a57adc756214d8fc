import Lifecycle
import ShiftDomain
import ShiftStore

/// The last contact and position of devices, kept in memory until the next heartbeat stores them:
/// one table row per second for each phone that made contact, however often.
///
/// What is not stored yet is lost with the process. That breaks no promise: a phone's data is
/// stored before it is answered; only the time of its last contact follows a second later.
package final class LastSeenBuffer: Sendable {
  /// By token, so that nothing passes from an erased employee's phone to the next one with its
  /// number.
  private let pulses = Lock<[TokenHash: Pulse]>([:])

  private struct TokenHash: Hashable {
    let bytes: [UInt8]

    /// Each part of an SHA-256 is as random as the whole.
    func hash(into hasher: inout Hasher) {
      hasher.combine(bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
  }

  /// More devices than any installation has. Only devices with a valid token are added, so there
  /// are never more than are enrolled.
  static let sizeMax = 1_000_000

  package init() {}

  /// Adds a contact of a device, whatever the result of its request. The newest wins.
  package func note(_ new: Pulse) {
    let key = TokenHash(bytes: new.tokenHash)
    pulses.withLock { pulses in
      // Not merged in place, for which Swift allocates memory at each call.
      guard var pulse = pulses[key] else {
        if pulses.count < Self.sizeMax { pulses[key] = new }
        return
      }
      pulse.merge(new)
      pulses[key] = pulse
    }
  }

  /// When the device with this token was last located, as far as that is not stored yet.
  package func lastFix(by tokenHash: [UInt8]) -> Instant? {
    pulses.withLock { $0[TokenHash(bytes: tokenHash)]?.fixAt }
  }

  /// Everything that is not stored yet, sorted by key.
  package var pending: [Pulse] {
    pulses.withLock { Array($0.values) }.sorted { ($0.device) < ($1.device) }
  }

  /// Removes stored entries. Newer ones stay.
  package func removeWritten(_ written: some Sequence<Pulse>) {
    pulses.withLock { pulses in
      for pulse in written {
        let key = TokenHash(bytes: pulse.tokenHash)
        if pulses[key] == pulse { pulses[key] = nil }
      }
    }
  }
}

extension DeviceID {
  fileprivate static func < (left: DeviceID, right: DeviceID) -> Bool {
    (left.employee.rawValue, left.number) < (right.employee.rawValue, right.number)
  }
}
