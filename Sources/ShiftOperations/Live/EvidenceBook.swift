import Lifecycle
import NotificationQueue

/// When the evidence behind a message was read, for as long as the message may be on its way: what
/// "communicated" is measured from. By this process' monotonic clock, so only its own samples. None
/// is left out for being late: a late one is a miss, and shows.
public final class EvidenceBook: Sendable {
  private let receipts = Lock<[NoticeID: ContinuousClock.Instant]>([:])

  /// More messages than reports cause within a day. Above that the older half goes, which no app
  /// has come for.
  static let sizeMax = 10_000

  /// An empty book.
  public init() {}

  /// Notes that these messages are about what was read at `receipt`.
  func note(_ ids: [NoticeID], readAt receipt: ContinuousClock.Instant) {
    guard !ids.isEmpty else { return }
    receipts.withLock { receipts in
      if receipts.count >= Self.sizeMax {
        let median = receipts.values.sorted()[receipts.count / 2]
        receipts = receipts.filter { $0.value > median }
      }
      for id in ids { receipts[id] = receipt }
    }
  }

  /// How long ago the evidence behind the message was read; `nil` when that was not here, or was
  /// asked before.
  func age(of id: NoticeID, at now: ContinuousClock.Instant) -> Duration? {
    receipts.withLock { $0.removeValue(forKey: id) }.map { now - $0 }
  }
}
