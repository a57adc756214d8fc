import Lifecycle
import ShiftDomain
public import ShiftStore

/// When devices were last heard of and located, kept in memory until `foldPulse` has written it
/// down: a table row a second for each phone that spoke, however often it did.
///
/// What is not written yet is lost with the process. It was no promise: what a phone sent is
/// stored before it is answered, only the time of its last sign of life comes a second later.
public final class PulseBook: Sendable {
  private let pulses = Lock<[DeviceID: Pulse]>([:])

  /// More devices than any installation has. Only who has shown a token is noted, so the book holds
  /// no more than are enrolled.
  static let sizeMax = 1_000_000

  /// An empty book.
  public init() {}

  /// Notes that a device was heard of, whatever became of what it sent. Newest wins.
  public func note(_ new: Pulse) {
    pulses.withLock { pulses in
      if pulses[new.device]?.merge(new) == nil, pulses.count < Self.sizeMax {
        pulses[new.device] = new
      }
    }
  }

  /// When the device was last located, as far as that is not written down yet.
  func lastFix(of device: DeviceID) -> Instant? { pulses.withLock { $0[device]?.fixAt } }

  /// All that is not written down yet, sorted by key.
  var unfolded: [Pulse] {
    pulses.withLock { Array($0.values) }.sorted { ($0.device) < ($1.device) }
  }

  /// These are written down. What was noted meanwhile stays.
  func settle(_ folded: some Sequence<Pulse>) {
    pulses.withLock { pulses in
      for pulse in folded where pulses[pulse.device] == pulse { pulses[pulse.device] = nil }
    }
  }
}

extension DeviceID {
  /// In the order of the table's key.
  fileprivate static func < (left: DeviceID, right: DeviceID) -> Bool {
    (left.employee.rawValue, left.number) < (right.employee.rawValue, right.number)
  }
}
