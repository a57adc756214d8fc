import Lifecycle
import ShiftDomain

/// The difference between this instance's clock and the database's. Instances date what they
/// receive by their own clock and compare deadlines with the database's, so the two must agree.
package final class ClockWatch: Sendable {
  /// Above this difference, an operator should check the machine's clock.
  package static let noticeable = TimeSpan.milliseconds(500)
  /// Above this difference, this instance's clock must not be used.
  package static let bearable = TimeSpan.seconds(2)

  private let difference = Lock<TimeSpan?>(nil)

  package init() {}

  /// How far it is ahead, negative if behind, at the last comparison; `nil` before the first.
  package var ahead: TimeSpan? { difference.withLock { $0 } }

  /// Whether the times that this instance would write are wrong.
  package var isWrong: Bool {
    ahead.map { $0 > Self.bearable || $0 < .zero - Self.bearable } ?? false
  }

  package func note(_ ahead: TimeSpan) { difference.withLock { $0 = ahead } }

  /// - Throws: `.unavailable` while the clock is wrong.
  package func check() throws(OperationError) {
    if isWrong { throw .unavailable(detail: "the server clock differs from the database clock") }
  }
}
