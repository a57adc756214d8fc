import NotificationQueue
import Postgres
public import ShiftDomain
public import ShiftStore

/// A place in a list.
public typealias ListPlace = ShiftStore.ListPlace

/// What of a list is asked for.
public typealias ListFilter = ShiftStore.ListFilter

/// A message about an incident, with each try to deliver it.
public typealias MessageRow = NotificationQueue.MessageRow

/// One page of a list.
public struct ListPage<Row: Hashable & Sendable>: Hashable, Sendable {
  /// In the list's order.
  public var rows: [Row]
  /// Where the next page begins; `nil`: this was the last.
  public var next: ListPlace?
}

/// An incident with all that was told of it.
public struct IncidentStory: Hashable, Sendable {
  /// The incident.
  public var row: IncidentRow
  /// How those concerned were told, in order.
  public var told: [Told]
  /// Why nobody was told; `nil` when somebody was, or nobody is to be.
  public var undelivered: Undelivered?
  /// The messages about it, in the order in which they were queued.
  public var messages: [MessageRow]
}

extension Operations {
  /// A page of shifts, newest first.
  /// - Parameter limit: So many at most, from 1.
  /// - Throws: `.unavailable`, `.broken`.
  public func shiftPage(_ filter: ListFilter, limit: Int)
    async throws(OperationError) -> ListPage<ShiftRow>
  {
    let records = try await read { (session) throws(PostgresError) in
      try ShiftStore.shifts(filter, limit: Int32(clamping: limit + 1), on: &session)
    }
    let rows = records.prefix(limit).map { ShiftRow($0) }
    return ListPage(
      rows: rows,
      next: records.count <= limit
        ? nil
        : rows.last.map {
          ListPlace(at: $0.startedAt, employee: $0.shift.employee, number: $0.shift.number)
        })
  }

  /// A page of incidents, newest first.
  /// - Parameter limit: So many at most, from 1.
  /// - Throws: `.unavailable`, `.broken`.
  public func incidentPage(_ filter: ListFilter, limit: Int)
    async throws(OperationError) -> ListPage<IncidentRow>
  {
    let records = try await read { (session) throws(PostgresError) in
      try ShiftStore.incidents(filter, limit: Int32(clamping: limit + 1), on: &session)
    }
    let rows = Array(records.prefix(limit))
    return ListPage(
      rows: rows,
      next: records.count <= limit
        ? nil
        : rows.last.map {
          ListPlace(at: $0.recordedAt, employee: $0.incident.employee, number: $0.incident.number)
        })
  }

  /// An incident with its messages, and each try to deliver them.
  /// - Throws: `.notFound`, `.unavailable`, `.broken`.
  public func incidentStory(of incident: IncidentID)
    async throws(OperationError) -> IncidentStory
  {
    let row = try await self.incident(incident)
    return try await read { (session) throws(PostgresError) in
      let told = try tellings(of: [incident], since: row.recordedAt, on: &session)[incident] ?? []
      let isUntold = told.isEmpty && row.closedAt == nil
      return IncidentStory(
        row: row, told: told,
        undelivered: try NotificationQueue.undelivered(
          of: isUntold ? [incident] : [], since: row.recordedAt, on: &session)[incident],
        messages: try NotificationQueue.messages(
          about: incident, since: row.recordedAt, on: &session))
    }
  }
}
