import OperationCore
import PolicyOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// Puts every planned policy in force whose time has come, also if that was long ago.
  ///
  /// Any number of callers may try at once: one of them does it.
  /// - Returns: How many.
  @discardableResult
  package func beginPlannedPolicies() async throws(OperationError) -> Int {
    let moment = PolicyMoment(core)
    let teams = try await core.read { (session) throws(PostgresError) in
      try teamsWithDuePolicies(at: moment.fixedNow, on: &session)
    }
    var (begun, failure): (Int, OperationError?) = (0, nil)
    for team in teams {
      do throws(OperationError) {
        let isBegun = try await core.transact { (session) throws(PostgresError) in
          guard try holdPolicy(of: team, on: &session),
            let planned = try duePolicy(of: team, at: moment.fixedNow, on: &session),
            let inForce = try ShiftStore.policy(nil, of: team, on: &session)
          else { return .done(false) }
          return try begin(planned, after: inForce, moment, on: &session) == nil
            ? .lost : .done(true)
        }
        begun += isBegun ? 1 : 0
      } catch {
        // One team must not keep the others from their policy.
        failure = error
      }
    }
    if let failure { throw failure }
    return begun
  }
}
