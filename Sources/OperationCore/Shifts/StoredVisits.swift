import GuardRules
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// A shift's visits to `sites`, from its stored fixes, as far as they count.
package func foundVisits(of shift: ShiftID, to sites: [Site], on session: inout Session)
  throws(PostgresError) -> [SiteVisit]
{
  guard !sites.isEmpty else { return [] }
  var visits = SiteVisits(to: sites)
  var last: TrackFix?
  repeat {
    let fixes = try trackFixes(of: shift, after: last, limit: fixesAtOnce, on: &session)
    for fix in fixes { visits.add(fix.fix, at: fix.at, isMock: fix.isMock) }
    last = fixes.count == Int(fixesAtOnce) ? fixes.last : nil
  } while last != nil
  return visits.found
}

extension OperationCore {
  /// The visits of a shift to sites of the employee's team, by arrival. Those of an open shift are
  /// found among its fixes so far; those of an ended one were stored after its end.
  package func siteVisits(of shift: ShiftRow) async throws(OperationError) -> [SiteVisit] {
    try await read { (session) throws(PostgresError) in
      let (id, employee) = (shift.shift, shift.shift.employee)
      guard shift.endedAt == nil else { return try visits(of: [id], on: &session)[id] ?? [] }
      let sites = try sites(of: [employee], on: &session)[employee] ?? []
      return try foundVisits(of: id, to: sites, on: &session)
    }
  }
}

private let fixesAtOnce: Int32 = 2_000
