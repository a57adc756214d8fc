import GuardRules
import Postgres
import ShiftDomain

// Tables site, past_site and site_visit.

/// In the order in which they were added.
package func sites(of team: TeamID, on session: inout Session) throws(PostgresError) -> [Site] {
  try session.value(of: sites(of: team))
}

package func sites(of team: TeamID) -> Query<[Site]> {
  Query(selectSites(of: team)) { (rows) throws(PostgresError) in
    try rows.map(Site.init(from:))
  }
}

func selectSites(of team: TeamID) -> SQL {
  "SELECT \(fragment: Site.columns) FROM site WHERE team_id = \(team.rawValue) ORDER BY site_no"
}

/// The sites of these employees' teams.
package func sites(of employees: [EmployeeID], on session: inout Session)
  throws(PostgresError) -> [EmployeeID: [Site]]
{
  var found: [EmployeeID: [Site]] = [:]
  try session.run(selectSites(of: employees)).forEach { (row) throws(PostgresError) in
    let employee: EmployeeID = try row.next()
    found[employee, default: []].append(try Site(from: &row))
  }
  return found
}

/// The sites of the employee's team.
package func sites(of employee: EmployeeID) -> Query<[Site]> {
  Query(selectSites(of: [employee])) { (rows) throws(PostgresError) in
    try rows.map { (row) throws(PostgresError) in
      row.skip(1)
      return try Site(from: &row)
    }
  }
}

/// The sites that the employee's present team had at `instant`.
package func sites(of employee: EmployeeID, at instant: Instant) -> Query<[Site]> {
  Query(selectSites(of: employee, at: instant)) { (rows) throws(PostgresError) in
    try rows.map(Site.init(from:))
  }
}

func selectSites(of employee: EmployeeID, at instant: Instant) -> SQL {
  """
  SELECT \(fragment: Site.columns)
  FROM employee
  JOIN \(fragment: everySite) ON site.team_id = employee.team_id AND \(heldAt: instant)
  WHERE employee.employee_id = \(employee.rawValue)
  ORDER BY site_no
  """
}

extension SQL.Interpolation {
  /// Whether a row of `everySite` held then; `nil`: whether it holds now.
  mutating func appendInterpolation(heldAt instant: Instant?) {
    guard let instant else { return appendLiteral("site.until = 'infinity'") }
    appendLiteral("site.since <= ")
    appendInterpolation(instant)
    appendLiteral(" AND site.until > ")
    appendInterpolation(instant)
  }
}

/// Each site with each time during which it was as the row says.
let everySite: StaticString = """
  (
    SELECT team_id, site_no, name, latitude_e7, longitude_e7, radius_m, since,
      timestamptz 'infinity' AS until
    FROM site
    UNION ALL
    SELECT team_id, site_no, name, latitude_e7, longitude_e7, radius_m, since, until
    FROM past_site
  ) AS site
  """

func selectSites(of employees: [EmployeeID]) -> SQL {
  """
  SELECT employee.employee_id, \(fragment: Site.columns)
  FROM employee
  JOIN site ON site.team_id = employee.team_id
  WHERE employee.employee_id = ANY (\(employees.map(\.rawValue)))
  ORDER BY employee.employee_id, site_no
  """
}

/// What names the version of the sites of each employee's team: another one whenever they change.
package func sitesVersions(of employees: [EmployeeID]) -> Query<[EmployeeID: String]> {
  Query(selectSitesVersions(of: employees)) { (rows) throws(PostgresError) in
    var versions: [EmployeeID: String] = [:]
    try rows.forEach { (row) throws(PostgresError) in versions[try row.next()] = try row.next() }
    return versions
  }
}

func selectSitesVersions(of employees: [EmployeeID]) -> SQL {
  """
  SELECT employee.employee_id, \(fragment: sitesVersion)
  FROM employee
  WHERE employee.employee_id = ANY (\(employees.map(\.rawValue)))
  """
}

/// Of the team of `employee`.
let sitesVersion: StaticString = """
  (SELECT md5(coalesce(string_agg(
      row(site_no, site.name, latitude_e7, longitude_e7, radius_m)::text, ',' ORDER BY site_no),
    ''))
    FROM site WHERE site.team_id = employee.team_id)
  """

/// Locks a team's sites until the transaction ends, so that changes take turns. Affects no row if
/// there is no such team.
package func holdSites(of team: TeamID) -> SQL {
  "UPDATE team SET last_site = last_site WHERE team_id = \(team.rawValue)"
}

/// Adds a site under the team's next number, whatever number it has.
/// INVARIANT: the sites are locked.
package func insert(_ site: Site, of team: TeamID, at now: Instant) -> [SQL] {
  [
    "UPDATE team SET last_site = last_site + 1 WHERE team_id = \(team.rawValue)",
    """
    INSERT INTO site (team_id, site_no, name, latitude_e7, longitude_e7, radius_m, since)
    SELECT team_id, last_site, \(site.name), \(site.center.latitudeE7),
      \(site.center.longitudeE7), \(site.radiusMeters), \(now)
    FROM team WHERE team_id = \(team.rawValue)
    """,
  ]
}

package func update(_ site: Site, of team: TeamID, at now: Instant) -> [SQL] {
  [
    keepPast(site.number, of: team, at: now),
    """
    UPDATE site
    SET name = \(site.name), latitude_e7 = \(site.center.latitudeE7),
      longitude_e7 = \(site.center.longitudeE7), radius_m = \(site.radiusMeters),
      since = greatest(since, \(now))
    WHERE team_id = \(team.rawValue) AND site_no = \(site.number)
    """,
  ]
}

