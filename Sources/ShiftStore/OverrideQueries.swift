public import Postgres
public import ShiftDomain

// Table guard_override.

/// An override as stored and listed.
public struct OverrideRow: Hashable, Sendable {
  /// Whom it lets begin.
  public var employee: EmployeeID
  /// Its number within the employee, from 1.
  public var number: Int32
  /// What it excuses.
  public var findings: FindingSet
  /// Who gave it: somebody of the office, or the employee.
  public var author: OverrideAuthor
  /// Their name; 1…100 characters.
  public var givenBy: String
  /// Why; 1…500 characters.
  public var reason: String
  /// When it was given.
  public var createdAt: Instant
  /// Until when it serves.
  public var expiresAt: Instant
  /// When it was withdrawn; `nil` unless it was.
  public var withdrawnAt: Instant?
  /// The shift that began by it; `nil` while unused.
  public var usedShift: Int32?

  /// An override; by default one that nobody used or withdrew.
  public init(
    employee: EmployeeID, number: Int32, findings: FindingSet, author: OverrideAuthor,
    givenBy: String, reason: String, createdAt: Instant, expiresAt: Instant,
    withdrawnAt: Instant? = nil, usedShift: Int32? = nil
  ) {
    self.employee = employee
    self.number = number
    self.findings = findings
    self.author = author
    self.givenBy = givenBy
    self.reason = reason
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.withdrawnAt = withdrawnAt
    self.usedShift = usedShift
  }

  /// Whether a clock-in at `now` may use it.
  public func serves(at now: Instant) -> Bool {
    usedShift == nil && withdrawnAt == nil && createdAt <= now && expiresAt > now
  }

  /// What the rules need to know of it.
  public var leave: Override { Override(number: number, findings: findings, author: author) }
}

/// Adds an override. Violates `guard_override_by_length` or `guard_override_reason_length`.
///
/// INVARIANT: whoever adds, uses or withdraws one writes `guard_state` first, so that no clock-in
/// can cross it.
public func insert(_ row: OverrideRow) -> SQL {
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

/// Marks an override as used by the shift that began by it.
public func useOverride(_ number: Int32, by shift: ShiftID) -> SQL {
  """
  UPDATE guard_override SET used_shift = \(shift.number)
  WHERE employee_id = \(shift.employee.rawValue) AND override_no = \(number)
    AND used_shift IS NULL
  """
}

/// Withdraws an override that nobody used yet.
public func withdrawOverride(_ number: Int32, of employee: EmployeeID, at now: Instant) -> SQL {
  """
  UPDATE guard_override SET withdrawn_at = \(now)
  WHERE employee_id = \(employee.rawValue) AND override_no = \(number)
    AND used_shift IS NULL AND withdrawn_at IS NULL
  """
}

private let overrideSelection: StaticString = """
  SELECT employee_id, override_no, findings, author, given_by, reason, created_at, expires_at,
    withdrawn_at, used_shift
  FROM guard_override
  """

/// The overrides of `employee`, or everybody's, newest first.
public func overrides(of employee: EmployeeID?, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [OverrideRow]
{
  try session.run(
    """
    \(fragment: overrideSelection)
    WHERE (\(employee?.rawValue) IS NULL OR employee_id = \(employee?.rawValue))
    ORDER BY created_at DESC, employee_id, override_no DESC
    LIMIT \(limit)
    """
  ).overrideRows()
}

/// One override; `nil` when there is none of that number.
public func override(_ number: Int32, of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> OverrideRow?
{
  try session.run(
    """
    \(fragment: overrideSelection)
    WHERE employee_id = \(employee.rawValue) AND override_no = \(number)
    """
  ).overrideRows().first
}

/// The newest override that a clock-in tapped at `now` may use; `nil` when there is none.
public func servingOverride(of employee: EmployeeID, at now: Instant, on session: inout Session)
  throws(PostgresError) -> OverrideRow?
{
  try session.run(
    """
    \(fragment: overrideSelection)
    WHERE employee_id = \(employee.rawValue) AND used_shift IS NULL AND withdrawn_at IS NULL
      AND created_at <= \(now) AND expires_at > \(now)
    ORDER BY override_no DESC
    LIMIT 1
    """
  ).overrideRows().first
}

/// The override that a shift began by; `nil` when it needed none.
public func overrideUsed(by shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> OverrideRow?
{
  try session.run(
    """
    \(fragment: overrideSelection)
    WHERE employee_id = \(shift.employee.rawValue) AND used_shift = \(shift.number)
    ORDER BY override_no DESC
    LIMIT 1
    """
  ).overrideRows().first
}

extension Rows {
  fileprivate func overrideRows() throws(PostgresError) -> [OverrideRow] {
    var records: [OverrideRow] = []
    for row in 0..<count {
      records.append(
        OverrideRow(
          employee: EmployeeID(try value(row, 0)), number: try value(row, 1),
          findings: try findings(row, 2), author: try coded(row, 3), givenBy: try value(row, 4),
          reason: try value(row, 5), createdAt: try value(row, 6), expiresAt: try value(row, 7),
          withdrawnAt: try value(row, 8), usedShift: try value(row, 9)))
    }
    return records
  }
}
