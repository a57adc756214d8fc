public import GuardRules
public import Postgres
public import ShiftDomain

// What taking pings needs to know of many employees at once, and how it is kept true meanwhile.

/// Who of an employee's phones may speak, when the employee works, and under which settings. All
/// of it but the settings is as of `version`: whoever changes any of it moves the version on.
public struct Workplace: Hashable, Sendable {
  /// The version of the employee's state that this was read under.
  public var version: Int64
  /// The team's settings in force when this was read.
  public var policy: Policy
  /// Their version.
  public var policyVersion: Int32
  /// SHA-256 of the token of each device that may speak, by the device's number.
  public var tokenHashes: [Int16: [UInt8]] = [:]
  /// The shifts that touch the time from `since` on, in order; an open one ends at its limit.
  public var shifts: [TrackedShift] = []
  /// From when on all shifts are known.
  public var since: Instant
}

/// Lets no shift of these employees end, move or pause until the transaction ends, nor any device
/// take over. Others that hold them do not wait for each other.
///
/// Advisory, on few slots, because the rows' own locks would be written to disk with every upload.
public func holdShifts(of employees: [EmployeeID]) -> SQL {
  // Sorted, so that two uploads cannot wait for each other with a change between them.
  let slots = Set(employees.map(slot)).sorted()
  return """
    SELECT pg_advisory_xact_lock_shared(\(uploadLockClass), slot)
    FROM unnest(\(slots)) AS slot
    """
}

/// Waits for uploads that hold the employee's shifts, and keeps others from holding them until the
/// transaction ends.
///
/// INVARIANT: whoever ends, moves or pauses a shift, or hands it to another device, moves the
/// version of `guard_state` on, then calls this, and only then writes. So an upload that saw the
/// version before has its pings committed, and the deletion that follows sees them.
func keepOutUploads(of employee: EmployeeID) -> SQL {
  "SELECT pg_advisory_xact_lock(\(uploadLockClass), \(slot(of: employee)))"
}

/// Tells our locks from other programs' on the same database: "SG".
private let uploadLockClass: Int32 = 0x5347

private func slot(of employee: EmployeeID) -> Int32 { employee.rawValue & 63 }

/// The versions of these employees' states; unknown ones are missing.
public func selectVersions(of employees: [EmployeeID]) -> SQL {
  """
  SELECT employee_id, version FROM guard_state
  WHERE employee_id = ANY (\(employees.map(\.rawValue)))
  """
}

extension Rows {
  /// The rows of `selectVersions`.
  public borrowing func versions() throws(PostgresError) -> [EmployeeID: Int64] {
    var versions: [EmployeeID: Int64] = [:]
    for row in 0..<count { versions[EmployeeID(try value(row, 0))] = try value(row, 1) }
    return versions
  }
}

/// Reads what is known of these employees in one round trip; unknown ones are missing.
/// - Parameter since: From when on their shifts are wanted.
public func workplaces(
  of employees: [EmployeeID], since: Instant, on session: inout Session
) throws(PostgresError) -> [EmployeeID: Workplace] {
  let numbers = employees.map(\.rawValue)
  var found: [EmployeeID: Workplace] = [:]
  try session.pipeline([
    selectSettings(of: numbers), selectTokens(of: numbers), selectShifts(of: numbers, since: since),
    selectBreaks(of: numbers, since: since), selectTakeOvers(of: numbers, since: since),
  ]) { (position, rows) throws(PostgresError) in
    for row in 0..<rows.count {
      let employee = EmployeeID(try rows.value(row, 0))
      guard position > 0 else {
        found[employee] = Workplace(
          version: try rows.value(row, 1), policy: try rows.policy(row, from: 3),
          policyVersion: try rows.value(row, 2), since: since)
        continue
      }
      switch position {
      case 1: found[employee]?.tokenHashes[try rows.value(row, 1)] = try rows.value(row, 2)
      case 2: try found[employee]?.addShift(rows, row)
      case 3: try found[employee]?.addBreak(rows, row)
      default: try found[employee]?.addTakeOver(rows, row)
      }
    }
  }
  return found
}

extension Workplace {
  fileprivate mutating func addShift(_ rows: borrowing Rows, _ row: Int) throws(PostgresError) {
    let start: Instant = try rows.value(row, 2)
    let end: Instant? = try rows.value(row, 3)
    shifts.append(
      TrackedShift(
        number: try rows.value(row, 1), start: start, end: end ?? start + policy.shiftMax,
        device: try rows.value(row, 4)))
  }

  fileprivate mutating func addBreak(_ rows: borrowing Rows, _ row: Int) throws(PostgresError) {
    let (number, end): (Int32, Instant?) = (try rows.value(row, 1), try rows.value(row, 3))
    guard let index = shifts.firstIndex(where: { $0.number == number }) else { return }
    let pause = Interval(
      from: try rows.value(row, 2), to: end ?? Instant(milliseconds: .max))
    shifts[index].breaks = IntervalSet(shifts[index].breaks.intervals + [pause])
  }

  fileprivate mutating func addTakeOver(_ rows: borrowing Rows, _ row: Int)
    throws(PostgresError)
  {
    let number: Int32 = try rows.value(row, 1)
    guard let index = shifts.firstIndex(where: { $0.number == number }) else { return }
    shifts[index].takeOvers.append(
      TrackingSpan(device: try rows.value(row, 3), since: try rows.value(row, 2)))
  }
}

func selectSettings(of employees: [Int32]) -> SQL {
  """
  SELECT state.employee_id, state.version, policy.version, \(fragment: policyColumns)
  FROM guard_state AS state
  JOIN employee ON employee.employee_id = state.employee_id
  JOIN team ON team.team_id = employee.team_id
  JOIN policy_version AS policy
    ON policy.team_id = team.team_id AND policy.version = team.policy_version
  WHERE state.employee_id = ANY (\(employees))
  """
}

func selectTokens(of employees: [Int32]) -> SQL {
  """
  SELECT employee_id, device_no, token_hash FROM device
  WHERE employee_id = ANY (\(employees)) AND revoked_at IS NULL
  """
}

func selectShifts(of employees: [Int32], since: Instant) -> SQL {
  """
  SELECT employee_id, shift_no, started_at, ended_at, device_no
  FROM shift
  WHERE employee_id = ANY (\(employees))
    AND tstzrange(started_at, ended_at) && tstzrange(\(since), NULL)
  ORDER BY employee_id, started_at
  """
}

func selectBreaks(of employees: [Int32], since: Instant) -> SQL {
  """
  SELECT pause.employee_id, pause.shift_no, pause.started_at, pause.ended_at
  FROM shift
  JOIN shift_break AS pause
    ON pause.employee_id = shift.employee_id AND pause.shift_no = shift.shift_no
  WHERE shift.employee_id = ANY (\(employees))
    AND tstzrange(shift.started_at, shift.ended_at) && tstzrange(\(since), NULL)
  ORDER BY pause.employee_id, pause.started_at
  """
}

func selectTakeOvers(of employees: [Int32], since: Instant) -> SQL {
  """
  SELECT take_over.employee_id, take_over.shift_no, take_over.at, take_over.device_no
  FROM shift
  JOIN take_over
    ON take_over.employee_id = shift.employee_id AND take_over.shift_no = shift.shift_no
  WHERE shift.employee_id = ANY (\(employees))
    AND tstzrange(shift.started_at, shift.ended_at) && tstzrange(\(since), NULL)
  ORDER BY take_over.employee_id, take_over.at
  """
}
