import GuardRules
import Postgres
import ShiftDomain
import Testing

@testable import ShiftStore

/// The statements about sites and visits.
enum SiteStatements {
  private static let now = Instant(milliseconds: 1_772_438_400_000)
  private static let (team, shift) = (
    TeamID(1), ShiftID(employee: EmployeeID(7), number: 1)
  )

  private static let visit = SiteVisit(site: 1, name: "Depot", arrivedAt: now, lastSeenAt: now)

  static let writes: [(String, SQL)] =
    [
      ("selectSites of a team", selectSites(of: team)),
      ("selectSites of employees", selectSites(of: [shift.employee])),
      ("selectSites of a time", selectSites(of: shift.employee, at: now)),
      ("keepPast", keepPast(1, of: team, at: now)),
      ("deletePastSites", deletePastSites(before: now)),
      ("selectSitesVersions", selectSitesVersions(of: [shift.employee])),
      ("holdSites", holdSites(of: team)),
      ("selectVisits of an employee", selectVisits(of: [shift])),
      ("selectVisits", selectVisits(of: [shift, ShiftID(employee: EmployeeID(8), number: 1)])),
      ("deleteVisits of a shift", deleteVisits(of: shift, from: now, to: nil)),
      ("deleteVisits", deleteVisits(before: now)),
      ("selectPlacedPings", selectPlacedPings(of: shift, after: nil, limit: 1)),
      ("selectActionPlaces", selectActionPlaces(of: shift)),
    ] + put([visit], of: shift).map { ("put visits", $0) } + sites

  private static var sites: [(String, SQL)] {
    guard let center = Coordinate(latitude: 45.3, longitude: 13.7) else { return [] }
    let site = Site(number: 1, name: "Depot", center: center, radiusMeters: 200)
    return update(site, of: team, at: now).map { ("update site", $0) }
      + deleteSite(1, of: team, at: now).map { ("deleteSite", $0) }
      + insert(site, of: team, at: now).map { ("insert site", $0) }
  }
}

@Suite("Visits are deleted") struct SiteVisitLockTests {
  @Test("after the rollup's row is locked, as a rollup does: otherwise the two deadlock")
  func order() throws {
    let shift = ShiftID(employee: EmployeeID(7), number: 1)
    let now = Instant(milliseconds: 1_772_438_400_000)
    for statements in [
      deletePings(of: shift, from: now, to: nil),
      purgeLater(shift, from: now, to: nil, .outsideShift, at: now), erase(shift.employee),
      deleteCoverage(of: [shift]),
    ] {
      let texts = statements.map(\.text)
      let visits = try #require(texts.firstIndex { $0.contains("DELETE FROM site_visit") })
      let rollup = texts.firstIndex {
        $0.contains("DELETE FROM coverage_rollup") || $0 == markDirty(shift).text
      }
      #expect(try #require(rollup) < visits)
    }
  }
}
