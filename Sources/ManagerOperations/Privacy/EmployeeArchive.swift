import Lifecycle
import OperationCore
import ShiftDomain

/// A `tar` archive of everything stored about an employee, made piece by piece.
package struct EmployeeArchive: Sequence, IteratorProtocol, Sendable {
  package let employee: EmployeeID
  package let asOf: Instant
  /// Rows of all tables.
  package let rowCount: Int
  private var archive: TarArchive
  private let place: ExportPlace

  fileprivate init(_ copy: EmployeeCopy, in place: ExportPlace) {
    employee = copy.employee
    asOf = copy.asOf
    rowCount = copy.tables.reduce(0) { $0 + $1.rows.count }
    archive = TarArchive(copy.files, at: copy.asOf)
    self.place = place
  }

  /// Such as `employee-7-2026-11-25.tar`, with the day in UTC.
  package var fileName: String { "employee-\(employee.rawValue)-\(asOf.rfc3339.prefix(10)).tar" }

  package mutating func next() -> [UInt8]? { archive.next() }
}

extension ManagerOperations {
  /// Exports everything stored about an employee, as `copy` does.
  /// - Throws: `.unavailable` while two other archives are in memory.
  package func archive(of employee: EmployeeID, by principal: Principal)
    async throws(OperationError) -> EmployeeArchive
  {
    guard let place = ExportPlace(exports) else {
      throw .unavailable(detail: "too many exports at the same time")
    }
    return EmployeeArchive(try await copy(employee, by: principal), in: place)
  }
}

/// How many archives are in memory. Each takes as much as everything stored about an employee,
/// until its receiver has taken the last piece or has gone.
final class ExportCount: Sendable {
  fileprivate static let max = 2
  fileprivate let taken = Lock(0)
}

private final class ExportPlace: Sendable {
  private let count: ExportCount

  /// `nil`: all places are taken.
  init?(_ count: ExportCount) {
    let isFree = count.taken.withLock { taken in
      guard taken < ExportCount.max else { return false }
      taken += 1
      return true
    }
    guard isFree else { return nil }
    self.count = count
  }

  deinit { count.taken.withLock { $0 -= 1 } }
}
