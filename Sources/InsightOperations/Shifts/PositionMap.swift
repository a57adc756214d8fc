import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The last positions of the employees on shift. Only `openMap` returns it, after each view of an
/// employee is recorded.
package struct PositionMap: Hashable, Sendable {
  package let asOf: Instant
  /// By team and number.
  package let employees: [EmployeeOnShift]
}

/// How long a view of the map may be refreshed. It is recorded when it begins, so it must end.
package let mapViewMax = TimeSpan.hours(1)

extension InsightOperations {
  /// The employees on shift in the teams whose tracks `principal` may see. For each, an audit entry
  /// with the purpose is committed before anything is returned.
  /// - Parameters:
  ///   - team: Only this one; `nil`: all of theirs.
  ///   - purpose: 1…500 characters, which the employees can read.
  ///   - opened: When the view began that this refreshes; `nil`: it begins now. A shift that this
  ///     view has shown gets no further entry.
  /// - Throws: `.notFound` for a team that is not there, or not theirs to see, and for a view that
  ///   began more than `mapViewMax` ago; `.invalid` without a purpose.
  package func openMap(
    of team: TeamID?, by principal: Principal, purpose: String, since opened: Instant? = nil
  ) async throws(OperationError) -> PositionMap {
    let at = core.now()
    if let opened, opened > at || at - opened > mapViewMax {
      throw .notFound("view of the map since \(opened.rfc3339)")
    }
    try principal.actor.check(reason: purpose)
    let scope = principal.scope(.track).narrowed(to: team)
    return try await core.transact { (session) throws(PostgresError) in
      if let team, try teamDays(in: scope, on: &session).isEmpty {
        return .refused(.notFound("team \(team.rawValue)"))
      }
      let found = try ShiftStore.employeesOnShift(in: scope, on: &session)
      var recorded: Set<ShiftID> = []
      if let opened {
        recorded = try shiftsOnMap(
          of: found.map(\.shift.employee), since: opened, by: principal.actor.name,
          principal.account, for: purpose, on: &session)
      }
      let fresh = found.filter { !recorded.contains($0.shift) }
      let stored = try hold(fresh.map(\.shift.employee), on: &session)
      try session.pipeline(
        fresh.filter { stored.contains($0.shift.employee) }.map { row in
          auditEntry(
            .mapViewed, by: principal, at: at, about: row.shift.employee, in: row.team,
            shift: row.shift.number, span: Interval(from: min(row.startedAt, at), to: at),
            reason: purpose)
        })
      let employees = found.filter {
        recorded.contains($0.shift) || stored.contains($0.shift.employee)
      }
      return .done(PositionMap(asOf: at, employees: employees))
    }
  }
}

/// Those of `employees` who have not been erased meanwhile; they cannot be erased until the entries
/// about them are committed.
private func hold(_ employees: [EmployeeID], on session: inout Session) throws(PostgresError)
  -> Set<EmployeeID>
{
  let sorted = employees.sorted()
  var held: Set<EmployeeID> = []
  try session.pipeline(sorted.map { holdAgainstErasure(of: $0) }) {
    (position, rows) throws(PostgresError) in
    if rows.count == 1 { held.insert(sorted[position]) }
  }
  return held
}
