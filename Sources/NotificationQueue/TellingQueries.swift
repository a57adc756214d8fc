public import Postgres
public import ShiftDomain

// What a worker reads about messages that it claimed, in one round trip: tables employee,
// live_stream, push_target, team_contact, webhook, notification_attempt and inbox.

/// What a worker knows of an employee's messages, read by statements that run in one round trip
/// with others.
public struct TellingReading: Sendable {
  /// To run in order; what they found goes to `add`.
  public let statements: [SQL]
  /// Where the employee, and the managers whom a claim may reach, are; `nil` for an unknown
  /// employee.
  public private(set) var addresses: Addresses?
  /// The tries, in order.
  public private(set) var attempts: [Attempt] = []
  /// How messages went that were delivered to the open app.
  public private(set) var inbox: [NoticeID: InboxState] = [:]
  private let employee: EmployeeID
  private let addressing: Int

  /// Reads what is known about `claims`, which are all of `employee`.
  /// - Parameter start: Older tries are left out.
  public init(
    of employee: EmployeeID, claims: [Claim], triesSince start: Instant, at now: Instant
  ) {
    self.employee = employee
    let asked = claims.map(\.id).filter { $0.topic.audience == .employee }
    let addresses = selectAddresses(
      of: employee, isForManagers: claims.contains { $0.id.topic.reachesManagers }, at: now)
    addressing = addresses.count
    statements =
      addresses + [
        selectAttempts(of: employee, since: start),
        selectInboxStates(of: employee, since: start, and: asked),
      ]
  }

  /// Takes in what the statement at `position` found.
  public mutating func add(_ position: Int, _ rows: borrowing Rows) throws(PostgresError) {
    if position < addressing {
      try rows.addAddresses(position, to: &addresses)
    } else if position == addressing {
      attempts = try rows.attempts(of: employee)
    } else {
      for row in 0..<rows.count {
        let notice = try rows.notice(row, from: 0)
        inbox[NoticeID(notice, of: employee)] = InboxState(
          kind: notice.kind, createdAt: notice.dueAt, writtenAt: try rows.value(row, 6))
      }
    }
  }
}
