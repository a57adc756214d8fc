import NotificationQueue
import Postgres
public import ShiftDomain
import ShiftStore

/// Whom there is something to tell about.
public typealias DueNotices = NotificationQueue.DueNotices

/// What there is in the outbox.
public typealias OutboxLoad = NotificationQueue.OutboxLoad

extension Operations {
  /// Whom there is something to tell about, the longest waiting first.
  /// - Parameter start: Only what is due from then on; `nil`: from the beginning.
  /// - Throws: `.unavailable`, `.broken`.
  public func dueNotices(from start: Instant?, limit: Int)
    async throws(OperationError) -> DueNotices
  {
    let moved = deadlines?()
    return try await read { (session) throws(PostgresError) in
      try NotificationQueue.dueNotices(
        from: start, at: moved, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// Decides on all that is due about an employee, or, after sendings, on the messages that these
  /// were of: what is over leaves the outbox, what has to wait waits, and the rest is to be sent by
  /// the caller, who holds it for `messageLease`.
  ///
  /// Any number of callers may try at once: each message is one caller's.
  /// - Parameters:
  ///   - results: Of what the call before asked to send for the same employee; written down first.
  ///   - held: Transports that are not to be used, and for how long.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func tell(
    _ employee: EmployeeID, after results: [SendingResult] = [], held: [Channel: TimeSpan] = [:]
  ) async throws(OperationError) -> [Sending] {
    let moved = deadlines?()
    let (sendings, fillsInbox) = try await transact {
      (session) throws(PostgresError) -> Turn<([Sending], Bool)> in
      var claiming =
        results.isEmpty
        ? Claiming(noticesOf: employee, at: moved, for: messageLease)
        : Claiming(results.messages, of: employee, at: moved)
      let known = try TellingFacts(
        employee, &claiming, after: results.flatMap { $0.completion(at: moved) }, held: held,
        on: &session)
      guard let known else { return .done(([], false)) }
      var turn = TellingTurn(known, holding: results.isEmpty ? nil : messageLease)
      // What is over is told last: what is left may be told by a message of its own.
      let ends = claiming.claims.filter { $0.id.topic == .restored }
      for claim in claiming.claims.filter({ $0.id.topic != .restored }) + ends {
        try turn.decide(claim, on: &session)
      }
      let pace = turn.fillsInbox ? [] : [commitSoon]
      try session.commit(after: turn.statements + pace) { _, _ in }
      return .done((turn.sendings, turn.fillsInbox))
    }
    if fillsInbox { inboxFilled() }
    return sendings
  }

  /// Writes down what became of sendings, and leaves their messages to whoever comes next.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func record(_ results: [SendingResult]) async throws(OperationError) {
    let moved = deadlines?()
    try await transact { (session) throws(PostgresError) in
      let release = results.messages.map { extend($0.id, lease: $0.lease, at: moved) }
      let completion = results.flatMap { $0.completion(at: moved) }
      try session.commit(after: completion + release + [commitSoon]) { _, _ in }
      return .done(())
    }
  }

  /// Holds on to what is being sent.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func hold(_ sendings: [Sending]) async throws(OperationError) {
    let moved = deadlines?()
    try await transact { (session) throws(PostgresError) in
      try session.pipeline(
        sendings.map { extend($0.attempt.id, lease: $0.lease, at: moved, by: messageLease) })
      return .done(())
    }
  }

  /// Puts off what is due about an employee and could not be worked at; what failed too often is a
  /// dead letter.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func setAside(_ employee: EmployeeID, reason: String) async throws(OperationError) {
    let moved = deadlines?()
    try await transact { (session) throws(PostgresError) in
      try session.pipeline([
        NotificationQueue.setAside(noticesOf: employee, at: moved),
        bury(noticesOf: employee, reason: reason, at: moved),
      ])
      return .done(())
    }
  }

  /// What there is in the outbox.
  /// - Throws: `.unavailable`, `.broken`.
  public func outboxLoad() async throws(OperationError) -> OutboxLoad {
    let moved = deadlines?()
    return try await read { (session) throws(PostgresError) in
      try NotificationQueue.outboxLoad(at: moved, on: &session)
    }
  }
}

extension [SendingResult] {
  /// The messages that were sent, each once, in the order of their keys.
  fileprivate var messages: [(id: NoticeID, lease: Int32)] {
    var leases: [NoticeID: Int32] = [:]
    for result in self { leases[result.sending.attempt.id] = result.sending.lease }
    return leases.sorted {
      let (one, other) = ($0.key, $1.key)
      return (one.topic.rawValue, one.subject, one.ordinal)
        < (other.topic.rawValue, other.subject, other.ordinal)
    }.map { (id: $0.key, lease: $0.value) }
  }
}

extension SendingResult {
  /// What became of it, also when the lease was lost meanwhile.
  fileprivate func completion(at moved: Instant?) -> [SQL] {
    var attempt = sending.attempt
    attempt.outcome = outcome
    attempt.reason = reason
    attempt.reference = reference
    var statements = [complete(attempt, retryAfter: retryAfter, at: moved)]
    if outcome == .addressGone, case .push = sending.address {
      let device = DeviceID(employee: attempt.id.employee, number: attempt.recipient)
      statements.append(unregister(pushTargetOf: device, until: goneAt ?? attempt.begunAt))
    }
    return statements
  }
}
