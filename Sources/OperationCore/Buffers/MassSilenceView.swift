import GuardRules
import Lifecycle
import ShiftDomain

/// Whether most phones of the service are silent, as this instance read it last. Each notification
/// about a silence depends on it, so it is not read for each.
package final class MassSilenceView: Sendable {
  private let known = Lock<(silence: MassSilence?, readAt: Instant)?>(nil)

  package init() {}

  package func note(_ silence: MassSilence?, readAt: Instant) {
    known.withLock { known in
      if known.map({ $0.readAt <= readAt }) ?? true { known = (silence, readAt) }
    }
  }

  /// `nil` unless it was read at `instant` or later, by the clock used for deadlines.
  package func read(since instant: Instant) -> (silence: MassSilence?, readAt: Instant)? {
    known.withLock { $0 }.flatMap { $0.readAt >= instant ? $0 : nil }
  }
}
