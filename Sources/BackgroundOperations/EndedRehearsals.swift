import ManagerCore
import OperationCore
import PolicyOperations
import Postgres
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// Erases the practice employees whose hour is over.
  ///
  /// Any number of instances may do this at once: one of them ends a rehearsal.
  /// - Returns: How many rehearsals this one has ended.
  @discardableResult
  package func endOldRehearsals() async throws(OperationError) -> Int {
    let fixedNow = core.deadlines?()
    let employees = try await core.read { (session) throws(PostgresError) in
      try endedRehearsals(at: fixedNow, on: &session)
    }
    let service = Principal(actor: AuditActor(name: "ShiftGuard"), role: .administrator)
    var (ended, failure): (Int, OperationError?) = (0, nil)
    // In any order, so that several instances seldom wait for each other.
    for employee in employees.shuffled() {
      do throws(OperationError) {
        if try await policies.endRehearsal(of: employee, onlyIfOver: true, by: service) {
          ended += 1
        }
      } catch {
        // One rehearsal must not keep the others from their end.
        failure = error
      }
    }
    if let failure { throw failure }
    return ended
  }
}
