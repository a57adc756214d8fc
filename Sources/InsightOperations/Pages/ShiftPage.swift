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
  /// In the order in which they were queued.
  package var notifications: [NotificationEntry]
  /// Visits to sites, by arrival; none without the right to see tracks.
  package var visits: [SiteVisit]
  /// How notifications about the employee can be sent.
  package var ways: NotificationWays?
}

extension InsightOperations {
  /// - Parameter notificationsMax: How many notifications at most, from the oldest on.
  package func page(of shift: ShiftID, for principal: Principal, notificationsMax: Int)
    async throws(OperationError) -> ShiftPage
  {
    let asOf = core.now()
    let found: ShiftPage? = try await core.readSnapshot { (session) throws(PostgresError) in
      var batch = Batch()
      let one = EmployeeAndTeam.Places(of: shift.employee, in: &batch)
      let all = batch.append(NotificationsReading(of: shift.employee, limit: 1_000))
      let ways = batch.append(NotificationQueue.notificationWays(of: [shift.employee]))
      let history = batch.append(HistoryReading(of: shift))
      try session.run(&batch)
      let reading = batch[history]
      guard let employee = EmployeeAndTeam(batch, one), let row = reading.shift.record else {
        return nil
      }
      let rows = batch[all].rows(about: shift, reading.incidents, limit: notificationsMax)
      let showsVisits = row.endedAt != nil && principal.may(.track, of: employee.team.team)
      var rest = Batch()
      let pings = rest.append(reading.pings)
      let attempts = rest.append(rows.attempts)
      let visits = rest.append(
        showsVisits ? ShiftStore.visits(of: [shift]) : Query(known: [:]))
      session.endSnapshotWithNext()
      try session.run(&rest)
      guard let details = ShiftDetails(reading, pings: rest[pings], asOf: asOf) else { return nil }
      return ShiftPage(
        employee: employee, details: details, notifications: rows.entries(rest[attempts]),
        visits: rest[visits][shift] ?? [], ways: batch[ways][shift.employee])
    }
    guard let found else { throw .shiftNotFound(shift) }
    return found
  }
}
