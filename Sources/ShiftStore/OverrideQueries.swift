import Postgres
import ReadModels
import ShiftDomain

// Table guard_override.

/// Adds an override, which may be used at once. Violates `guard_override_by_length` or
/// `guard_override_reason_length`.
///
/// INVARIANT: whoever adds, uses or withdraws one writes `guard_state` first, so that no clock-in
/// can run concurrently.
package func insert(_ row: OverrideRow) -> SQL {
  """
  INSERT INTO guard_override (
    employee_id, override_no, findings, author, given_by, reason, created_at, expires_at,
    withdrawn_at, used_shift)
  VALUES (
    \(row.employee.rawValue), \(row.number), \(row.findings.column), \(row.author.column),
    \(row.givenBy), \(row.reason), \(row.createdAt), \(row.expiresAt), \(row.withdrawnAt),
    \(row.usedShift))
  """
}

package func useOverride(_ number: Int32, by shift: ShiftID) -> SQL {
  """
  UPDATE guard_override SET used_shift = \(shift.number)
  WHERE employee_id = \(shift.employee.rawValue) AND override_no = \(number)
    AND used_shift IS NULL
  """
}

package func withdrawOverride(_ number: Int32, of employee: EmployeeID, at now: Instant) -> SQL {
  """
  UPDATE guard_override SET withdrawn_at = \(now)
  WHERE employee_id = \(employee.rawValue) AND override_no = \(number)
    AND used_shift IS NULL AND withdrawn_at IS NULL
  """
}

extension OverrideRow {
  fileprivate static let selection: StaticString = """
    SELECT given.employee_id, given.override_no, given.findings, given.author, given.given_by,
      given.reason, given.created_at, given.expires_at, given.withdrawn_at, given.used_shift,
      coalesce(shift.overridden, 0)
    FROM guard_override AS given
    LEFT JOIN shift
      ON shift.employee_id = given.employee_id AND shift.shift_no = given.used_shift
    """

  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      employee: try row.next(), number: try row.next(), findings: try row.next(),
      author: try row.next(), givenBy: try row.next(), reason: try row.next(),
      createdAt: try row.next(), expiresAt: try row.next(), withdrawnAt: try row.next(),
      usedShift: try row.next(), overridden: try row.next())
  }
}

/// Overrides in `scope` that were given at `since` or later, newest first.
package func overrides(
  of employee: EmployeeID?, in scope: TeamScope = TeamScope(), since: Instant? = nil,
  limit: Int32, on session: inout Session
) throws(PostgresError) -> [OverrideRow] {
  try session.value(of: overrides(of: employee, in: scope, since: since, limit: limit))
}

package func overrides(
  of employee: EmployeeID?, in scope: TeamScope = TeamScope(), since: Instant? = nil, limit: Int32
) -> Query<[OverrideRow]> {
  Query(
    """
    \(fragment: OverrideRow.selection)
    WHERE (\(employee?.rawValue) IS NULL OR given.employee_id = \(employee?.rawValue))
      AND given.created_at >= coalesce(\(since), '-infinity')
      AND EXISTS (
        SELECT FROM employee WHERE employee.employee_id = given.employee_id
          AND \(employeeIn: scope, asked: employee))
    ORDER BY given.created_at DESC, given.employee_id, given.override_no DESC
    LIMIT \(limit)
    """
  ) { (rows) throws(PostgresError) in try rows.map(OverrideRow.init(from:)) }
}

/// Overrides in `scope` that a clock-in at `now` may use, the newest first.
func selectUnusedOverrides(
  in scope: TeamScope, after place: ListPlace?, limit: Int32, now: Instant
) -> SQL {
  """
  \(fragment: OverrideRow.selection)
  JOIN employee ON employee.employee_id = given.employee_id
  WHERE given.used_shift IS NULL AND given.withdrawn_at IS NULL AND given.expires_at > \(now)
    AND \(employeeIn: scope)
    AND \(after: place, time: "given.created_at", employee: "given.employee_id",
      number: "given.override_no")
  ORDER BY given.created_at DESC, given.employee_id, given.override_no DESC
  LIMIT \(limit)
  """
}

package func override(_ number: Int32, of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> OverrideRow?
{
  try session.run(
    """
    \(fragment: OverrideRow.selection)
    WHERE given.employee_id = \(employee.rawValue) AND given.override_no = \(number)
    """
  ).first(OverrideRow.init(from:))
}

package func newestOverride(of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> OverrideRow?
{
  try session.run(
    """
    \(fragment: OverrideRow.selection)
    WHERE given.employee_id = \(employee.rawValue)
    ORDER BY given.override_no DESC
    LIMIT 1
    """
  ).first(OverrideRow.init(from:))
}

/// The newest override that a clock-in at `now` may use.
package func servingOverride(
  of employee: EmployeeID, at now: Instant, on session: inout Session
) throws(PostgresError) -> OverrideRow? {
  try session.value(of: servingOverride(of: employee, at: now))
}

package func servingOverride(of employee: EmployeeID, at now: Instant) -> Query<OverrideRow?> {
  Query(selectServingOverrides(of: [employee], at: now)) {
    (rows) throws(PostgresError) in try rows.override()
  }
}

/// The overrides that a clock-in at `instant` or later may use, the newest first.
package func servingOverrides(of employee: EmployeeID, at instant: Instant)
  -> Query<[OverrideRow]>
{
  servingOverrides(of: [employee], at: instant)
}

/// Those of several employees, the newest of each first.
package func servingOverrides(of employees: [EmployeeID], at instant: Instant)
  -> Query<[OverrideRow]>
{
  Query(selectServingOverrides(of: employees, at: instant)) { (rows) throws(PostgresError) in
    try rows.overrides()
  }
}

/// The overrides that clock-ins at `now` may use, the first one to be used of each employee first.
func selectServingOverrides(of employees: [EmployeeID], at now: Instant) -> SQL {
  """
  \(fragment: OverrideRow.selection)
  WHERE given.employee_id \(equalsAny: employees.map(\.rawValue)) AND given.used_shift IS NULL
    AND given.withdrawn_at IS NULL AND given.expires_at > \(now)
  ORDER BY given.employee_id, given.override_no DESC
  """
}

/// The override that a shift began under; `nil` if it needed none.
package func overrideUsed(by shift: ShiftID) -> Query<OverrideRow?> {
  Query(selectOverrideUsed(by: shift)) { (rows) throws(PostgresError) in try rows.override() }
}

func selectOverrideUsed(by shift: ShiftID) -> SQL {
  """
  \(fragment: OverrideRow.selection)
  WHERE given.employee_id = \(shift.employee.rawValue) AND given.used_shift = \(shift.number)
  ORDER BY given.override_no DESC
  LIMIT 1
  """
}

extension Rows {
  consuming func overrides() throws(PostgresError) -> [OverrideRow] {
    try map(OverrideRow.init(from:))
  }

  /// The first override; `nil` without rows.
  consuming func override() throws(PostgresError) -> OverrideRow? {
    try first(OverrideRow.init(from:))
  }
}
