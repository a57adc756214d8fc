import NotificationQueue
import Postgres
import ShiftDomain

/// What all use cases share: connections, clocks, and how a transaction is retried.
package struct OperationCore: Sendable {
  package let pool: Pool
  package let now: @Sendable () -> Instant
  /// The clock that decides what is due; `nil`: the database's, which all instances share.
  package let deadlines: (@Sendable () -> Instant)?
  /// The difference between `now` and the database's time.
  package let clock: ClockWatch
  /// Called when there is a new notification that is due within a second.
  package let outboxFilled: @Sendable () -> Void

  /// - Parameters:
  ///   - now, deadlines: Tests move their own.
  ///   - outboxFilled: Called after the COMMIT; must return quickly.
  package init(
    pool: Pool, now: @escaping @Sendable () -> Instant,
    deadlines: (@Sendable () -> Instant)?, clock: ClockWatch,
    outboxFilled: @escaping @Sendable () -> Void
  ) {
    self.pool = pool
    self.now = now
    self.deadlines = deadlines
    self.clock = clock
    self.outboxFilled = outboxFilled
  }

  /// The same through other connections.
  package func using(_ pool: Pool) -> OperationCore {
    OperationCore(
      pool: pool, now: now, deadlines: deadlines, clock: clock, outboxFilled: outboxFilled)
  }
}

package enum TransactionResult<Answer: Sendable>: Sendable {
  /// Committed, with this answer.
  case done(Answer)
  /// Committed, with this answer; and the outbox has a notification that is due within a second.
  case queued(Answer)
  /// Rolled back, with this error for the caller.
  case refused(OperationError)
  /// Rolled back: another transaction wrote first, so everything must be read again.
  case lost
}

extension OperationCore {
  /// Runs `body` in a transaction until it is done or refused, at most three times.
  /// - Parameters:
  ///   - deadline: For each attempt; `nil`: the connections' usual one.
  ///   - earlier: The failure of an attempt before these.
  package func transact<Answer: Sendable>(
    within deadline: Duration? = nil, after earlier: PostgresError? = nil,
    _ body: @Sendable (inout Session) throws(PostgresError) -> TransactionResult<Answer>
  ) async throws(OperationError) -> Answer {
    var retries = RetryBudget(after: earlier)
    while true {
      switch await tryTransaction(within: deadline, body) {
      case .success(.done(let answer)): return answer
      case .success(.queued(let answer)):
        outboxFilled()
        return answer
      case .success(.refused(let error)): throw error
      case .success(.lost): try retries.add(.lost)
      case .failure(let error): try retries.add(error)
      }
    }
  }

  /// One attempt to run `body` in a transaction.
  /// - Throws: Also `.lost` if `body` refuses or has lost: then it is to be run by `transact`.
  package func attempt<Answer: Sendable>(
    within deadline: Duration,
    _ body: @Sendable (inout Session) throws(PostgresError) -> TransactionResult<Answer>
  ) async throws(PostgresError) -> Answer {
    switch try await tryTransaction(within: deadline, body).get() {
    case .done(let answer): return answer
    case .queued(let answer):
      outboxFilled()
      return answer
    case .refused, .lost: throw .lost
    }
  }

  /// One attempt: committed when done, rolled back otherwise.
  func tryTransaction<Answer: Sendable>(
    within deadline: Duration? = nil,
    _ body: @Sendable (inout Session) throws(PostgresError) -> TransactionResult<Answer>
  ) async -> Result<TransactionResult<Answer>, PostgresError> {
    do throws(PostgresError) {
      return .success(
        try await pool.transaction(deadline) { (session) throws(PostgresError) in
          let result = try body(&session)
          switch result {
          case .done, .queued: break
          case .refused, .lost: session.rollbackOnly()
          }
          return result
        })
    } catch {
      return .failure(error)
    }
  }

  /// Runs `body` in one snapshot, in as many round trips as it has batches: several need
  /// `readSnapshot`. Again, at most three times, if its prepared statements were made stale by a
  /// migration.
  package func read<Answer: Sendable>(
    _ body: @Sendable (inout Session) throws(PostgresError) -> Answer
  ) async throws(OperationError) -> Answer {
    try await retrying { () throws(PostgresError) in try await pool.read(nil, body) }
  }

