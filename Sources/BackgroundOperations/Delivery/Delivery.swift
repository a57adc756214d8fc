import GuardRules
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  /// The longest waiting first.
  /// - Parameter start: Only those due from then on; `nil`: from the beginning.
  package func dueNotifications(from start: Instant?, limit: Int)
    async throws(OperationError) -> DueNotifications
  {
    let fixedNow = core.deadlines?()
    return try await core.read { (session) throws(PostgresError) in
      try NotificationQueue.dueNotifications(
        from: start, at: fixedNow, limit: Int32(clamping: limit), on: &session)
    }
  }

  /// Decides on all due notifications about an employee or, after delivery attempts, on the
  /// notifications of those attempts: finished ones leave the outbox, some are postponed, and the
  /// rest is returned for delivery and leased to the caller for `notificationLease`.
  ///
  /// Any number of callers may call this at once: each notification is leased to one.
  /// - Parameters:
  ///   - results: The results of the deliveries returned by the previous call for the same
  ///     employee; they are stored first.
  ///   - held: Channels that must not be used, and until when.
  package func decideDeliveries(
    _ employee: EmployeeID, after results: [SendingResult] = [], held: [Channel: TimeSpan] = [:]
  ) async throws(OperationError) -> [Sending] {
    let fixedNow = core.deadlines?()
    let (sendings, fillsInbox) = try await core.transact {
      (session) throws(PostgresError) -> TransactionResult<([Sending], Bool)> in
      var claiming =
        results.isEmpty
        ? Claiming(notificationsOf: employee, at: fixedNow, for: notificationLease)
        : Claiming(results.notifications, of: employee, at: fixedNow)
      let known = try DeliveryFacts(
        employee, &claiming, after: results.flatMap { $0.completion(at: fixedNow) }, held: held,
        silences: massSilence, at: fixedNow, on: &session)
      guard let known else { return .done(([], false)) }
      var round = DeliveryRound(known, holding: results.isEmpty ? nil : notificationLease)
      for claim in claiming.claims.inOrderOfDecision { try round.decide(claim, on: &session) }
      let pace = round.fillsInbox ? [] : [commitSoon]
      try session.commit(after: round.statements + pace) { _, _ in }
      return .done((round.sendings, round.fillsInbox))
    }
    if fillsInbox { inboxFilled() }
    return sendings
  }

  /// Stores delivery results, and releases their notifications for the next worker.
  package func record(_ results: [SendingResult]) async throws(OperationError) {
    let fixedNow = core.deadlines?()
    try await core.transact { (session) throws(PostgresError) in
      let release = results.notifications.map { extend($0.id, lease: $0.lease, at: fixedNow) }
      let completion = results.flatMap { $0.completion(at: fixedNow) }
      try session.commit(after: completion + release + [commitSoon]) { _, _ in }
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

extension [SendingResult] {
  /// The notifications of these attempts, each once, in the order of their keys.
  fileprivate var notifications: [(id: NotificationID, lease: Int32)] {
    var leases: [NotificationID: Int32] = [:]
    for result in self { leases[result.sending.attempt.id] = result.sending.lease }
    return leases.sorted {
      let (one, other) = ($0.key, $1.key)
      return (one.topic.rawValue, one.subject, one.ordinal)
        < (other.topic.rawValue, other.subject, other.ordinal)
    }.map { (id: $0.key, lease: $0.value) }
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
