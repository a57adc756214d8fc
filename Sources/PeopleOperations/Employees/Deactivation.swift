import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum DeactivationOutcome: Hashable, RefusableAnswer {
  /// Deactivated or reactivated, by this request or before.
  case done(EmployeeProfile)
  case onShift(ShiftID)

  package func get() throws(Refusal) -> EmployeeProfile {
    switch self {
    case .done(let row): row
    case .onShift(let shift):
      throw .conflict("on_shift", "shift \(shift.number) is open; end it first", .shift(shift))
    }
  }
}

extension PeopleOperations {
  /// Deactivates an employee who has left. Their phones are revoked, and enrolment codes and
  /// planned shifts that are not over are deleted, and absences end; shifts, times and
  /// notifications stay.
  package func deactivate(_ employee: EmployeeID, by principal: Principal)
    async throws(OperationError) -> DeactivationOutcome
  {
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      guard var row = try ShiftStore.employeeProfiles([employee], on: &session).first else {
        return .refused(.employeeNotFound(employee))
      }
      guard row.deactivatedAt == nil else { return .done(.done(row)) }
      if let shift = row.openShiftID { return .done(.onShift(shift)) }
      guard try bumpVersionOffShift(of: employee, on: &session) else { return .lost }
      let affected = try session.pipeline(ShiftStore.deactivate(employee, at: at))
      guard affected.first == 1 else { return .lost }
      try audit(.employeeDeactivated, by: principal, at: at, about: employee, on: &session)
      row.deactivatedAt = at
      return .done(.done(row))
    }
  }

  /// Lets an employee work again. Their phones stay revoked: they are enrolled again.
  package func reactivate(_ employee: EmployeeID, by principal: Principal)
    async throws(OperationError) -> EmployeeProfile
  {
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      guard var row = try ShiftStore.employeeProfiles([employee], on: &session).first else {
        return .refused(.employeeNotFound(employee))
      }
      guard row.deactivatedAt != nil else { return .done(row) }
      // Boards compare versions to find changed lines.
      guard try bumpVersion(of: employee, on: &session),
        try session.execute(ShiftStore.reactivate(employee)) == 1
      else { return .lost }
      try audit(.employeeReactivated, by: principal, at: at, about: employee, on: &session)
      row.deactivatedAt = nil
      return .done(row)
    }
  }
}
