import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

let overrideLife = TimeSpan.hours(12)

/// An identical override within this time is a repeat of a request whose answer was lost; later it
/// is a new override.
let overrideRepeatMax = TimeSpan.minutes(5)

package enum OverrideOutcome: Hashable, RefusableAnswer {
  case given(OverrideRow)
  /// The newest valid override is identical and less than 5 minutes old, possibly because the same
  /// request was sent before and its answer was lost.
  case unchanged(OverrideRow)
  case selfOverrideForbidden
  /// This is the newest override now.
  case changedMeanwhile(OverrideRow?)

  package func get() throws(Refusal) -> (row: OverrideRow, isNew: Bool) {
    switch self {
    case .given(let row): (row, true)
    case .unchanged(let row): (row, false)
    case .selfOverrideForbidden: throw .selfOverride
    case .changedMeanwhile(let row):
      throw Refusal(
        .changed, "changed_meanwhile",
        "the newest override has changed, and only the newest counts; check it and try again",
        .newestOverride(row))
    }
  }
}

/// For `If-Match`.
/// - Parameter newest: `nil` without any.
package func overrideTag(newest: OverrideRow?) -> String { String(newest?.number ?? 0) }

package enum WithdrawalOutcome: Hashable, RefusableAnswer {
  /// Withdrawn, now or before.
  case withdrawn(OverrideRow)
  /// It was already used by a shift.
  case used(OverrideRow)

  package func get() throws(Refusal) -> OverrideRow {
    switch self {
    case .withdrawn(let row): row
    case .used(let row):
      throw .conflict("override_used", "this override was already used", .override(row))
    }
  }
}

extension ReviewOperations {
  /// Allows an employee one clock-in within 12 hours in spite of `findings`, and tells them. Only
  /// the newest valid override counts.
  /// - Parameters:
  ///   - findings: The findings to allow; at least one. Those that do not hold at the clock-in
  ///     change nothing.
  ///   - reason: 1…500 characters, which the employee can read.
  ///   - tags: The tags that the caller may have read; `nil`: no check.
  package func giveOverride(
    to employee: EmployeeID, _ findings: FindingSet, reason: String,
    matching tags: Set<String>? = nil, by principal: Principal
  ) async throws(OperationError) -> OverrideOutcome {
    let actor = principal.actor
    try actor.check(reason: reason)
    guard !findings.isEmpty else { throw .invalid("an override needs at least one finding") }
    guard actor.employee != employee else { return .selfOverrideForbidden }
    return try await core.transact { (session) throws(PostgresError) in
      // Several at once take turns, and each sees what the one before wrote.
      guard try hold(employee, on: &session), var record = try gather(employee, on: &session)
      else { return .refused(.employeeNotFound(employee)) }
      let at = core.now()
      guard try isActive(employee, on: &session) else {
        return .refused(.inactive(employee))
      }
      // By number, not by time: another instance's clock may be ahead.
      let newest = try newestOverride(of: employee, on: &session)
      if let newest, newest.serves(at: at), newest.findings == findings,
        newest.reason == reason, newest.givenBy == actor.name,
        at - newest.createdAt < overrideRepeatMax
      {
        return .done(.unchanged(newest))
      }
      if let tags {
        guard tags.contains(overrideTag(newest: newest)) else {
          return .done(.changedMeanwhile(newest))
        }
      }
      record.lastOverride += 1
      guard try session.execute(updateGuardState(record.state, after: record)) == 1 else {
        return .lost
      }
      let row = OverrideRow(
        employee: employee, number: record.lastOverride, findings: findings, author: .manager,
        givenBy: actor.name, reason: reason, createdAt: at, expiresAt: at + overrideLife)
      // Somebody at work has nothing to do about it now.
      let isAtWork = record.state.shift.map { !$0.waitsForConfirmation } ?? false
      let told = ShiftNotification(.clockInAllowed, subject: row.number, dueAt: at)
      try session.pipeline(
        [
          insert(row),
          auditEntry(
            .overrideGiven, by: principal, at: at, about: employee, target: row.number,
            reason: reason),
        ] + (isAtWork ? [] : [enqueue(told, for: employee)]))
      return .queued(.given(row))
    }
  }

  /// The overrides of `employee`, or of all employees in `scope`, newest first.
  package func overrides(
    of employee: EmployeeID?, in scope: TeamScope = TeamScope(), since: Instant? = nil, limit: Int
  ) async throws(OperationError) -> [OverrideRow] {
    try await core.list(of: employee) { (session) throws(PostgresError) in
      try ShiftStore.overrides(
        of: employee, in: scope, since: since, limit: Int32(clamping: limit), on: &session)
    }
  }

  package func withdrawOverride(
    _ number: Int32, of employee: EmployeeID, by principal: Principal
  ) async throws(OperationError) -> WithdrawalOutcome {
    try principal.actor.check(reason: nil)
    return try await core.transact { (session) throws(PostgresError) in
      let at = core.now()
      guard let record = try gather(employee, on: &session) else {
        return .refused(.employeeNotFound(employee))
      }
      guard var row = try ShiftStore.override(number, of: employee, on: &session) else {
        return .refused(.notFound("override \(number) of employee \(employee.rawValue)"))
      }
      if row.usedShift != nil { return .done(.used(row)) }
      if row.withdrawnAt != nil { return .done(.withdrawn(row)) }
      guard try session.execute(updateGuardState(record.state, after: record)) == 1 else {
        return .lost
      }
      try session.pipeline([
        ShiftStore.withdrawOverride(number, of: employee, at: at),
        auditEntry(.overrideWithdrawn, by: principal, at: at, about: employee, target: number),
        review(notificationsOf: employee, at: at),
      ])
      row.withdrawnAt = at
      return .done(.withdrawn(row))
    }
  }
}
