import GuardRules
import Postgres
import ShiftDomain

// What storing pings needs to know of many employees at once, and how it is kept up to date.

/// An employee's valid devices and shifts. Every change of them increases the version.
package struct Workplace: Hashable, Sendable {
  package var version: Int64
  package var team: TeamID
  /// SHA-256 of the token of each device that is not revoked, by the device's number.
  package var tokenHashes: [Int16: [UInt8]] = [:]
  /// The app from a store that a device was set up for, by the device's number.
  package var storeApps: [Int16: PhoneApp] = [:]
  /// By the device's number.
  package var presences: [Int16: RegionPresence] = [:]
  /// The newest installation of the app on each device that has one, by the device's number.
  package var installations: [Int16: String] = [:]
  /// The shifts that intersect the time from `since` on, in order; an open one ends at its limit.
  package var shifts: [TrackedShift] = []
  package var since: Instant
}

/// Prevents any shift of these employees from ending, moving or pausing, and any take-over, until
/// the transaction ends. Those who hold it do not wait for each other. Advisory locks on few slots,
/// because row locks would be written to disk with every upload.
func holdShifts(of employees: [EmployeeID]) -> SQL {
  // Sorted, so that two uploads with a change between them cannot deadlock.
  let slots = Set(employees.map(slot)).sorted()
  return """
    SELECT pg_advisory_xact_lock_shared(\(uploadLockClass), slot)
    FROM unnest(\(slots)) AS slot
    """
}

/// Waits for uploads that hold the lock on the employee's shifts, and prevents others from taking
/// it until the transaction ends.
/// INVARIANT: a transaction that ends, moves or pauses a shift, or hands it to another device,
/// increases the version of `guard_state`, then calls this, and only then writes. So an upload that
/// saw the earlier version has committed its pings, and the following deletion sees them.
func lockOutUploads(of employee: EmployeeID) -> SQL {
  "SELECT pg_advisory_xact_lock(\(uploadLockClass), \(slot(of: employee)))"
}

/// Distinguishes our locks from other programs' on the same database: "SG".
private let uploadLockClass: Int32 = 0x5347

private func slot(of employee: EmployeeID) -> Int32 { employee.rawValue & 15 }

func selectVersions(of employees: [Int32]) -> SQL {
  "SELECT employee_id, version FROM guard_state WHERE employee_id = ANY (\(employees))"
}

extension Rows {
  consuming func versions() throws(PostgresError) -> [EmployeeID: Int64] {
    var versions: [EmployeeID: Int64] = [:]
    try forEach { (row) throws(PostgresError) in versions[try row.next()] = try row.next() }
    return versions
  }
}

/// Reads the facts about these employees in one round trip; unknown ones are missing.
package func workplaces(
  of employees: [EmployeeID], since: Instant, on session: inout Session
) throws(PostgresError) -> [EmployeeID: Workplace] {
  let numbers = employees.map(\.rawValue)
  var found: [EmployeeID: Workplace] = [:]
  var shifts = TrackedShifts()
  try session.pipeline(
    [selectStates(of: numbers), selectTokens(of: numbers)]
      + selectTrackedShifts(of: numbers, since: since)
  ) { (position, rows) throws(PostgresError) in
    guard position < 2 else { return try shifts.read(rows, of: position - 2) }
    try rows.forEach { (row) throws(PostgresError) in
      let employee: EmployeeID = try row.next()
      if position == 0 {
        found[employee] = Workplace(
          version: try row.next(), team: try row.next(), since: since)
      } else {
        let (device, hash): (Int16, [UInt8]) = (try row.next(), try row.next())
        let installation: String? = try row.next()
        found[employee]?.tokenHashes[device] = hash
        found[employee]?.installations[device] = installation
        found[employee]?.storeApps[device] = try row.next()
        found[employee]?.presences[device] = try RegionPresence(from: &row)
      }
    }
  }
  for (employee, own) in shifts.byEmployee { found[employee]?.shifts = own }
  return found
}

func selectStates(of employees: [Int32]) -> SQL {
  """
  SELECT state.employee_id, state.version, employee.team_id
  FROM guard_state AS state
  JOIN employee ON employee.employee_id = state.employee_id
  WHERE state.employee_id = ANY (\(employees))
  """
}

func selectTokens(of employees: [Int32]) -> SQL {
  """
  SELECT employee_id, device_no, token_hash, installations[1], phone_app, region_crossings,
    left_received_at
  FROM device
  WHERE employee_id = ANY (\(employees)) AND revoked_at IS NULL
  """
}
