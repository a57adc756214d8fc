import Lifecycle
import ShiftDomain
import SystemCalls

/// A clock that stands still until a test moves it.
package final class MovableClock: Sendable {
  /// 2026-03-02T08:00:00Z, a Monday: when tests begin.
  package static let monday = Instant(milliseconds: 1_772_438_400_000)
  /// 2026-11-20T09:30:00Z, a Friday: when tests begin that compare answers of the HTTP API.
  package static let friday = Instant(milliseconds: 1_795_167_000_000)

  private let instant: Lock<Instant>

  package init(at instant: Instant = MovableClock.monday) { self.instant = Lock(instant) }

  package var now: Instant {
    get { instant.withLock { $0 } }
    set { instant.withLock { $0 = newValue } }
  }

  /// `now`, for what takes its clock as a closure.
  package var reading: @Sendable () -> Instant { { self.now } }

  package func move(by span: TimeSpan) { instant.withLock { $0 = $0 + span } }
}

/// The machine's clock.
package func wallClock() -> Instant { Instant(milliseconds: calendarMilliseconds()) }
