import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Tables sites_in_force and away_span: the sites that a shift's positions are compared with, and
// the times during which all of them were off site. `now` is the clock of deadlines; `nil`: the
// database's own.

/// The sites of a shift, and how far its positions have been compared with them.
package struct SitesInForce: Hashable, Sendable {
  package var shift: ShiftID
  /// Those at its clock-in, without their names.
  package var sites: [Site]
  /// As the policy was that it began under; zero: nobody is away.
  package var awayAfter: TimeSpan
  /// The highest number of a time away.
  package var lastAway: Int16
  package var lookedAt: Instant
}

/// Stores the sites in force at the clock-in of a new or just confirmed shift, if its policy
/// compares with them.
/// - Parameter clockIn: When that was; long ago, the sites may have changed since.
package func noteSitesInForce(
  in shift: ShiftID, from clockIn: Instant, under policy: Policy, at now: Instant
) -> [SQL] {
  guard policy.comparesWithSites else { return [] }
  return [
    insertSitesInForce(
      in: shift, from: clockIn, heldAt: now - clockIn > onlineAgeMax ? clockIn : nil,
      awayAfter: policy.awayAfter, at: now)
  ]
}

/// As `ClockInPlan.sites` chooses them: those of the team that the nearest planned shift names,
/// else all of the team.
/// - Parameter instant: The sites of the team as they were then; `nil`: as they are.
func insertSitesInForce(
  in shift: ShiftID, from clockIn: Instant, heldAt instant: Instant?, awayAfter: TimeSpan,
  at now: Instant
) -> SQL {
  """
  WITH of_team AS (
    SELECT site.*, coalesce(site.site_no = ANY (planned.sites), false) AS is_named
    FROM employee
    CROSS JOIN (SELECT \(clockIn) AS at) AS begun
    JOIN \(fragment: everySite) ON site.team_id = employee.team_id AND \(heldAt: instant)
    LEFT JOIN LATERAL (
      SELECT planned.sites FROM planned_shift AS planned
      WHERE planned.employee_id = employee.employee_id AND \(fragment: nearestPlanOfBegun)
    ) AS planned ON true
    WHERE employee.employee_id = \(shift.employee.rawValue)
  )
  INSERT INTO sites_in_force (
    employee_id, shift_no, looked_at, away_after_ms, site_nos, latitudes_e7, longitudes_e7,
    radii_m)
  SELECT \(shift.employee.rawValue), \(shift.number), \(now), \(awayAfter.column),
    array_agg(site_no ORDER BY site_no), array_agg(latitude_e7 ORDER BY site_no),
    array_agg(longitude_e7 ORDER BY site_no), array_agg(radius_m ORDER BY site_no)
  FROM of_team
  WHERE is_named OR NOT EXISTS (SELECT FROM of_team AS other WHERE other.is_named)
  HAVING count(*) > 0
  ON CONFLICT (employee_id, shift_no) DO UPDATE
  SET away_after_ms = excluded.away_after_ms, site_nos = excluded.site_nos,
    latitudes_e7 = excluded.latitudes_e7, longitudes_e7 = excluded.longitudes_e7,
    radii_m = excluded.radii_m
  """
}

/// Those of the employee's open shift, or of the one whose end is to be confirmed; `nil`: none are
/// stored with it, or there is no such shift.
package func sitesInForce(onShift employee: EmployeeID) -> Query<[Site]?> {
  Query(selectSitesInForce(onShift: employee)) { (rows) throws(PostgresError) in
    try rows.first(SitesInForce.init(from:))?.sites
  }
}

func selectSitesInForce(onShift employee: EmployeeID) -> SQL {
  """
  SELECT \(fragment: SitesInForce.columns)
  FROM guard_state AS state
  JOIN sites_in_force AS kept ON kept.employee_id = state.employee_id
    AND kept.shift_no = coalesce(state.open_shift, state.unconfirmed_shift)
  WHERE state.employee_id = \(employee.rawValue)
  """
}

package func sitesInForce(of shifts: [ShiftID], on session: inout Session)
  throws(PostgresError) -> [ShiftID: SitesInForce]
{
  var found: [ShiftID: SitesInForce] = [:]
  try session.run(selectSitesInForce(of: shifts)).forEach { (row) throws(PostgresError) in
    let kept = try SitesInForce(from: &row)
    found[kept.shift] = kept
  }
  return found
}

