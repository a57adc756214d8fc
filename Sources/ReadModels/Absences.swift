import GuardRules
import ShiftDomain

/// A span in which an employee is not expected to work, whatever is planned.
package struct Absence: Hashable, Sendable {
  /// Its id, which sorts by time (`Instant.firstID`); unique within the employee.
  package var id: Int64
  package var employee: EmployeeID
  package var span: Interval
  /// For managers; `nil`: none.
  package var note: String?
  /// The name of its author.
  package var createdBy: String

  /// How long one may be. The database has the same limits.
  package static let lengths = TimeSpan.minutes(1)...TimeSpan.hours(366 * 24)
  /// In Unicode scalars.
  package static let noteMax = 200

  package init(
    id: Int64, employee: EmployeeID, span: Interval, note: String?, createdBy: String
  ) {
    self.id = id
    self.employee = employee
    self.span = span
    self.note = note
    self.createdBy = createdBy
  }
}

extension Absence: ListRow {
  /// Absences of an employee do not overlap, so none begin at the same time.
  package var place: ListPlace { ListPlace(at: span.start, employee: employee, number: 0) }
}
