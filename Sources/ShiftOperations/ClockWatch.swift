import Lifecycle
import Postgres
public import ShiftDomain
import ShiftStore

/// How far this instance's clock is from the database's. Instances date what they receive by their
/// own clock and judge deadlines by the database's: the two must agree.
public final class ClockWatch: Sendable {
  /// Past it somebody should look at the machine's clock.
  public static let noticeable = TimeSpan.milliseconds(500)
  /// Past it nothing may be dated by this instance's clock.
  public static let bearable = TimeSpan.seconds(2)

  private let difference = Lock<TimeSpan?>(nil)

  /// Nothing is known yet.
  public init() {}

  /// How far it is ahead, negative when behind, at the last comparison; `nil` before the first.
  public var ahead: TimeSpan? { difference.withLock { $0 } }

  /// Whether what this instance would write has a wrong time.
  public var isWrong: Bool {
    ahead.map { $0 > Self.bearable || $0 < .zero - Self.bearable } ?? false
  }

  func note(_ ahead: TimeSpan) { difference.withLock { $0 = ahead } }

  /// - Throws: `.unavailable` while the clock is wrong.
  func check() throws(OperationError) {
    if isWrong { throw .unavailable(detail: "the clock differs from the database's") }
  }
}

extension Operations {
  /// Compares this instance's clock with the database's, and notes it in `clock`.
  /// - Returns: The difference. The database was asked between two looks at our clock, which bound
  ///   it; within these bounds it stays what it was, so that a slow answer changes nothing.
  /// - Throws: `.unavailable`, `.broken`.
  @discardableResult
  public func compareClocks() async throws(OperationError) -> TimeSpan {
    let moved = deadlines?()
    let (before, theirs, after) = try await read { (session) throws(PostgresError) in
      let before = now()
      let theirs = try presentTime(at: moved, on: &session)
      return (before, theirs, now())
    }
    let ahead = min(max(clock.ahead ?? .zero, before - theirs), after - theirs)
    clock.note(ahead)
    return ahead
  }
}
