import Lifecycle
import NotificationQueue

/// When the evidence behind a message was read, for as long as the message may be on its way: what
/// "communicated" is measured from. By this process' monotonic clock, so only its own samples.
public final class EvidenceBook: Sendable {
  private let receipts = Lock<[NoticeID: ContinuousClock.Instant]>([:])

  /// More messages than reports cause within `ageMax`; further ones go unmeasured.
  static let sizeMax = 10_000
  /// What reaches an app later than this was not held up by us: the phone was away.
  static let ageMax: Duration = .seconds(60)

  /// An empty book.
  public init() {}

  /// Notes that these messages are about what was read at `receipt`.
  func note(_ ids: [NoticeID], readAt receipt: ContinuousClock.Instant) {
    guard !ids.isEmpty else { return }
    receipts.withLock { receipts in
      if receipts.count >= Self.sizeMax {
        receipts = receipts.filter { receipt - $0.value < Self.ageMax }
      }
      guard receipts.count < Self.sizeMax else { return }
      for id in ids { receipts[id] = receipt }
    }
  }

  /// How long ago the evidence behind the message was read; `nil` when that was not here, not
  /// lately, or was asked before.
  func age(of id: NoticeID, at now: ContinuousClock.Instant) -> Duration? {
    receipts.withLock { $0.removeValue(forKey: id) }
      .map { now - $0 }.flatMap { $0 < Self.ageMax ? $0 : nil }
  }
}
