import GuardRules
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// The longest waiting first.
  /// - Parameters:
  ///   - start: Only those due from then on; `nil`: from the beginning.
  ///   - horizon: How far ahead to look for the next one.
  package func dueNotifications(
    from start: Instant?, limit: Int, within horizon: TimeSpan = .seconds(1)
  ) async throws(OperationError) -> DueNotifications {
    let fixedNow = core.deadlines?()
    return try await core.read { (session) throws(PostgresError) in
      try NotificationQueue.dueNotifications(
        from: start, at: fixedNow, limit: Int32(clamping: limit), within: horizon, on: &session)
    }
  }

  /// Decides, for each employee of `turns`, on all due notifications or, after delivery attempts,
  /// on the notifications of those attempts: finished ones leave the outbox, some are postponed,
  /// and the rest is returned for delivery and leased to the caller for `notificationLease`. All in
  /// one transaction.
  ///
  /// Any number of callers may call this at once: each notification is leased to one.
  /// - Parameter held: Channels that must not be used, and until when.
  /// - Returns: In the order of `turns`. Only if there are several, `.alone` is among them.
  package func decideDeliveries(_ turns: [DeliveryTurn], held: [Channel: TimeSpan] = [:])
    async throws(OperationError) -> [TurnDecision]
  {
    let fixedNow = core.deadlines?()
    let round = turns.firstOfEachEmployee
    let (found, fillsInbox) = try await core.transact {
      (session) throws(PostgresError)
        -> TransactionResult<([EmployeeID: TurnDecision], Bool)> in
      var claiming = Claiming(
        round.map { ($0.employee, $0.leased) }, at: fixedNow, for: notificationLease)
      let known = try DeliveryFacts.read(
        &claiming,
        after: [planning(once: true)]
          + round.flatMap(\.results).flatMap { $0.completion(at: fixedNow) },
        held: held, silences: massSilence, at: fixedNow, on: &session)
      var statements: [SQL] = []
      var (decisions, fillsInbox): ([EmployeeID: TurnDecision], Bool) = ([:], false)
      for turn in round {
        guard let facts = known[turn.employee] else { continue }
        let claims = claiming.claims[turn.employee, default: []]
        var deciding = DeliveryRound(
          facts, holding: turn.leased == nil ? nil : notificationLease, isAlone: round.count == 1)
        for claim in claims.inOrderOfDecision where !deciding.needsOwnTransaction {
          try deciding.decide(claim, on: &session)
        }
        guard !deciding.needsOwnTransaction else {
          decisions[turn.employee] = .alone(turn.continued(with: claims))
          continue
        }
        decisions[turn.employee] = .send(deciding.sendings)
        statements += deciding.statements
        fillsInbox = fillsInbox || deciding.fillsInbox
      }
      try session.commit(after: statements + (fillsInbox ? [] : [commitSoon])) { _, _ in }
      return .done((decisions, fillsInbox))
    }
    if fillsInbox { inboxFilled() }
    var decisions = found
    for turn in round where decisions[turn.employee] == nil { decisions[turn.employee] = .send([]) }
    return turns.map { decisions.removeValue(forKey: $0.employee) ?? .alone($0) }
  }

  /// Stores delivery results, and releases their notifications for the next worker.
  package func record(_ results: [SendingResult]) async throws(OperationError) {
    let fixedNow = core.deadlines?()
    try await core.transact { (session) throws(PostgresError) in
      let release = results.leased.map { extend($0.id, lease: $0.lease, at: fixedNow) }
      let completion = results.flatMap { $0.completion(at: fixedNow) }
      try session.commit(after: completion + release + [commitSoon]) { _, _ in }
      return .done(())
    }
  }

  /// Releases what a shared decision leased so that it is decided on alone, if that has failed. A
  /// turn whose results are not stored yet is left to `record`.
  package func release(_ turn: DeliveryTurn) async throws(OperationError) {
    guard turn.results.isEmpty, let leased = turn.leased else { return }
    let fixedNow = core.deadlines?()
    try await core.transact { (session) throws(PostgresError) in
      try session.pipeline(leased.map { extend($0.id, lease: $0.lease, at: fixedNow) })
      return .done(())
    }
  }

  package func hold(_ sendings: [Sending]) async throws(OperationError) {
    let fixedNow = core.deadlines?()
    try await core.transact { (session) throws(PostgresError) in
      try session.pipeline(
        sendings.map { extend($0.attempt.id, lease: $0.lease, at: fixedNow, by: notificationLease) }
      )
      return .done(())
    }
  }

  /// Postpones an employee's due notifications that could not be processed; after too many failures
  /// they become dead letters.
  package func postpone(_ employee: EmployeeID, reason: String) async throws(OperationError) {
    let fixedNow = core.deadlines?()
    try await core.transact { (session) throws(PostgresError) in
      try session.pipeline([
        NotificationQueue.postpone(notificationsOf: employee, at: fixedNow),
        moveToDeadLetters(notificationsOf: employee, reason: reason, at: fixedNow),
      ])
      return .done(())
    }
  }

  /// Retries all notifications that were processed before, after their channels have changed.
  package func retryEverything() async throws(OperationError) {
    let fixedNow = core.deadlines?()
    try await core.transact { (session) throws(PostgresError) in
      try session.execute(NotificationQueue.retryEverything(at: fixedNow))
      return .done(())
    }
  }

  package func outboxLoad() async throws(OperationError) -> OutboxLoad {
    let fixedNow = core.deadlines?()
    return try await core.read { (session) throws(PostgresError) in
      try NotificationQueue.outboxLoad(at: fixedNow, on: &session)
    }
  }
}

