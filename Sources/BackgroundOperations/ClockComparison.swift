import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// Compares this instance's clock with the database's, and stores the result in `clock`.
  /// - Returns: The difference. The database was queried between two readings of our clock, which
  ///   bound it; within these bounds the old value stays, so that a slow answer changes nothing.
  @discardableResult
  package func compareClocks() async throws(OperationError) -> TimeSpan {
    let fixedNow = core.deadlines?()
    let (before, theirs, after) = try await core.read { (session) throws(PostgresError) in
      let before = core.now()
      let theirs = try presentTime(at: fixedNow, on: &session)
      return (before, theirs, core.now())
    }
    let ahead = min(max(core.clock.ahead ?? .zero, before - theirs), after - theirs)
    core.clock.note(ahead)
    return ahead
  }
}