func selectSitesInForce(of shifts: [ShiftID]) -> SQL {
  """
  SELECT \(fragment: SitesInForce.columns)
  FROM sites_in_force AS kept
  JOIN \(wanted: shifts)
    ON wanted.employee_id = kept.employee_id AND wanted.shift_no = kept.shift_no
  """
}

/// Employees on shift who may be away, or back, as far as their positions were not compared with
/// the sites: the longest waiting first; `last` ends the previous page.
package func dueAway(
  at now: Instant?, after last: DueEmployee?, limit: Int32, on session: inout Session
) throws(PostgresError) -> [DueEmployee] {
  try session.run(selectDueAway(at: now, after: last, limit: limit)).map(DueEmployee.init(from:))
}

func selectDueAway(at now: Instant?, after last: DueEmployee?, limit: Int32) -> SQL {
  """
  SELECT employee_id, due_at
  FROM (
    SELECT state.employee_id, kept.looked_at + interval '1 min' AS due_at
    \(fragment: changedPositions)
      AND kept.looked_at <= \(statementTime: now) - interval '1 min'
  ) AS changed
  WHERE \(last?.dueAt) IS NULL
    OR (due_at, employee_id) > (\(last?.dueAt), \(last?.employee.rawValue))
  ORDER BY due_at, employee_id
  LIMIT \(limit)
  """
}

/// What is to be compared now for `employee`, and the version of their state; `nil`: nothing.
package func awayToFind(of employee: EmployeeID, at now: Instant, on session: inout Session)
  throws(PostgresError) -> (kept: SitesInForce, version: Int64)?
{
  try session.run(selectAwayToFind(of: employee, at: now)).first { (row) throws(PostgresError) in
    (kept: try SitesInForce(from: &row), version: try row.next())
  }
}

func selectAwayToFind(of employee: EmployeeID, at now: Instant) -> SQL {
  """
  SELECT \(fragment: SitesInForce.columns), state.version
  \(fragment: changedPositions)
    AND kept.looked_at <= \(now - .minutes(1)) AND state.employee_id = \(employee.rawValue)
  """
}

/// The open shifts in which an employee may be away, and something came since the last look by
/// which positions may have come or gone; a contact may be stored some seconds after its positions.
/// A look reads all positions of the shift, so there is one a minute at most.
private let changedPositions: StaticString = """
  FROM guard_state AS state
  JOIN sites_in_force AS kept
    ON kept.employee_id = state.employee_id AND kept.shift_no = state.open_shift
  LEFT JOIN device_contact AS contact
    ON contact.employee_id = state.employee_id AND contact.device_no = state.open_device
  WHERE kept.away_after_ms > 0
    AND (state.version IS DISTINCT FROM kept.looked_version
      OR contact.last_received_at > kept.looked_at - interval '5 s')
  """

/// Notes that the positions were compared; affects no row if another instance was first.
package func noteLook(
  at now: Instant, _ version: Int64, after kept: SitesInForce, lastAway: Int16
) -> SQL {
  """
  UPDATE sites_in_force
  SET looked_at = \(now), looked_version = \(version), last_away = \(lastAway)
  WHERE employee_id = \(kept.shift.employee.rawValue) AND shift_no = \(kept.shift.number)
    AND looked_at = \(kept.lookedAt)
  """
}

/// By start.
package func away(in shifts: [ShiftID], on session: inout Session)
  throws(PostgresError) -> [ShiftID: [AwayRow]]
{
  var found: [ShiftID: [AwayRow]] = [:]
  try session.run(selectAway(in: shifts)).forEach { (row) throws(PostgresError) in
    let shift = try ShiftID(from: &row)
    found[shift, default: []].append(try AwayRow(from: &row))
  }
  return found
}

func selectAway(in shifts: [ShiftID]) -> SQL {
  """
  SELECT away.employee_id, away.shift_no, away_no, started_at, ended_at
  FROM away_span AS away
  JOIN \(wanted: shifts)
    ON wanted.employee_id = away.employee_id AND wanted.shift_no = away.shift_no
  ORDER BY started_at
  """
}

