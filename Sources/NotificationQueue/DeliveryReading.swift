public import Postgres
public import ShiftDomain

// What a worker reads about notifications that it claimed, in one round trip: tables employee,
// live_stream, push_target, team_contact, webhook, delivery_attempt and inbox.

/// The facts about an employee's notifications, read with statements that run in one round trip
/// with others.
public struct DeliveryReading: Sendable {
  /// To be run in order; the results go to `add`.
  public let statements: [SQL]
  /// The addresses of the employee, and of the managers if a claim may reach them; `nil` for an
  /// unknown employee.
  public private(set) var addresses: Addresses?
  /// The attempts, in order.
  public private(set) var attempts: [DeliveryAttempt] = []
  /// The states of notifications delivered to the open app.
  public private(set) var inbox: [NotificationID: InboxState] = [:]
  private let employee: EmployeeID
  private let addressing: Int

  /// Reads the facts about `claims`, which all belong to `employee`.
  /// - Parameter start: Older attempts are left out.
  public init(
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

  /// Takes the result of the statement at `position`.
  public mutating func add(_ position: Int, _ rows: borrowing Rows) throws(PostgresError) {
    if position < addressing {
      try rows.addAddresses(position, to: &addresses)
    } else if position == addressing {
      attempts = try rows.deliveryAttempts(of: employee)
    } else {
      for row in 0..<rows.count {
        let notification = try rows.notification(row, from: 0)
        inbox[NotificationID(notification, of: employee)] = InboxState(
          kind: notification.kind, createdAt: notification.dueAt, writtenAt: try rows.value(row, 6))
      }
    }
  }
}
