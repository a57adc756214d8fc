import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

// A visit says where somebody was: it needs the right to see tracks. It asks for no purpose,
// because that is always the same: when work was done at a place of work. Visits of open shifts
// would be live whereabouts: nobody sees them.

extension InsightOperations {
  /// The visits of a shift that has ended, by arrival; none without the right to see tracks.
  package func siteVisits(of shift: ShiftRow, for principal: Principal)
    async throws(OperationError) -> [SiteVisit]
  {
    let team = try await core.team(of: shift.shift.employee)
    return principal.may(.track, of: team) ? try await core.siteVisits(of: shift) : []
  }

  /// The stored visits of the ended shifts on these lines, as far as the principal may see tracks
  /// of their teams.
  package func siteVisits(of lines: some Collection<TimeSheetLine>, for principal: Principal)
    async throws(OperationError) -> [ShiftID: [SiteVisit]]
  {
    let shifts = lines.filter { principal.may(.track, of: $0.team) }.flatMap { line in
      line.entries.filter { !$0.times.isPast && $0.times.endedAt != nil }.map(\.times.shift)
    }
    guard !shifts.isEmpty else { return [:] }
    return try await core.read { (session) throws(PostgresError) in
      try visits(of: shifts, on: &session)
    }
  }
}

extension SiteVisit {
  /// `Depot 08:02, last seen 12:10`, with these times as text.
  package func text(_ clock: (Instant) -> String) -> String {
    "\(name) \(clock(arrivedAt)), last seen \(clock(lastSeenAt))"
  }
}
