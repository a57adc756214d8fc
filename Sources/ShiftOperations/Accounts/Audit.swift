import Cryptography
public import GuardRules
import Postgres
public import ShiftDomain
public import ShiftStore

// Whoever of the office looks at where somebody was says what for, and it is written down before
// they see anything. The employee reads it.

/// An entry of the log.
public typealias AuditEntry = ShiftStore.AuditEntry

/// What was done.
public typealias AuditAction = ShiftStore.AuditAction

extension Operations {
  /// Writes down that somebody looks at where an employee was in a shift. To be awaited before any
  /// coordinate of it is handed out: when this returns, it is committed.
  /// - Parameters:
  ///   - purpose: What for; 1…500 characters, which the employee reads.
  ///   - isExport: Whether they take a copy with them.
  /// - Returns: The shift's span until now, which is what was written down.
  /// - Throws: `.notFound` when they may not see the tracks of the employee's team, or there is no
  ///   such shift; `.invalid` without a purpose; `.unavailable`, `.outcomeUnknown`, `.broken`.
  @discardableResult
  public func noteTrackView(
    of shift: ShiftID, by viewer: Viewer, purpose: String, isExport: Bool = false
  ) async throws(OperationError) -> Interval {
    let at = now()
    try viewer.officer.check(reason: purpose)
    return try await transact { (session) throws(PostgresError) in
      guard try session.run(keepOutErasure(of: shift.employee)).count == 1,
        let team = try ShiftStore.team(of: shift.employee, on: &session),
        viewer.may(.track, of: team)
      else { return .refused(.employeeNotFound(shift.employee)) }
      guard let record = try ShiftStore.shift(shift, on: &session) else {
        return .refused(.shiftNotFound(shift))
      }
      let span = Interval(
        from: record.startedAt, to: max(record.startedAt, record.endedAt ?? at))
      try session.execute(
        insert(
          AuditEntry(
            id: newID(at: at), isExport ? .trackExported : .trackViewed, at: at,
            actor: viewer.officer.name, account: viewer.account, employee: shift.employee,
            team: team, shift: shift.number, span: span, reason: purpose)))
      return .done(span)
    }
  }

  /// The log, the newest first.
  /// - Parameters:
  ///   - employee: Only what is about them.
  ///   - id: Only entries older than that of this id.
  /// - Throws: `.notFound` for an unknown employee, `.unavailable`, `.broken`.
  public func auditEntries(about employee: EmployeeID?, before id: Int64? = nil, limit: Int)
    async throws(OperationError) -> [AuditEntry]
  {
    try await list(of: employee) { (session) throws(PostgresError) in
      try ShiftStore.auditEntries(
        about: employee, before: id, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// Who looked at where the own phones were, the newest first.
  /// - Throws: `.unauthorized`, `.unavailable`, `.broken`.
  public func ownAudit(before id: Int64? = nil, limit: Int, for credential: DeviceCredential)
    async throws(OperationError) -> [AuditEntry]
  {
    try await authorize(credential)
    return try await auditEntries(
      about: credential.device.employee, before: id, limit: limit)
  }
}

/// Writes down what somebody of the office does, in the transaction that does it.
/// - Parameter viewer: `nil`: somebody at the command line, who is not named.
func audit(
  _ action: AuditAction, by viewer: Viewer?, at: Instant, about employee: EmployeeID? = nil,
  target: Int32? = nil, reason: String? = nil, on session: inout Session
) throws(PostgresError) {
  try session.execute(
    insert(
      AuditEntry(
        id: newID(at: at), action, at: at, actor: viewer?.officer.name ?? "command line",
        account: viewer?.account, employee: employee, target: target, reason: reason)))
}

/// 41 bits of milliseconds, then 22 random ones: sorted by time.
func newID(at now: Instant) -> Int64 {
  let milliseconds = Int64(truncatingIfNeeded: now.milliseconds) & ((1 << 41) - 1)
  return milliseconds << 22 | Int64(randomUInt64() & ((1 << 22) - 1))
}
