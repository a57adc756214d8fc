import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table guard_state, and everything that is read together with it before a decision.

/// The facts about an employee before a decision.
package struct EmployeeRecord: Hashable, Sendable {
  package var employee: EmployeeID
  package var name: String
  package var teamName: String
  package var timeZone: String
  /// The version that a write must still find.
  package var version: Int64
  package var state: GuardState
  package var policy: Policy
  package var policyVersion: Int32
  /// The number of the newest override; 0 before the first.
  package var lastOverride: Int32
  /// The number of the newest clock action; 0 before the first.
  package var lastClockAction: Int32
  /// How far the clock of deadlines is ahead of the database's, by which they are stored.
  package var clockAhead = TimeSpan.zero
}

package struct DecisionInputs: Hashable, Sendable {
  package var employee: EmployeeRecord
  package var device: DeviceRow
  /// SHA-256 of the device token's secret. Not in `DeviceRow`, which managers are shown.
  package var tokenHash: [UInt8]
}

/// Reads what a decision about `device` needs, in one round trip; `nil` if the device does not
/// exist.
package func gather(_ device: DeviceID, on session: inout Session) throws(PostgresError)
  -> DecisionInputs?
{
  var reading = DecisionReading(about: [device])
  try session.run(&reading)
  return reading[device]
}

package func gather(_ employee: EmployeeID, on session: inout Session) throws(PostgresError)
  -> EmployeeRecord?
{
  var reading = EmployeeReading(of: [employee])
  try session.run(&reading)
  return reading[employee]
}

/// Reads what decisions about devices need, in as many statements for many as for one. It comes
/// first in its transaction, whose statements are planned once per connection: by default Postgres
/// plans those over weeks of pings for each request, which takes ten times as long as they do.
package struct DecisionReading: Reading {
  package let statements: [SQL]
  private var employees: EmployeeReading
  private var devices: [DeviceID: (row: DeviceRow, tokenHash: [UInt8])] = [:]
  private var earlierReports: [DeviceID: [ReceivedReport]] = [:]

  /// Reads `devices` and their employees.
  package init(about devices: [DeviceID]) {
    let owners = devices.map(\.employee)
    employees = EmployeeReading(of: owners)
    let ofDevices = [selectDevicesWithTokenHash(devices), selectEarlierReports(of: owners)]
    statements = [planning(once: true)] + employees.statements + ofDevices
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    if position == 0 { return }
    if position <= employees.statements.count {
      try employees.add(position - 1, rows)
    } else if position == statements.count - 1 {
      earlierReports = try rows.earlierReports()
    } else {
      try rows.forEach { (row) throws(PostgresError) in
        let found = try DeviceRow(from: &row)
        devices[found.device] = (found, try row.next())
      }
    }
  }

  /// `nil` if the device does not exist.
  package subscript(device: DeviceID) -> DecisionInputs? {
    guard let employee = employees[device.employee], var found = devices[device] else {
      return nil
    }
    found.row.earlierReports = earlierReports[device] ?? []
    return DecisionInputs(employee: employee, device: found.row, tokenHash: found.tokenHash)
  }
}

/// Reads employees, in as many statements for many as for one.
///
/// INVARIANT: `guard_state` is read first. What is read after it can only be newer, and then the
/// version has increased and the following write fails.
package struct EmployeeReading: Reading, Sendable {
  package let statements: [SQL]
  private var records: [EmployeeID: EmployeeRecord] = [:]

  package init(of employees: [EmployeeID]) {
    statements = [selectGuardState(of: employees), selectOpenIncidents(of: employees)]
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    try rows.forEach { (row) throws(PostgresError) in
      if position == 0 {
        let record = try EmployeeRecord(from: &row)
        records[record.employee] = record
      } else {
        let employee: EmployeeID = try row.next()
        records[employee]?.state.incidents.append(try OpenIncident(from: &row))
      }
    }
  }

  /// `nil` if the employee does not exist.
  package subscript(employee: EmployeeID) -> EmployeeRecord? { records[employee] }
}

/// The devices that track the open shifts of `employees`.
package func trackingDevices(of employees: [EmployeeID], on session: inout Session)
  throws(PostgresError) -> [EmployeeID: DeviceID]
{
  let devices = try session.run(selectTrackingDevices(of: employees)).map(DeviceID.init(from:))
  return Dictionary(devices.map { ($0.employee, $0) }, uniquingKeysWith: { $1 })
}

func selectTrackingDevices(of employees: [EmployeeID]) -> SQL {
  """
  SELECT employee_id, open_device FROM guard_state
  WHERE employee_id = ANY (\(employees.map(\.rawValue))) AND open_device IS NOT NULL
  """
}

private let nearestPlanOfOpenShift = nearestPlan(ofClockInAt: "state.opened_at")

