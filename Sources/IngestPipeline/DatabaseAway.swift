import Lifecycle

/// Whether the database was unavailable at the last attempt to write pings.
final class DatabaseAway: Sendable {
  private let last = Lock(false)

  var isOn: Bool { last.withLock { $0 } }

  func begin() { last.withLock { $0 = true } }

  func end() { last.withLock { $0 = false } }
}
