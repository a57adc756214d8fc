import Postgres
public import ShiftDomain
public import ShiftStore

/// A position, copied out.
public typealias FixRow = ShiftStore.FixRow

/// A table's rows of one employee, copied out.
public typealias TableCopy = ShiftStore.TableCopy

/// Everything that is kept of an employee.
public struct EmployeeCopy: Hashable, Sendable {
  /// Whom.
  public var employee: EmployeeID
  /// As of when.
  public var asOf: Instant
  /// Each table's rows, but for what would let somebody speak or listen as them.
  public var tables: [TableCopy]
  /// Their positions once more, in order.
  public var fixes: [FixRow]
}

extension Operations {
  /// Copies everything that is kept of an employee. That it was copied is written down, for them to
  /// read, and stands in the copy.
  /// - Throws: `.notFound`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func copy(_ employee: EmployeeID, by viewer: Viewer)
    async throws(OperationError) -> EmployeeCopy
  {
    let at = now()
    // By itself: reports of the employee wait for it.
    let _: Bool = try await transact { (session) throws(PostgresError) in
      guard try session.run(keepOutErasure(of: employee)).count == 1 else {
        return .refused(.employeeNotFound(employee))
      }
      try audit(.employeeExported, by: viewer, at: at, about: employee, on: &session)
      return .done(true)
    }
    return try await transact(within: .seconds(300)) { (session) throws(PostgresError) in
      guard try ShiftStore.team(of: employee, on: &session) != nil else {
        return .refused(.employeeNotFound(employee))
      }
      return .done(
        EmployeeCopy(
          employee: employee, asOf: at, tables: try copies(of: employee, on: &session),
          fixes: try ShiftStore.fixes(of: employee, on: &session)))
    }
  }
}
