import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The result of asking for a digest before it is due.
package enum DigestCopyOutcome: Hashable, RefusableAnswer {
  case queued(TeamContact)
  /// A week without a shift has no digest.
  case noShift(TeamID)
  /// A notification belongs to an employee, also when it goes to managers.
  case noEmployee(TeamID)
  case noContact(TeamID)

  package func get() throws(Refusal) -> TeamContact {
    switch self {
    case .queued(let contact): return contact
    case .noShift(let team):
      throw .conflict("no_shift", "team \(team.rawValue) had no shift in that week")
    case .noEmployee(let team):
      throw .conflict(
        "no_employee", "team \(team.rawValue) has no employee, and a digest needs one")
    case .noContact(let team):
      throw .conflict(
        "not_a_contact", "this address is no contact of team \(team.rawValue) by e-mail")
    }
  }
}

extension NotificationOperations {
  /// Sends `digest` to one contact at once, whatever it has chosen. The digest that is due on
  /// Monday is sent as well.
  /// - Parameter number: `nil`: they are no contact.
  package func send(_ digest: TeamDigest, toContact number: Int16?, by principal: Principal)
    async throws(OperationError) -> DigestCopyOutcome
  {
    let team = digest.team
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      guard digest.shifts > 0 else { return .done(.noShift(team)) }
      let known = try NotificationQueue.contacts(of: team, on: &session)
      guard let contact = known.first(where: { $0.number == number }) else {
        return .done(.noContact(team))
      }
      guard let employee = try heldCarrier(of: team, on: &session) else {
        return .done(.noEmployee(team))
      }
      try session.execute(store(digest, isQueued: false))
      let now = try outboxTime(at: fixedNow, on: &session)
      let copy = ShiftNotification.digestCopy(
        try nextDigestCopy(of: employee, on: &session), toContact: contact.number, dueAt: now)
      try session.execute(enqueue(copy, for: employee))
      try audit(
        .digestSent, by: principal, at: at, target: team.rawValue, reason: contact.named,
        on: &session)
      return .queued(.queued(contact))
    }
  }
}
