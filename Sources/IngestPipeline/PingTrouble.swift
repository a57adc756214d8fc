import Lifecycle

/// Why pings could not be written, until they are, or nobody has tried for a while.
final class PingTrouble: Sendable {
  private let last = Lock<(reason: String, at: ContinuousClock.Instant)?>(nil)

  /// So long a failure is news: without pings nothing tells that it is over.
  private static let lasts = Duration.seconds(10)

  var reason: String? {
    last.withLock { $0 }.flatMap { ContinuousClock.now - $0.at < Self.lasts ? $0.reason : nil }
  }

  func begin(_ reason: String) { last.withLock { $0 = (reason, .now) } }

  func end() { last.withLock { $0 = nil } }
}