/// What is to be decided about one employee's notifications.
package struct DeliveryTurn: Hashable, Sendable {
  package let employee: EmployeeID
  /// Of the deliveries that the previous decision returned; they are stored first.
  fileprivate var results: [SendingResult]
  /// The notifications to decide on; `nil`: those that are due.
  fileprivate var leased: [LeasedNotification]?

  /// - Parameter results: Of the deliveries that the previous decision returned; without any, what
  ///   is due is decided on.
  package init(of employee: EmployeeID, after results: [SendingResult] = []) {
    (self.employee, self.results) = (employee, results)
    leased = results.isEmpty ? nil : results.leased
  }

  /// The same, once the results are stored and `claims` leased to the caller.
  fileprivate func continued(with claims: [Claim]) -> DeliveryTurn {
    var turn = self
    turn.results = []
    turn.leased = claims.map { LeasedNotification($0.id, under: $0.lease) }
    return turn
  }
}

package enum TurnDecision: Hashable, Sendable {
  /// To be delivered now.
  case send([Sending])
  /// To be decided again in this turn, in a transaction without other employees.
  case alone(DeliveryTurn)
}

extension [DeliveryTurn] {
  /// By employee: so no two transactions wait for each other.
  fileprivate var firstOfEachEmployee: [DeliveryTurn] {
    Dictionary(map { ($0.employee, $0) }) { first, _ in first }.values
      .sorted { $0.employee.rawValue < $1.employee.rawValue }
  }
}

extension [SendingResult] {
  /// The notifications of these attempts, each once, in the order of their keys.
  fileprivate var leased: [LeasedNotification] {
    var leases: [NotificationID: Int32] = [:]
    for result in self { leases[result.sending.attempt.id] = result.sending.lease }
    return leases.sorted {
      let (one, other) = ($0.key, $1.key)
      return (one.topic.rawValue, one.subject, one.ordinal)
        < (other.topic.rawValue, other.subject, other.ordinal)
    }.map { LeasedNotification($0.key, under: $0.value) }
  }
}

extension SendingResult {
  /// Stores the result, also if the lease was lost meanwhile.
  fileprivate func completion(at fixedNow: Instant?) -> [SQL] {
    var attempt = sending.attempt
    attempt.outcome = outcome
    attempt.reason = reason
    attempt.reference = reference
    var statements = [complete(attempt, retryAfter: retryAfter, at: fixedNow)]
    if outcome == .addressGone, case .push = sending.address {
      let device = DeviceID(employee: attempt.id.employee, number: attempt.recipient)
      statements.append(
        attempt.step == .managers
          ? deleteBrowser(-attempt.recipient)
          : unregister(pushTargetOf: device, until: goneAt ?? attempt.begunAt))
    }
    return statements
  }
}

extension [Claim] {
  /// Ends come first: they name what is left, which no alarm then says again. The worst alarm comes
  /// before the others of its debounce, which it covers.
  fileprivate var inOrderOfDecision: [Claim] {
    func place(_ claim: Claim) -> Int { claim.notification.kind?.row.place ?? .max }
    let alarms = filter { $0.id.topic == .incident }.sorted { place($0) < place($1) }
    return filter { $0.id.topic == .restored } + alarms
      + filter { ![.incident, .restored].contains($0.id.topic) }
  }
}
