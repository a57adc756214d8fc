import Lifecycle
import ShiftDomain
import ShiftStore

/// The last contact and position of devices, kept in memory until the next heartbeat stores them:
/// one table row per second for each phone that made contact, however often.
///
/// What is not stored yet is lost with the process. That breaks no promise: a phone's data is
/// stored before it is answered; only the time of its last contact follows a second later.
package final class LastSeenBuffer: Sendable {
  private let pulses = Lock<[DeviceID: Pulse]>([:])

  /// More devices than any installation has. Only devices with a valid token are added, so there
  /// are never more than are enrolled.
  static let sizeMax = 1_000_000

  package init() {}

  /// Adds a contact of a device, whatever the result of its request. The newest wins.
  package func note(_ new: Pulse) {
    pulses.withLock { pulses in
      if pulses[new.device]?.merge(new) == nil, pulses.count < Self.sizeMax {
        pulses[new.device] = new
      }
    }
  }

  /// When the device was last located, as far as that is not stored yet.
  package func lastFix(of device: DeviceID) -> Instant? { pulses.withLock { $0[device]?.fixAt } }

  /// Everything that is not stored yet, sorted by key.
  package var pending: [Pulse] {
    pulses.withLock { Array($0.values) }.sorted { ($0.device) < ($1.device) }
  }

  /// Removes stored entries. Newer ones stay.
  package func removeWritten(_ written: some Sequence<Pulse>) {
    pulses.withLock { pulses in
      for pulse in written where pulses[pulse.device] == pulse { pulses[pulse.device] = nil }
    }
  }
}

extension DeviceID {
  fileprivate static func < (left: DeviceID, right: DeviceID) -> Bool {
    (left.employee.rawValue, left.number) < (right.employee.rawValue, right.number)
  }
}
