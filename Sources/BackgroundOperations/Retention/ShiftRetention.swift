import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package struct DeletedData: Hashable, Sendable {
  /// Shifts of which only the times are left.
  package var shifts = 0
  /// Deleted rows without a shift, shift times and audit entries.
  package var rows = 0

  package var isSomething: Bool { shifts + rows > 0 }
}

extension BackgroundOperations {
  /// Deletes data older than its retention, except pings and notifications. Any number of instances
  /// may do this at once.
  /// What was done before an error is done.
  package func deleteOldData() async throws(OperationError) -> DeletedData {
    try core.clock.check()
    let (present, retention) = (core.now(), try await core.retention())
    var deleted = DeletedData()
    let coverage = retention.cutoff(of: .coverage, now: present)
    while true {
      let count = try await deleteShifts(before: coverage)
      deleted.shifts += count
      if count < Self.deletionBatchSize { break }
    }
    deleted.rows = try await core.transact(within: .seconds(300)) {
      (session) throws(PostgresError) in
      .done(
        try session.pipeline(
          KeptKind.allCases.flatMap { kind in
            deletionStatements(of: kind, before: retention.cutoff(of: kind, now: present))
          } + [deleteAppEvents(before: max(coverage, present - Retention.appEventLife))]
        ).reduce(0, +))
    }
    return deleted
  }

  private static let deletionBatchSize = 2_000

  private func deleteShifts(before cutoff: Instant) async throws(OperationError) -> Int {
    try await core.transact(within: .seconds(300)) { (session) throws(PostgresError) in
      let old = try shiftsToDelete(
        before: cutoff, limit: Int32(Self.deletionBatchSize), on: &session)
      if !old.isEmpty { try session.pipeline(deleteCoverage(of: old)) }
      return .done(old.count)
    }
  }
}
