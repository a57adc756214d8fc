import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

package enum ErasureOutcome: Hashable, RefusableAnswer {
  /// Everything is deleted except the record of the erasure.
  case erased
  /// A shift is open, and the caller did not allow ending it.
  case onShift(ShiftID)

  package func get() throws(Refusal) {
    guard case .onShift(let shift) = self else { return }
    throw .conflict("shift_open", "shift \(shift.number) is open; end it first", .shift(shift))
  }
}

extension PeopleOperations {
  /// Deletes everything stored about an employee at once: shifts, positions, reports,
  /// notifications, phones and their tokens, and audit entries about them. An anonymous audit entry
  /// stays, with the actor and time of the erasure. An account of theirs stays without an employee.
  /// - Parameter endsShift: Whether to erase even while a shift is open.
  package func erase(_ employee: EmployeeID, endsShift: Bool, by principal: Principal)
    async throws(OperationError) -> ErasureOutcome
  {
    let at = core.now()
    let outcome: ErasureOutcome = try await core.transact(within: .seconds(300)) {
      (session) throws(PostgresError) in
      // First, so that the team stays and no digest is queued with them meanwhile.
      guard try hold(employee, on: &session),
        let row = try ShiftStore.employeeProfiles([employee], on: &session).first
      else { return .refused(.employeeNotFound(employee)) }
      if let shift = row.openShift, !endsShift {
        return .done(.onShift(ShiftID(employee: employee, number: shift)))
      }
      let digests = try takeDigests(waitingWith: [employee], on: &session)
      guard
        try ManagerCore.erase(employee, endsShift: endsShift, by: principal, at: at, on: &session)
      else { return .lost }
      try passOn(digests[employee] ?? [], of: row.team, on: &session)
      return .done(.erased)
    }
    if outcome == .erased { refusedRequests?.forget(employee) }
    return outcome
  }
}
