import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

// Managers who view positions give a purpose, which is recorded before they see anything. The
// employee can read it.

extension InsightOperations {
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
          auditEntry(
            isExport ? .trackExported : .trackViewed, by: principal, at: at, about: employee,
            in: team, shift: shift.number, span: span, reason: purpose))
        spans.append(span)
      }
      return .done(spans)
    }
  }
}
