import GuardRules
import Postgres
import ShiftDomain

// What storing pings needs to know of many employees at once, and how it is kept up to date.

/// An employee's valid devices and shifts. Every change of them increases the version.
package struct Workplace: Hashable, Sendable {
  package var version: Int64
  package var team: TeamID
  /// Those that are not revoked.
  package var devices: [WorkplaceDevice] = []
  /// The shifts that intersect the time from `since` on, in order; an open one ends at its limit.
  package var shifts: [TrackedShift] = []
  package var since: Instant

  package func device(_ number: Int16) -> WorkplaceDevice? {
    devices.first { $0.number == number }
  }
}

package struct WorkplaceDevice: Hashable, Sendable {
  package var number: Int16
  /// SHA-256 of its token.
  package var tokenHash: [UInt8]
  /// The newest installation of the app; `nil`: it has none.
  package var installation: String?
  /// The app from a store that it was set up for.
  package var storeApp: PhoneApp?
  package var presence: RegionPresence
}

/// Prevents any shift of these employees from ending, moving or pausing, and any take-over, until
/// the transaction ends. Those who hold it do not wait for each other. Advisory locks on few slots,
/// because row locks would be written to disk with every upload.
func holdShifts(of employees: [EmployeeID]) -> SQL {
  if employees.count == 1 {
    return "SELECT pg_advisory_xact_lock_shared(\(uploadLockClass), \(slot(of: employees[0])))"
  }
  let used = employees.reduce(into: 0) { $0 |= 1 << slot(of: $1) }
  // In order, so that two uploads with a change between them cannot deadlock.
  let slots = (0..<slotCount).filter { used & 1 << $0 != 0 }
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

private let slotCount: Int32 = 16

private func slot(of employee: EmployeeID) -> Int32 { employee.rawValue & (slotCount - 1) }

/// By a single number it costs half of what a list costs, on Citus as well.
func selectVersions(of employees: [Int32]) -> SQL {
  "SELECT employee_id, version FROM guard_state WHERE employee_id \(equalsAny: employees)"
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
        let device = try WorkplaceDevice(from: &row)
        found[employee]?.devices.append(device)
      }
    }
  }
  for (employee, own) in shifts.byEmployee { found[employee]?.shifts = own }
  return found
}

extension WorkplaceDevice {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    number = try row.next()
    tokenHash = try row.next()
    installation = try row.next()
    storeApp = try row.next()
    presence = try RegionPresence(from: &row)
  }
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
