import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table absence.

/// Whether the start of a planned shift lies in an absence of its employee: in one at most, because
/// absences of an employee do not overlap.
let isStartInAbsence: ShiftFragment = """
  absence.employee_id = planned.employee_id AND absence.starts_at <= planned.starts_at
    AND absence.ends_at > planned.starts_at
  """

/// Whether there is such an absence.
let startsInAbsence = ShiftFragment("EXISTS (SELECT FROM absence WHERE ", isStartInAbsence, ")")

/// Violates `absence_disjoint` if it would overlap another absence of its employee.
package func insert(_ absence: Absence, at now: Instant) -> SQL {
  """
  INSERT INTO absence (
    employee_id, absence_id, starts_at, ends_at, note, created_by, created_at)
  SELECT \(absence.employee.rawValue), \(absence.id), \(absence.span.start), \(absence.span.end),
    \(absence.note), \(absence.createdBy), \(now)
  """
}

/// - Returns: Its times; `nil` for an unknown absence.
package func deleteAbsence(
  _ id: Int64, of employee: EmployeeID, on session: inout Session
) throws(PostgresError) -> Interval? {
  try session.run(deleteAbsence(id, of: employee)).map(Interval.init(from:)).first
}

func deleteAbsence(_ id: Int64, of employee: EmployeeID) -> SQL {
  """
  DELETE FROM absence
  WHERE employee_id = \(employee.rawValue) AND absence_id = \(id)
  RETURNING starts_at, ends_at
  """
}

/// The first absence of `employee` that intersects `span`.
package func firstAbsence(
  of employee: EmployeeID, touching span: Interval, on session: inout Session
) throws(PostgresError) -> Absence? {
  try session.run(selectFirstAbsence(of: employee, touching: span)).first(Absence.init(from:))
}

func selectFirstAbsence(of employee: EmployeeID, touching span: Interval) -> SQL {
  """
  SELECT \(fragment: Absence.columns) FROM absence
  WHERE employee_id = \(employee.rawValue)
    AND starts_at < \(span.end) AND ends_at > \(span.start)
  ORDER BY starts_at LIMIT 1
  """
}

/// By employee and start.
package func absences(of employees: [EmployeeID], touching span: Interval) -> Query<[Absence]> {
  Query(
    """
    SELECT \(fragment: Absence.columns) FROM absence
    WHERE employee_id = ANY (\(employees.map(\.rawValue)))
      AND starts_at < \(span.end) AND ends_at > \(span.start)
    ORDER BY employee_id, starts_at
    """
  ) { (rows) throws(PostgresError) in try rows.map(Absence.init(from:)) }
}

/// Absences that intersect the times of `filter`, by start and employee.
package func absences(_ filter: ListFilter, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [Absence]
{
  try session.run(selectAbsences(filter, limit: limit)).map(Absence.init(from:))
}

func selectAbsences(_ filter: ListFilter, limit: Int32) -> SQL {
  let (employee, after) = (filter.employee?.rawValue, filter.after)
  return """
    SELECT \(fragment: Absence.columns)
    FROM absence JOIN employee USING (employee_id)
    WHERE \(employeeIn: filter.scope, asked: filter.employee)
      AND (\(employee) IS NULL OR employee_id = \(employee))
      AND (\(filter.from) IS NULL OR ends_at > \(filter.from))
      AND (\(filter.to) IS NULL OR starts_at < \(filter.to))
      AND (\(after?.at) IS NULL
        OR (starts_at, employee_id) > (\(after?.at), \(after?.employee.rawValue)))
    ORDER BY starts_at, employee_id
    LIMIT \(limit)
    """
}

/// Ends the absences of an employee who leaves, and deletes those that have not begun.
func endAbsences(of employee: EmployeeID, at now: Instant) -> [SQL] {
  [
    """
    DELETE FROM absence
    WHERE employee_id = \(employee.rawValue) AND starts_at > \(now - Absence.lengths.lowerBound)
    """,
    """
    UPDATE absence SET ends_at = \(now)
    WHERE employee_id = \(employee.rawValue) AND ends_at > \(now)
    """,
  ]
}

package func deleteAbsences(before cutoff: Instant) -> SQL {
  "DELETE FROM absence WHERE ends_at < \(cutoff)"
}

extension Absence {
  fileprivate static let columns: StaticString = """
    absence_id, employee_id, starts_at, ends_at, note, absence.created_by
    """

  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      id: try row.next(), employee: try row.next(), span: try Interval(from: &row),
      note: try row.next(), createdBy: try row.next())
  }
}