func selectAway(in shift: ShiftID) -> SQL {
  """
  SELECT away_no, started_at, ended_at
  FROM away_span
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  ORDER BY started_at
  """
}

/// Stores the times away of a shift instead of those stored before. Of several, the one that lasts
/// is the last, so that there is never more than one.
package func put(_ rows: [AwayRow], of shift: ShiftID) -> [SQL] {
  let (employee, number) = (shift.employee.rawValue, shift.number)
  return [
    """
    DELETE FROM away_span
    WHERE employee_id = \(employee) AND shift_no = \(number)
      AND away_no <> ALL (\(rows.map(\.number)))
    """,
    """
    INSERT INTO away_span (employee_id, shift_no, away_no, started_at, ended_at)
    SELECT \(employee), \(number), new.*
    FROM unnest(\(rows.map(\.number)), \(rows.map(\.span.start)), \(rows.map(\.span.end)))
      AS new (away_no, started_at, ended_at)
    ORDER BY started_at
    ON CONFLICT (employee_id, shift_no, away_no) DO UPDATE
    SET started_at = excluded.started_at, ended_at = excluded.ended_at
    """,
  ]
}

/// The same for an ended shift, whose numbers go on after `lastAway`.
package func put(_ rows: [AwayRow], of shift: ShiftID, lastAway: Int16) -> [SQL] {
  [
    """
    UPDATE sites_in_force SET last_away = greatest(last_away, \(lastAway))
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    """
  ] + put(rows, of: shift)
}

/// Whether the time away with this number in the shift lasts.
package func isAway(_ number: Int16, in shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> Bool
{
  try session.run(selectIsAway(number, in: shift)).count == 1
}

func selectIsAway(_ number: Int16, in shift: ShiftID) -> SQL {
  """
  SELECT FROM away_span
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    AND away_no = \(number) AND ended_at IS NULL
  """
}

/// Since when those of `employees` who are away are, by their open shifts.
package func awaySince(of employees: [EmployeeID]) -> Query<[EmployeeID: Instant]> {
  guard !employees.isEmpty else { return Query(known: [:]) }
  return Query(selectAwaySince(of: employees)) { (rows) throws(PostgresError) in
    var found: [EmployeeID: Instant] = [:]
    try rows.forEach { (row) throws(PostgresError) in
      let employee: EmployeeID = try row.next()
      found[employee] = try row.next()
    }
    return found
  }
}

func selectAwaySince(of employees: [EmployeeID]) -> SQL {
  """
  SELECT state.employee_id, away.started_at
  FROM guard_state AS state
  JOIN away_span AS away ON away.employee_id = state.employee_id
    AND away.shift_no = state.open_shift AND away.ended_at IS NULL
  WHERE state.employee_id = ANY (\(employees.map(\.rawValue)))
  """
}

/// Deletes times away from before `cutoff`, and the sites of shifts from before it, as the
/// positions are that they were found from.
package func deleteAway(before cutoff: Instant) -> [SQL] {
  [
    "DELETE FROM away_span WHERE started_at < \(cutoff)",
    "DELETE FROM sites_in_force WHERE looked_at < \(cutoff)",
  ]
}

extension SitesInForce {
  fileprivate static let columns: StaticString = """
    kept.employee_id, kept.shift_no, kept.away_after_ms, kept.last_away, kept.looked_at,
    kept.site_nos, kept.latitudes_e7, kept.longitudes_e7, kept.radii_m
    """

  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    shift = try ShiftID(from: &row)
    (awayAfter, lastAway, lookedAt) = (try row.next(), try row.next(), try row.next())
    let numbers: [Int16] = try row.next()
    let (north, east): ([Int32], [Int32]) = (try row.next(), try row.next())
    let radii: [Int32] = try row.next()
    sites = numbers.indices.compactMap { place in
      Coordinate(latitude: Double(north[place]) / 1e7, longitude: Double(east[place]) / 1e7).map {
        Site(number: numbers[place], name: "", center: $0, radiusMeters: radii[place])
      }
    }
  }
}

extension AwayRow {
  init(from row: inout RowReader) throws(PostgresError) {
    self.init(try row.next(), AwaySpan(from: try row.next(), to: try row.next()))
  }
}
