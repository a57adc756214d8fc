import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package struct EmployeeAndTeam: Hashable, Sendable {
  package var row: EmployeeProfile
  package var team: TeamRow
}

/// What the page of an employee shows, all from one moment.
package struct EmployeePage: Hashable, Sendable {
  package var employee: EmployeeAndTeam
  package var check: EmployeeCheck
  package var devices: [DeviceRow]
  /// The newest first.
  package var shifts: [ShiftRow]
  /// Clock actions to be reviewed, the newest first.
  package var waiting: [ClockActionRow]
  /// Clock-in attempts that left the queue and still claim working time.
  package var claimed: [ClockActionRow]
  /// The newest first.
  package var overrides: [OverrideRow]
  /// How notifications about the employee can be sent.
  package var ways: NotificationWays?
}

extension InsightOperations {
  package func employeeAndTeam(_ employee: EmployeeID) async throws(OperationError)
    -> EmployeeAndTeam
  {
    let found = try await core.read { (session) throws(PostgresError) in
      var batch = Batch()
      let places = EmployeeAndTeam.Places(of: employee, in: &batch)
      try session.run(&batch)
      return EmployeeAndTeam(batch, places)
    }
    guard let found else { throw .employeeNotFound(employee) }
    return found
  }

  /// - Parameter shiftsMax: How many shifts at most.
  package func page(of employee: EmployeeID, shiftsMax: Int) async throws(OperationError)
    -> EmployeePage
  {
    let asOf = core.now()
    let found: EmployeePage? = try await core.readSnapshot { (session) throws(PostgresError) in
      var batch = Batch()
      let check = CheckPlaces(of: employee, at: asOf, in: &batch)
      let shifts = batch.append(
        ShiftStore.shifts(of: employee, openOnly: false, limit: Int32(clamping: shiftsMax)))
      let waiting = batch.append(
        ShiftStore.clockActions(of: employee, awaitingOnly: true, limit: 100, now: asOf))
      let newest = batch.append(
        ShiftStore.clockActions(of: employee, awaitingOnly: false, limit: 50, now: asOf))
      let overrides = batch.append(ShiftStore.overrides(of: employee, limit: 5))
      let ways = batch.append(NotificationQueue.notificationWays(of: [employee]))
      try session.run(&batch)
      guard let facts = try CheckFacts(batch, check, on: &session) else { return nil }
      return EmployeePage(
        employee: facts.employee, check: EmployeeCheck(facts, asOf: asOf), devices: facts.devices,
        shifts: batch[shifts], waiting: batch[waiting],
        claimed: batch[newest].filter { $0.claimed != nil && !$0.needsReview && $0.isOvertaken },
        overrides: batch[overrides], ways: batch[ways][employee])
    }
    guard let found else { throw .employeeNotFound(employee) }
    return found
  }
}

extension EmployeeAndTeam {
  struct Places {
    fileprivate let rows: Batch.Place<Query<[EmployeeProfile]>>
    fileprivate let teams: Batch.Place<Query<[TeamRow]>>

    init(of employee: EmployeeID, in batch: inout Batch) {
      rows = batch.append(employeeProfiles([employee]))
      teams = batch.append(ShiftStore.teams(of: employee))
    }
  }

  /// `nil` if the employee does not exist.
  init?(_ batch: Batch, _ places: Places) {
    guard let row = batch[places.rows].first, let team = batch[places.teams].first else {
      return nil
    }
    self.init(row: row, team: team)
  }
}
