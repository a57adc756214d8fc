import ManagerCore
import OperationCore
import ShiftDomain

/// A `tar` archive of everything stored about an employee, made piece by piece.
package struct EmployeeArchive: Sequence, IteratorProtocol, Sendable {
  package let employee: EmployeeID
  package let asOf: Instant
  /// Rows of all tables.
  package let rowCount: Int
  private var archive: TarArchive

  fileprivate init(_ copy: EmployeeCopy) {
    employee = copy.employee
    asOf = copy.asOf
    rowCount = copy.tables.reduce(0) { $0 + $1.rows.count }
    archive = TarArchive(copy.files, at: copy.asOf)
  }

  /// Such as `employee-7-2026-11-25.tar`, with the day in UTC.
  package var fileName: String { "employee-\(employee.rawValue)-\(asOf.rfc3339.prefix(10)).tar" }

  package mutating func next() -> [UInt8]? { archive.next() }
}

extension PeopleOperations {
  /// Exports everything stored about an employee, as `copy` does.
  package func archive(of employee: EmployeeID, by principal: Principal)
    async throws(OperationError) -> EmployeeArchive
  {
    EmployeeArchive(try await copy(employee, by: principal))
  }
}