package func deleteSite(_ number: Int16, of team: TeamID, at now: Instant) -> [SQL] {
  [
    keepPast(number, of: team, at: now),
    "DELETE FROM site WHERE team_id = \(team.rawValue) AND site_no = \(number)",
  ]
}

/// Keeps the site as it is up to `now`. A site added or changed later by another instance's clock
/// leaves nothing.
func keepPast(_ number: Int16, of team: TeamID, at now: Instant) -> SQL {
  """
  INSERT INTO past_site (
    team_id, site_no, name, latitude_e7, longitude_e7, radius_m, since, until)
  SELECT team_id, site_no, name, latitude_e7, longitude_e7, radius_m, since, \(now)
  FROM site
  WHERE team_id = \(team.rawValue) AND site_no = \(number) AND since < \(now)
  """
}

/// Deletes what sites were like before `cutoff` only.
package func deletePastSites(before cutoff: Instant) -> SQL {
  "DELETE FROM past_site WHERE until <= \(cutoff)"
}

extension Site {
  fileprivate static let columns: StaticString = """
    site.site_no, site.name, latitude_e7, longitude_e7, radius_m
    """

  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    let (number, name): (Int16, String) = (try row.next(), try row.next())
    // The table has no others.
    guard let center = try Coordinate(from: &row) else {
      preconditionFailure("a stored site is not on earth")
    }
    self.init(number: number, name: name, center: center, radiusMeters: try row.next())
  }
}

/// Stores the visits of an ended shift instead of those stored before.
/// INVARIANT: in the transaction that has just written the shift's rollup, whose row keeps others
/// from writing or sealing it meanwhile.
package func put(_ visits: [SiteVisit], of shift: ShiftID) -> [SQL] {
  let (employee, number) = (shift.employee.rawValue, shift.number)
  let old: SQL = """
    DELETE FROM site_visit WHERE employee_id = \(employee) AND shift_no = \(number)
    """
  guard !visits.isEmpty else { return [old] }
  return [
    old,
    """
    INSERT INTO site_visit (
      employee_id, shift_no, visit_no, site_no, name, arrived_at, last_seen_at, has_left)
    SELECT \(employee), \(number), new.*
    FROM unnest(\(visits.indices.map { Int16($0 + 1) }), \(visits.map(\.site)),
      \(visits.map(\.name)), \(visits.map(\.arrivedAt)), \(visits.map(\.lastSeenAt)),
      \(visits.map(\.hasLeft))) AS new
    """,
  ]
}

/// The stored visits of `shifts` that have ended, by arrival, and possibly those of shifts in
/// between.
package func visits(of shifts: [ShiftID], on session: inout Session)
  throws(PostgresError) -> [ShiftID: [SiteVisit]]
{
  try session.value(of: visits(of: shifts))
}

package func visits(of shifts: [ShiftID]) -> Query<[ShiftID: [SiteVisit]]> {
  Query(selectVisits(of: shifts)) { (rows) throws(PostgresError) in
    var found: [ShiftID: [SiteVisit]] = [:]
    try rows.forEach { (row) throws(PostgresError) in
      let shift = try ShiftID(from: &row)
      found[shift, default: []].append(
        SiteVisit(
          site: try row.next(), name: try row.next(), arrivedAt: try row.next(),
          lastSeenAt: try row.next(), hasLeft: try row.next()))
    }
    return found.mapValues { visits in
      visits.sorted { ($0.arrivedAt, $0.site) < ($1.arrivedAt, $1.site) }
    }
  }
}

/// By ranges of shifts, one for each employee: a month of 500 employees has over 10,000 shifts.
///
/// Only visits within the shift's times as they are now: the version before may correct or reopen a
/// shift, and does not delete visits. Those at its very end are from the clock-out.
func selectVisits(of shifts: [ShiftID]) -> SQL {
  let spans = Dictionary(grouping: shifts, by: \.employee.rawValue)
    .mapValues { $0.map(\.number) }.sorted { $0.key < $1.key }
  let (first, last) = (spans.map { $0.value.min() ?? 0 }, spans.map { $0.value.max() ?? 0 })
  guard spans.count != 1 else {
    return """
      SELECT visit.employee_id, visit.shift_no, site_no, name, arrived_at, last_seen_at, has_left
      FROM site_visit AS visit
      JOIN shift ON shift.employee_id = visit.employee_id AND shift.shift_no = visit.shift_no
        AND arrived_at >= started_at AND last_seen_at <= ended_at
      WHERE visit.employee_id = \(spans[0].key)
        AND visit.shift_no BETWEEN \(first[0]) AND \(last[0])
      """
  }
  return """
    SELECT visit.employee_id, visit.shift_no, site_no, name, arrived_at, last_seen_at, has_left
    FROM unnest(\(spans.map(\.key)), \(first), \(last))
      AS wanted (employee_id, first_no, last_no)
    JOIN site_visit AS visit ON visit.employee_id = wanted.employee_id
      AND visit.shift_no BETWEEN wanted.first_no AND wanted.last_no
    JOIN shift ON shift.employee_id = visit.employee_id AND shift.shift_no = visit.shift_no
      AND arrived_at >= started_at AND last_seen_at <= ended_at
    """
}

/// Deletes the visits of a shift that touch the time from `start` on and before `end`, with its
/// fixes. The shift is rolled up again, which stores what is left of them.
func deleteVisits(of shift: ShiftID, from start: Instant?, to end: Instant?) -> SQL {
  """
  DELETE FROM site_visit
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    AND (\(start) IS NULL OR last_seen_at >= \(start)) AND (\(end) IS NULL OR arrived_at < \(end))
  """
}

/// Deletes visits from before `cutoff`, as pings are.
package func deleteVisits(before cutoff: Instant) -> SQL {
  "DELETE FROM site_visit WHERE last_seen_at < \(cutoff)"
}
