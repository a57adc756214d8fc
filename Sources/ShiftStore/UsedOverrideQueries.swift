public import Postgres
public import ShiftDomain

// Table guard_override, as far as a shift that began under one needs it.

/// The override that a shift began under: what it let pass, and who answers for it.
public struct UsedOverride: Hashable, Sendable {
  /// The findings that would have blocked.
  public var findings: FindingSet
  /// On whose part.
  public var author: OverrideAuthor
  /// Who gave it, by name; 1…100 characters.
  public var by: String
  /// Why; 1…500 characters.
  public var reason: String

  /// An override.
  public init(findings: FindingSet, author: OverrideAuthor, by: String, reason: String) {
    self.findings = findings
    self.author = author
    self.by = by
    self.reason = reason
  }
}

/// Keeps an override that was given and used at once: an employee's own.
public func insertUsed(
  _ override: UsedOverride, number: Int32, for shift: ShiftID, at instant: Instant
) -> SQL {
  """
  INSERT INTO guard_override (
    employee_id, override_no, created_at, expires_at, findings, used_shift, author, given_by,
    reason)
  VALUES (
    \(shift.employee.rawValue), \(number), \(instant), \(instant), \(override.findings.column),
    \(shift.number), \(override.author.column), \(override.by), \(override.reason))
  """
}

/// The override that a shift began under; `nil` when it needed none.
public func usedOverride(of shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> UsedOverride?
{
  let rows = try session.run(
    """
    SELECT shift.overridden, used.author, used.given_by, used.reason
    FROM shift
    JOIN guard_override AS used
      ON used.employee_id = shift.employee_id AND used.override_no = shift.override_no
    WHERE shift.employee_id = \(shift.employee.rawValue) AND shift.shift_no = \(shift.number)
    """)
  guard rows.count > 0 else { return nil }
  return UsedOverride(
    findings: try rows.findings(0, 0), author: try rows.coded(0, 1), by: try rows.value(0, 2),
    reason: try rows.value(0, 3))
}
