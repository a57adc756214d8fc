import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension InsightOperations {
  /// Newest first.
  /// - Parameter limit: From 1.
  package func shiftPage(_ filter: ListFilter, limit: Int)
    async throws(OperationError) -> ListPage<ShiftRow>
  {
    let records = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.shifts(filter, limit: Int32(clamping: limit + 1), on: &session)
    }
    return ListPage(records, limit: limit)
  }

  /// Newest first.
  /// - Parameter limit: From 1.
  package func incidentPage(_ filter: ListFilter, limit: Int)
    async throws(OperationError) -> ListPage<IncidentRow>
  {
    let records = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.incidents(filter, limit: Int32(clamping: limit + 1), on: &session)
    }
    return ListPage(records, limit: limit)
  }

  package func incidentDetails(of incident: IncidentID)
    async throws(OperationError) -> IncidentDetails
  {
    let row = try await self.incident(incident)
    return try await core.readSnapshot { (session) throws(PostgresError) in
      let episode = row.episodeID
      let deliveries =
        try session.value(of: incidentDeliveries(of: [episode], since: row.recordedAt))[episode]
        ?? []
      let isUndelivered = deliveries.isEmpty && row.closedAt == nil
      return IncidentDetails(
        row: row, deliveries: deliveries,
        undelivered: try session.value(
          of: NotificationQueue.undelivered(
            of: isUndelivered ? [episode] : [], since: row.recordedAt))[episode],
        notifications: try NotificationQueue.notifications(
          about: episode, since: row.recordedAt, on: &session))
    }
  }
}
