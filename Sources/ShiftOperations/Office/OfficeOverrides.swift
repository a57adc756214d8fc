import Postgres
public import ShiftDomain
public import ShiftStore

/// An override as listed.
public typealias OverrideRow = ShiftStore.OverrideRow

/// A manager's override serves this long.
let overrideLife = TimeSpan.hours(12)

/// The same given again within this long repeats a request whose answer was lost; later it is meant
/// to serve anew.
let overrideRepeatMax = TimeSpan.minutes(5)

/// What became of the wish to give an override.
public enum OverrideOutcome: Hashable, Sendable {
  /// It was given.
  case given(OverrideRow)
  /// The newest one that serves says just that and was given within 5 minutes; perhaps because the
  /// same request was sent before and its answer was lost.
  case unchanged(OverrideRow)
  /// Nobody gives one to themselves.
  case ownLeave
  /// The newest is no longer the one that the caller read, but this.
  case changedMeanwhile(OverrideRow?)
}

/// Tells by the newest override of an employee whether one was given since: what `If-Match`
/// compares.
/// - Parameter newest: `nil`: there is none.
public func overrideTag(newest: OverrideRow?) -> String { String(newest?.number ?? 0) }

/// What became of the wish to withdraw an override.
public enum WithdrawalOutcome: Hashable, Sendable {
  /// It serves no longer; perhaps it was withdrawn before.
  case withdrawn(OverrideRow)
  /// A shift began by it: too late.
  case used(OverrideRow)
}

extension Operations {
  /// Lets an employee begin one shift within 12 hours in spite of `findings`. Only the newest
  /// override that serves counts.
  /// - Parameters:
  ///   - findings: What is excused; at least one. Those that do not hold at the clock-in change
  ///     nothing.
  ///   - reason: 1…500 characters, which the employee reads.
  ///   - tags: What the caller read, one of them; `nil`: whatever is there.
  /// - Throws: `.invalid`, `.notFound` for an unknown employee, `.unavailable`, `.outcomeUnknown`,
  ///   `.broken`.
  public func giveOverride(
    to employee: EmployeeID, _ findings: FindingSet, reason: String,
    matching tags: Set<String>? = nil, by officer: Officer
  ) async throws(OperationError) -> OverrideOutcome {
    try officer.check(reason: reason)
    guard !findings.isEmpty else { throw .invalid("an override names at least one finding") }
    guard officer.employee != employee else { return .ownLeave }
    return try await transact { (session) throws(PostgresError) in
      // Of this try: one that lost to another must see what that one wrote.
      let at = now()
      guard var record = try gather(employee, on: &session) else {
        return .refused(.employeeNotFound(employee))
      }
      // By number, not by time: another instance's clock may be ahead.
      let newest = try newestOverride(of: employee, on: &session)
      if let newest, newest.serves(at: at), newest.findings == findings,
        newest.reason == reason, newest.givenBy == officer.name,
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
        givenBy: officer.name, reason: reason, createdAt: at, expiresAt: at + overrideLife)
      try session.execute(insert(row))
      return .done(.given(row))
    }
  }

  /// The overrides of `employee`, or everybody's, newest first.
  /// - Throws: `.notFound` for an unknown employee, `.unavailable`, `.broken`.
  public func overrides(of employee: EmployeeID?, limit: Int)
    async throws(OperationError) -> [OverrideRow]
  {
    try await list(of: employee) { (session) throws(PostgresError) in
      try ShiftStore.overrides(of: employee, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// Takes an override back that no shift began by.
  /// - Throws: `.notFound`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func withdrawOverride(_ number: Int32, of employee: EmployeeID)
    async throws(OperationError) -> WithdrawalOutcome
  {
    try await transact { (session) throws(PostgresError) in
      let at = now()
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
      try session.execute(ShiftStore.withdrawOverride(number, of: employee, at: at))
      row.withdrawnAt = at
      return .done(.withdrawn(row))
    }
  }
}
