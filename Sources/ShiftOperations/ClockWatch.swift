import Lifecycle
import Postgres
public import ShiftDomain
import ShiftStore

/// The difference between this instance's clock and the database's. Instances date what they
/// receive by their own clock and compare deadlines with the database's, so the two must agree.
public final class ClockWatch: Sendable {
  /// Above this difference, an operator should check the machine's clock.
  public static let noticeable = TimeSpan.milliseconds(500)
  /// Above this difference, this instance's clock must not be used.
  public static let bearable = TimeSpan.seconds(2)

  private let difference = Lock<TimeSpan?>(nil)

  /// Without a comparison yet.
  public init() {}

  /// How far it is ahead, negative if behind, at the last comparison; `nil` before the first.
  public var ahead: TimeSpan? { difference.withLock { $0 } }

  /// Whether the times that this instance would write are wrong.
  public var isWrong: Bool {
    ahead.map { $0 > Self.bearable || $0 < .zero - Self.bearable } ?? false
  }

  func note(_ ahead: TimeSpan) { difference.withLock { $0 = ahead } }

  /// - Throws: `.unavailable` while the clock is wrong.
  func check() throws(OperationError) {
    if isWrong { throw .unavailable(detail: "the server clock differs from the database clock") }
  }
}

extension Operations {
  /// Compares this instance's clock with the database's, and stores the result in `clock`.
  /// - Returns: The difference. The database was queried between two readings of our clock, which
  ///   bound it; within these bounds the old value stays, so that a slow answer changes nothing.
  /// - Throws: `.unavailable`, `.broken`.
  @discardableResult
  public func compareClocks() async throws(OperationError) -> TimeSpan {
    let fixedNow = deadlines?()
    let (before, theirs, after) = try await read { (session) throws(PostgresError) in
      let before = now()
      let theirs = try presentTime(at: fixedNow, on: &session)
      return (before, theirs, now())
    }
    let ahead = min(max(clock.ahead ?? .zero, before - theirs), after - theirs)
    clock.note(ahead)
    return ahead
  }
}
