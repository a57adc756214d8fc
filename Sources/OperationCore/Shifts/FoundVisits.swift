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

private let fixesAtOnce: Int32 = 2_000
