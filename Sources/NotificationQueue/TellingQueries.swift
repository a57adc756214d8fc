public import Postgres
public import ShiftDomain

// What a worker reads about messages that it claimed, in one round trip: tables employee,
// live_stream, push_target, team_contact, webhook, notification_attempt and inbox.

/// What a worker knows of an employee's messages.
public struct TellingRecord: Sendable {
  /// Where the employee, and the managers of their team, are reached.
  public var addresses: Addresses
  /// The tries, in order.
  public var attempts: [Attempt] = []
  /// Of those messages that were delivered to the open app: how that went.
  public var inbox: [NoticeID: InboxState] = [:]
}

/// What is known about `claims`, which are all of `employee`; `nil` for an unknown employee.
/// - Parameters:
///   - device: Whose push target and stream count.
///   - start: Older tries are left out.
public func tellingRecord(
  of employee: EmployeeID, device: Int16?, claims: [Claim], triesSince start: Instant,
  at now: Instant, on session: inout Session
) throws(PostgresError) -> TellingRecord? {
  let addressing = selectAddresses(of: employee, device: device, at: now)
  var addresses: Addresses?
  var attempts: [Attempt] = []
  var inbox: [NoticeID: InboxState] = [:]
  try session.pipeline(
    addressing + [selectAttempts(of: employee, since: start)]
      + claims.map { selectInboxState(of: $0.id) }
  ) { (position, rows) throws(PostgresError) in
    if position < addressing.count {
      try rows.addAddresses(position, to: &addresses)
    } else if position == addressing.count {
      attempts = try rows.attempts(of: employee)
    } else if rows.count > 0 {
      inbox[claims[position - addressing.count - 1].id] = InboxState(
        createdAt: try rows.value(0, 0), writtenAt: try rows.value(0, 1))
    }
  }
  return addresses.map { TellingRecord(addresses: $0, attempts: attempts, inbox: inbox) }
}
