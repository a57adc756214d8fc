import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The weeks of clock-ins on which a draft can be tried.
package let trialWeeks: [Int] = [1, 2, 4]

extension PolicyOperations {
  /// Tries the policy in force with `changes` on the clock-ins of the last weeks. Nothing is saved.
  /// Clock-ins that the guard did not decide are left out: a shift was open, or they overlapped
  /// one.
  /// - Parameter weeks: One of `trialWeeks`.
  /// - Throws: `.invalid` for a duration out of range or another number of weeks, `.notFound` for
  ///   an unknown team.
  package func tryPolicy(of team: TeamID, _ changes: PolicyChanges, weeks: Int)
    async throws(OperationError) -> PolicyTrial
  {
    guard trialWeeks.contains(weeks) else { throw .invalid("`weeks` must be 1, 2 or 4") }
    if let span = changes.outOfRange {
      throw .invalid("`\(span.name)` is not in its range")
    }
    let inForce = try await policy(of: team, version: nil)
    let rows = try await decidedClockIns(in: team, weeks: weeks)
    let now = core.now()
    var trial = PolicyTrial(
      team: team, draft: inForce.policy.changed(by: changes), policyVersion: inForce.version,
      span: Interval(from: now - .hours(Int64(weeks) * 7 * 24), to: now))
    trial.isCut = rows.count > PolicyTrial.clockInsMax
    for row in rows.prefix(PolicyTrial.clockInsMax) { trial.add(row) }
    return trial
  }

  /// The clock-ins of the last weeks that the guard decided, the newest first: one more than are
  /// tried, if there are more.
  package func decidedClockIns(in team: TeamID, weeks: Int) async throws(OperationError)
    -> [DecidedClockInRow]
  {
    let since = core.now() - .hours(Int64(weeks) * 7 * 24)
    return try await core.using(heavyReads.pool).read { (session) throws(PostgresError) in
      try ShiftStore.decidedClockIns(
        in: team, since: since, limit: Int32(PolicyTrial.clockInsMax) + 1, on: &session)
    }
  }
}
