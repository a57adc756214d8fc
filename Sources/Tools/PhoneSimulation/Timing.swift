import GuardClient
import ShiftDomain

/// A phone's clock and its way to wait; tests use their own.
package struct Timing: Sendable {
  /// The phone's calendar time.
  package var now: @Sendable () -> Instant
  /// Waits; returns early when the task is cancelled.
  package var wait: @Sendable (TimeSpan) async -> Void

  /// - Parameters:
  ///   - now: The phone's calendar time.
  ///   - wait: Waits, or moves the clock that `now` reads.
  package init(
    now: @escaping @Sendable () -> Instant, wait: @escaping @Sendable (TimeSpan) async -> Void
  ) {
    self.now = now
    self.wait = wait
  }

  /// The system's clock.
  package static let real = Timing(
    now: ClientClock.system.now,
    wait: { try? await Task.sleep(for: $0.duration) })
}