func selectGuardState(of employees: [EmployeeID]) -> SQL {
  // A single employee is named in the inner query too: from a column Citus would not see that one
  // node has all.
  let numbers = employees.map(\.rawValue)
  return """
    SELECT state.employee_id, employee.name, team.name, team.time_zone, state.version,
      state.last_shift, state.last_incident, state.unconfirmed_shift,
      state.unconfirmed_started_at, state.unconfirmed_ended_at,
      state.open_shift, state.open_device, state.opened_at, shift.shift_max_ms, shift.break_max_ms,
      \(fragment: PermissionReport.columns), \(fragment: KnownState.columns),
      state.break_no, state.break_started_at, state.break_ended_at, state.break_asked,
      state.taken_over_at, state.reminded, state.flicker_earlier_at, state.flicker_newest_at,
      state.flicker_notified_at, \(fragment: AcceptedKinds.columns), \(state: AcceptedKinds.better),
      \(fragment: NotifiedKinds.columns), \(state: NotifiedKinds.alarmed),
      CASE WHEN state.open_shift IS NOT NULL THEN (
        SELECT planned.ends_at FROM planned_shift AS planned
        WHERE planned.employee_id = \("state.employee_id", orOnly: numbers)
          AND \(fragment: nearestPlanOfOpenShift)) END,
      state.unlocatable_since, state.locatable_since, shift.asked_from, shift.opened_by,
      shift.confirm_by,
      \(fragment: ReportMarks.columns),
      \(fragment: Policy.columns), policy.version, state.last_override, state.last_action
    FROM guard_state AS state
    JOIN employee ON employee.employee_id = state.employee_id
    JOIN team ON team.team_id = employee.team_id
    JOIN policy_version AS policy
      ON policy.team_id = team.team_id AND policy.version = team.policy_version
    LEFT JOIN permission_report AS report
      ON report.employee_id = state.employee_id AND report.report_id = state.report_id
    LEFT JOIN shift
      ON shift.employee_id = state.employee_id AND shift.shift_no = state.open_shift
    WHERE state.employee_id \(equalsAny: numbers)
    """
}

extension EmployeeRecord {
  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      employee: try row.next(), name: try row.next(), teamName: try row.next(),
      timeZone: try row.next(), version: try row.next(), state: try GuardState(from: &row),
      policy: try Policy(from: &row), policyVersion: try row.next(),
      lastOverride: try row.next(), lastClockAction: try row.next())
  }
}

extension GuardState {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      lastShift: try row.next(), lastIncident: try row.next(),
      unconfirmed: try EndedShift(from: &row))
    shift = try OpenShift(from: &row)
  }
}

extension EndedShift {
  fileprivate init?(from row: inout RowReader) throws(PostgresError) {
    guard let number: Int32 = try row.next() else {
      row.skip(2)
      return nil
    }
    self.init(number: number, startedAt: try row.next(), endedAt: try row.next())
  }
}

extension OpenShift {
  fileprivate init?(from row: inout RowReader) throws(PostgresError) {
    guard let number: Int32 = try row.next() else {
      row.skip(
        19 + PermissionReport.columnCount + KnownState.columnCount + AcceptedKinds.columnCount
          + NotifiedKinds.columnCount + ReportMarks.columnCount)
      return nil
    }
    self.init(
      number: number, device: try row.next(), startedAt: try row.next(),
      shiftMax: try row.next(), breakMax: try row.next(),
      report: try PermissionReport(from: &row), known: try KnownState(from: &row),
      latestBreak: try ShiftBreak(latestFrom: &row), takenOverAt: try row.next(),
      isReminded: try row.next(),
      flickers: FlickerBurst(
        earlierAt: try row.next(), newestAt: try row.next(), notifiedAt: try row.next()),
      accepted: try AcceptedKinds(from: &row), notified: try NotifiedKinds(from: &row),
      plannedEnd: try row.next(), unlocatableSince: try row.next(),
      locatableSince: try row.next(), askedFrom: try row.next(), openedBy: try row.next(),
      confirmBy: try row.next())
    reportMarks = try ReportMarks(from: &row)
  }
}

extension ShiftBreak {
  fileprivate init?(latestFrom row: inout RowReader) throws(PostgresError) {
    guard let number: Int16 = try row.next() else {
      row.skip(3)
      return nil
    }
    self.init(
      number: number, startedAt: try row.next(), endedAt: try row.next(),
      isAsked: try row.next())
  }
}

package func insertGuardState(of employee: EmployeeID) -> SQL {
  "INSERT INTO guard_state (employee_id) VALUES (\(employee.rawValue))"
}

/// Increases the version, for changes outside the state that caches must not miss. Until the
/// transaction ends, others who write about the employee wait.
/// - Returns: `false` for an employee who does not exist, perhaps erased a moment ago: then nothing
///   may be written about them.
package func bumpVersion(of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> Bool
{
  try session.execute(bumpVersion(of: employee)) == 1
}

func bumpVersion(of employee: EmployeeID) -> SQL {
  "UPDATE guard_state SET version = version + 1 WHERE employee_id = \(employee.rawValue)"
}

/// Lets one transaction at a time write about the employee, until it ends, where no cache has to
/// learn of it. What is read afterwards still holds at the end, and a number that is the highest
/// plus one is nobody else's.
/// - Returns: `false` for an employee who does not exist, perhaps erased a moment ago.
package func hold(_ employee: EmployeeID, on session: inout Session) throws(PostgresError) -> Bool {
  try session.execute(hold(employee)) == 1
}

func hold(_ employee: EmployeeID) -> SQL {
  "SELECT FROM guard_state WHERE employee_id = \(employee.rawValue) FOR NO KEY UPDATE"
}

/// Prevents the employee's erasure until the transaction ends. No row: unknown or erased.
package func lockAgainstErasure(of employee: EmployeeID) -> SQL {
  "SELECT FROM guard_state WHERE employee_id = \(employee.rawValue) FOR SHARE"
}

/// The same for many employees at once, without making their reports wait.
package func holdAgainstErasure(of employee: EmployeeID) -> SQL {
  "SELECT FROM guard_state WHERE employee_id = \(employee.rawValue) FOR KEY SHARE"
}

/// Takes the next device number and increases the version. No row: unknown, or all 32,767 used.
func takeDeviceNumber(of employee: EmployeeID) -> SQL {
  """
  UPDATE guard_state SET version = version + 1, last_device = last_device + 1::smallint
  WHERE employee_id = \(employee.rawValue) AND last_device < 32767
  RETURNING last_device
  """
}
