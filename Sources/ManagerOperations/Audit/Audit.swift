import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

// Managers who view positions give a purpose, which is recorded before they see anything. The
// employee can read it.

/// The names of what audit entries are about. What was deleted since has none.
package struct AuditNames: Hashable, Sendable {
  package var employees: [EmployeeID: String] = [:]
  package var teams: [TeamID: String] = [:]
  package var accounts: [AccountID: String] = [:]
  package var tokens: [Int32: String] = [:]

  package init() {}
}

extension ManagerOperations {
  /// Records that a manager views an employee's positions in some shifts: an entry for each, in one
  /// transaction. Await it before any coordinate is handed out: when it returns, the entries are
  /// committed.
  /// - Parameters:
  ///   - shifts: All of one employee.
  ///   - purpose: 1…500 characters, which the employee can read.
  ///   - isExport: Whether they download a copy.
  /// - Returns: The shifts' spans until now, as recorded.
  /// - Throws: `.notFound` when they may not see the tracks of the employee's team, or one of the
  ///   shifts does not exist; `.invalid` without a purpose.
  @discardableResult
  package func noteTrackViews(
    of shifts: [ShiftID], by principal: Principal, purpose: String, isExport: Bool = false
  ) async throws(OperationError) -> [Interval] {
    let at = core.now()
    try principal.actor.check(reason: purpose)
    guard let employee = shifts.first?.employee else { return [] }
    precondition(shifts.allSatisfy { $0.employee == employee }, "shifts of several employees")
    return try await core.transact { (session) throws(PostgresError) in
      guard try session.run(lockAgainstErasure(of: employee)).count == 1,
        let team = try ShiftStore.team(of: employee, on: &session),
        principal.may(.track, of: team)
      else { return .refused(.employeeNotFound(employee)) }
      var spans: [Interval] = []
      for shift in shifts {
        guard let record = try ShiftStore.shift(shift, on: &session) else {
          return .refused(.shiftNotFound(shift))
        }
        let span = Interval(
          from: record.startedAt, to: max(record.startedAt, record.endedAt ?? at))
        try session.execute(
          insert(
            AuditEntry(
              id: newID(at: at), isExport ? .trackExported : .trackViewed, at: at,
              actor: principal.actor.name, account: principal.account, employee: employee,
              team: team, shift: shift.number, span: span, reason: purpose)))
        spans.append(span)
      }
      return .done(spans)
    }
  }

  /// Newest first.
  /// - Parameter id: Only entries older than this one.
  package func auditEntries(about employee: EmployeeID?, before id: Int64? = nil, limit: Int)
    async throws(OperationError) -> [AuditEntry]
  {
    try await auditEntries(AuditFilter(about: employee, before: id), limit: limit)
  }

  /// Newest first.
  /// - Throws: `.notFound` for an unknown employee.
  package func auditEntries(_ filter: AuditFilter, limit: Int)
    async throws(OperationError) -> [AuditEntry]
  {
    try await list(of: filter.employee) { (session) throws(PostgresError) in
      try ShiftStore.auditEntries(filter, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// The current names of what `entries` are about.
  package func names(in entries: [AuditEntry]) async throws(OperationError) -> AuditNames {
    let employees = Set(entries.compactMap(\.employee)).sorted { $0.rawValue < $1.rawValue }
    return try await core.readSnapshot { (session) throws(PostgresError) in
      var names = AuditNames()
      for row in try employeeProfiles(employees, on: &session) {
        names.employees[row.employee] = row.name
      }
      for row in try ShiftStore.teams(withPractice: true, on: &session) {
        names.teams[row.team] = row.name
      }
      for record in try ShiftStore.accounts(on: &session) {
        names.accounts[record.row.account] = record.row.settings.name
      }
      for record in try ShiftStore.apiTokens(number: nil, on: &session) {
        names.tokens[record.row.number] = record.row.name
      }
      return names
    }
  }
}

func audit(
  _ action: AuditAction, by principal: Principal, at: Instant, about employee: EmployeeID? = nil,
  target: Int32? = nil, reason: String? = nil, on session: inout Session
) throws(PostgresError) {
  try session.execute(
    auditEntry(action, by: principal, at: at, about: employee, target: target, reason: reason))
}

/// The entry as a statement of the deed's pipeline.
func auditEntry(
  _ action: AuditAction, by principal: Principal, at: Instant, about employee: EmployeeID? = nil,
  shift: Int32? = nil, span: Interval? = nil, target: Int32? = nil, reason: String? = nil
) -> SQL {
  insert(
    AuditEntry(
      id: newID(at: at), action, at: at, actor: principal.actor.name, account: principal.account,
      employee: employee, shift: shift, span: span, target: target, reason: reason))
}