  /// Runs the statements of `reading` in one snapshot and one round trip.
  package func read<R: Reading & Sendable>(_ reading: R) async throws(OperationError) -> R {
    try await read { (session) throws(PostgresError) in
      var reading = reading
      try session.run(&reading)
      return reading
    }
  }

  /// The same for a `body` of several batches, one round trip each.
  package func readSnapshot<Answer: Sendable>(
    within deadline: Duration? = nil,
    _ body: @Sendable (inout Session) throws(PostgresError) -> Answer
  ) async throws(OperationError) -> Answer {
    try await retrying { () throws(PostgresError) in
      try await pool.readSnapshot(deadline, body)
    }
  }

  /// Runs `body`, each batch of which commits on its own; all of it again, as for `read`. A process
  /// that is paused between two of them holds no lock that others wait for.
  package func autocommit<Answer: Sendable>(
    _ body: @Sendable (inout Session) throws(PostgresError) -> Answer
  ) async throws(OperationError) -> Answer {
    try await retrying { () throws(PostgresError) in try await pool.autocommit(nil, body) }
  }

  private func retrying<Answer: Sendable>(
    _ attempt: () async throws(PostgresError) -> Answer
  ) async throws(OperationError) -> Answer {
    var retries = RetryBudget()
    while true {
      do throws(PostgresError) {
        return try await attempt()
      } catch .retryTransaction(.lockNotAvailable) {
        throw OperationError(.retryTransaction(.lockNotAvailable))
      } catch {
        try retries.add(error)
      }
    }
  }
}

extension TransactionResult {
  /// Committed, with this answer and `notifications` in the outbox. An idle worker polls every
  /// second, so a notification due later needs no wake-up.
  package static func done(
    _ answer: Answer, queued notifications: [ShiftNotification], at now: Instant
  )
    -> TransactionResult
  {
    notifications.contains { $0.dueAt < now + .seconds(1) } ? .queued(answer) : .done(answer)
  }
}

struct RetryBudget {
  private static let attemptsMax = 3
  private var count = 0
  private var lostAnswer: Bool

  init(after earlier: PostgresError? = nil) {
    lostAnswer = earlier == .outcomeUnknown
  }

  /// Passes if another attempt is worthwhile.
  ///
  /// A constraint violation means that another transaction wrote something we did not see yet, and
  /// a lost COMMIT answer leaves the outcome unknown. In both cases reading again finds the row of
  /// the other transaction, or our own.
  mutating func add(_ error: PostgresError) throws(OperationError) {
    count += 1
    lostAnswer = lostAnswer || error == .outcomeUnknown
    switch error {
    case .constraint, .retryTransaction, .outcomeUnknown:
      guard count < Self.attemptsMax else { throw operationError(error) }
    case .unavailable, .unstorable, .cancelled, .broken: throw operationError(error)
    }
  }

  /// After a lost COMMIT answer, "unavailable" would wrongly say that nothing was done.
  private func operationError(_ error: PostgresError) -> OperationError {
    let translated = OperationError(error)
    guard lostAnswer, case .unavailable = translated else { return translated }
    return .outcomeUnknown
  }
}

extension PostgresError {
  /// Another transaction wrote the same employee first.
  package static let lost = PostgresError.retryTransaction(.serializationFailure)
}

extension OperationError {
  package init(_ error: PostgresError) {
    self =
      switch error {
      case .unavailable(let detail): .unavailable(detail: detail)
      case .retryTransaction(.lockNotAvailable):
        .unavailable(detail: "the table is locked by another transaction")
      case .retryTransaction:
        .unavailable(detail: "other requests changed the same employee at the same time")
      case .constraint(let name): .conflict(name)
      case .unstorable(let detail): .invalid(detail)
      case .outcomeUnknown: .outcomeUnknown
      case .cancelled: .unavailable(detail: "cancelled")
      case .broken: .broken(detail: error.description)
      }
  }
}
