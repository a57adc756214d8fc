import Postgres
import ReadModels
import ShiftDomain

// What a worker reads about notifications that it claimed, in one round trip: tables employee,
// live_stream, push_target, team_contact, delivery_attempt and inbox.

/// The facts about an employee's notifications.
package struct DeliveryReading: Reading {
  package let statements: [SQL]
  /// Those of the managers only if a claim may reach them; `nil` for an unknown employee.
  package private(set) var addresses: Addresses?
  package private(set) var attempts: [DeliveryAttempt] = []
  package private(set) var inbox: [NotificationID: InboxState] = [:]
  private let employee: EmployeeID
  private let addressing: Int

  /// `claims` all belong to `employee`; attempts before `start` are left out.
  package init(
    of employee: EmployeeID, claims: [Claim], attemptsSince start: Instant, at now: Instant
  ) {
    self.employee = employee
    let asked = claims.map(\.id).filter { $0.topic.audience == .employee }
    let addresses = selectAddresses(
      of: employee, isForManagers: claims.contains { $0.id.topic.reachesManagers }, at: now)
    addressing = addresses.count
    statements =
      addresses + [
        selectDeliveryAttempts(of: employee, since: start),
        selectInboxStates(of: employee, since: start, and: asked),
      ]
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    if position == 0 {
      addresses = try rows.first(Addresses.init(from:))
    } else if position < addressing {
      try addresses?.add(position, rows)
    } else if position == addressing {
      attempts = try rows.deliveryAttempts(of: employee)
    } else {
      try rows.forEach { (row) throws(PostgresError) in
        let notification = try ShiftNotification(from: &row)
        inbox[NotificationID(notification, of: employee)] = InboxState(
          kind: notification.kind, createdAt: notification.dueAt, writtenAt: try row.next())
      }
    }
  }
}
