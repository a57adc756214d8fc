import Postgres
import ReadModels
import ShiftDomain

// What a worker reads about notifications that it claimed, in one round trip: tables employee,
// live_stream, push_target, team_contact, delivery_attempt and inbox.

/// The facts about employees' notifications, in as many statements for many as for one.
package struct DeliveryReading: Reading {
  package let statements: [SQL]
  private var addressing: AddressReading
  private var attempts: [EmployeeID: [DeliveryAttempt]] = [:]
  /// The states of claimed notifications, and of what was delivered since the employee's start.
  package private(set) var inbox: [NotificationID: InboxState] = [:]
  private let starts: [EmployeeID: Instant]
  private let asked: Set<NotificationID>

  /// - Parameters:
  ///   - claims: By employee.
  ///   - starts: For each of them, from when on attempts are read.
  package init(
    about claims: [EmployeeID: [Claim]], attemptsSince starts: [EmployeeID: Instant],
    at now: Instant
  ) {
    let employees = claims.keys.sorted { $0.rawValue < $1.rawValue }
    let managed = employees.filter { employee in
      claims[employee, default: []].contains { $0.id.topic.reachesManagers }
    }
    let ids = claims.values.joined().map(\.id).filter { $0.topic.audience == .employee }
    let start = starts.values.min() ?? now
    addressing = AddressReading(of: employees, managersOf: managed, at: now)
    (self.starts, asked) = (starts, Set(ids))
    statements =
      addressing.statements + [
        selectDeliveryAttempts(of: employees, since: start),
        selectInboxStates(
          of: employees, since: start, topics: Array(Set(ids.map(\.topic.column))),
          subjects: ids.map(\.subject)),
      ]
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    if position < addressing.statements.count {
      try addressing.add(position, rows)
    } else if position == addressing.statements.count {
      attempts = Dictionary(grouping: try rows.deliveryAttempts(), by: \.id.employee)
    } else {
      try rows.forEach { (row) throws(PostgresError) in
        let employee: EmployeeID = try row.next()
        let notification = try ShiftNotification(from: &row)
        let id = NotificationID(notification, of: employee)
        let state = InboxState(
          kind: notification.kind, createdAt: notification.dueAt, writtenAt: try row.next())
        let isNew = starts[employee].map { state.createdAt >= $0 } ?? false
        if isNew || asked.contains(id) { inbox[id] = state }
      }
    }
  }

  /// Those of the managers only if a claim may reach them; `nil` for an unknown employee.
  package func addresses(of employee: EmployeeID) -> Addresses? { addressing.found[employee] }

  /// In order, since the employee's start.
  package func attempts(of employee: EmployeeID) -> [DeliveryAttempt] {
    attempts[employee, default: []].filter { attempt in
      starts[employee].map { attempt.begunAt >= $0 } ?? false
    }
  }
}
