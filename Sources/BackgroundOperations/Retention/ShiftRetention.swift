public import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

/// The result of deleting old data.
public struct Forgetting: Hashable, Sendable {
  /// Shifts of which only the times are left.
  public var shifts = 0
  /// Deleted rows without a shift, shift times and audit entries.
  public var rows = 0

  /// Whether anything was deleted.
  public var isSomething: Bool { shifts + rows > 0 }
}

extension BackgroundOperations {
  /// Deletes data older than its retention, except pings and notifications. Any number of instances
  /// may do this at once.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.broken`; what was done until then is done.
  public func forget() async throws(OperationError) -> Forgetting {
    try core.clock.check()
    let (present, retention) = (core.now(), try await core.retention())
    var forgotten = Forgetting()
    let coverage = retention.cutoff(of: .coverage, now: present)
    while true {
      let count = try await forgetShifts(before: coverage)
      forgotten.shifts += count
      if count < Self.deletionBatchSize { break }
    }
    forgotten.rows = try await core.transact(within: .seconds(300)) {
      (session) throws(PostgresError) in
      .done(
        try session.pipeline(
          forgetAround(before: coverage) + [
            forgetPastShifts(before: retention.cutoff(of: .shifts, now: present)),
            forgetPlans(before: retention.cutoff(of: .shifts, now: present)),
            forgetLog(before: retention.cutoff(of: .log, now: present)),
          ]
        ).reduce(0, +))
    }
    return forgotten
  }

  private static let deletionBatchSize = 2_000

  private func forgetShifts(before cutoff: Instant) async throws(OperationError) -> Int {
    try await core.transact(within: .seconds(300)) { (session) throws(PostgresError) in
      let old = try shiftsToForget(
        before: cutoff, limit: Int32(Self.deletionBatchSize), on: &session)
      if !old.isEmpty { try session.pipeline(forgetCoverage(of: old)) }
      return .done(old.count)
    }
  }
}
