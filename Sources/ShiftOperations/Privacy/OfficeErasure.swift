import Postgres
public import ShiftDomain
import ShiftStore

/// What became of the wish to erase an employee.
public enum ErasureOutcome: Hashable, Sendable {
  /// Nothing is left but that it was done.
  case erased
  /// A shift is open, and nobody said that it may be.
  case onShift(ShiftID)
}

extension Operations {
  /// Removes everything that is kept of an employee at once: shifts, positions, reports, messages,
  /// phones and their tokens, and the log about them. What stays is an entry of the log that it was
  /// done and by whom, about nobody. An account of theirs stays, and is nobody's.
  /// - Parameter endsShift: Whether it is done even while a shift is open.
  /// - Throws: `.notFound`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func erase(_ employee: EmployeeID, endsShift: Bool, by viewer: Viewer)
    async throws(OperationError) -> ErasureOutcome
  {
    let at = now()
    return try await transact(within: .seconds(300)) { (session) throws(PostgresError) in
      guard let row = try ShiftStore.staff([employee], on: &session).first else {
        return .refused(.employeeNotFound(employee))
      }
      if let shift = row.openShift, !endsShift {
        return .done(.onShift(ShiftID(employee: employee, number: shift)))
      }
      // Whoever opens a shift or reports meanwhile waits for this row, and then finds none.
      let held = endsShift ? moveVersionOn(of: employee) : moveVersionOffShift(of: employee)
      guard try session.execute(held) == 1 else { return .lost }
      try session.pipeline(ShiftStore.erase(employee))
      try audit(
        .employeeErased, by: viewer, at: at, target: employee.rawValue, on: &session)
      return .done(.erased)
    }
  }
}
