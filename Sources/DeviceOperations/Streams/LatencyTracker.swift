import Lifecycle
import ReadModels

/// When the evidence behind a notification was read, for as long as the notification may be
/// pending: the start of the "communicated" latency. Uses this process's monotonic clock, so only
/// its own samples. Late notifications are not left out: they count as misses.
package final class LatencyTracker: Sendable {
  private let receipts = Lock<[NotificationID: ContinuousClock.Instant]>([:])

  /// More notifications than reports cause in a day. Above that the older half is dropped, which no
  /// app has fetched.
  static let sizeMax = 10_000

  package init() {}

  /// Stores that the evidence of these notifications was read at `receipt`.
  func note(_ ids: [NotificationID], readAt receipt: ContinuousClock.Instant) {
    guard !ids.isEmpty else { return }
    receipts.withLock { receipts in
      if receipts.count >= Self.sizeMax {
        let median = receipts.values.sorted()[receipts.count / 2]
        receipts = receipts.filter { $0.value > median }
      }
      for id in ids { receipts[id] = receipt }
    }
  }

  /// The time since the evidence behind the notification was read; `nil` if it was not read here,
  /// or after the first call.
  func age(of id: NotificationID, at now: ContinuousClock.Instant) -> Duration? {
    receipts.withLock { $0.removeValue(forKey: id) }.map { now - $0 }
  }
}
