import GuardRules
import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// What the page of a shift shows, all from one moment.
package struct ShiftPage: Hashable, Sendable {
  package var employee: EmployeeAndTeam
  package var details: ShiftDetails
  /// As the time sheet has them.
  package var recorded: RecordedTimes
  /// Visits to sites, by arrival; none without the right to see tracks.
  package var visits: [SiteVisit]
  /// How notifications about the employee can be sent.
  package var ways: NotificationWays?
}

extension InsightOperations {
  package func page(of shift: ShiftID, for principal: Principal)
    async throws(OperationError) -> ShiftPage
  {
    let asOf = core.now()
    let found: ShiftPage? = try await core.readSnapshot { (session) throws(PostgresError) in
      var batch = Batch()
      let one = EmployeeAndTeam.Places(of: shift.employee, in: &batch)
      let ways = batch.append(NotificationQueue.notificationWays(of: [shift.employee]))
      let times = batch.append(recordedTimes(of: shift))
      let places = ShiftDetails.Places(of: shift, in: &batch)
      try session.run(&batch)
      guard let employee = EmployeeAndTeam(batch, one),
        let row = places.history(in: batch).shift.record, let recorded = batch[times]
      else { return nil }
      let showsVisits = row.endedAt != nil && principal.may(.track, of: employee.team.team)
      var rest = Batch()
      let evidence = places.evidence(batch, in: &rest)
      let visits = rest.append(
        showsVisits ? ShiftStore.visits(of: [shift]) : Query(known: [:]))
      session.endSnapshotWithNext()
      try session.run(&rest)
      guard let details = ShiftDetails(batch, places, rest, evidence, asOf: asOf) else {
        return nil
      }
      return ShiftPage(
        employee: employee, details: details, recorded: recorded,
        visits: rest[visits][shift] ?? [], ways: batch[ways][shift.employee])
    }
    guard let found else { throw .shiftNotFound(shift) }
    return found
  }
}
