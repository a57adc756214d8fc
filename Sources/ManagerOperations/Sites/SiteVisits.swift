import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

// A visit says where somebody was: it needs the right to see tracks. It asks for no purpose,
// because that is always the same: when work was done at a place of work.

extension ManagerOperations {
  /// The visits of a shift, by arrival; none without the right to see tracks. Those of an open
  /// shift are found among its fixes so far; those of an ended one were stored after its end.
  package func siteVisits(of shift: ShiftRow, for principal: Principal)
    async throws(OperationError) -> [SiteVisit]
  {
    let employee = shift.shift.employee
    guard principal.may(.track, of: try await self.employee(employee).team) else { return [] }
    return try await core.read { (session) throws(PostgresError) in
      guard shift.endedAt == nil else {
        return try visits(of: [shift.shift], on: &session)[shift.shift] ?? []
      }
      let sites = try ShiftStore.sites(of: [employee], on: &session)[employee] ?? []
      return try foundVisits(of: shift.shift, to: sites, on: &session)
    }
  }

  /// The stored visits of the ended shifts on these lines, as far as the principal may see tracks
  /// of their teams.
  package func siteVisits(of lines: some Collection<TimeSheetLine>, for principal: Principal)
    async throws(OperationError) -> [ShiftID: [SiteVisit]]
  {
    let shifts = lines.filter { principal.may(.track, of: $0.team) }.flatMap { line in
      line.entries.filter { !$0.times.isPast }.map(\.times.shift)
    }
    guard !shifts.isEmpty else { return [:] }
    return try await core.read { (session) throws(PostgresError) in
      try visits(of: shifts, on: &session)
    }
  }
}

extension SiteVisit {
  /// `Depot 08:02–12:10`, with these times as text. The second is when the phone was last there.
  package func text(_ clock: (Instant) -> String) -> String {
    "\(name) \(clock(arrivedAt))–\(clock(lastSeenAt))"
  }
}
