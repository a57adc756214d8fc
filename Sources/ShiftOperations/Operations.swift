public import IngestPipeline
public import Postgres
public import ShiftDomain

/// The use cases, on one pool of connections. Each method is one transaction, or one read. Those
/// for phones are in the folder `Device`, those for managers and operators in `Manager`, and those
/// that deliver notifications in `Delivery`.
public struct Operations: Sendable {
  let pool: Pool
  let now: @Sendable () -> Instant
  let deadlines: (@Sendable () -> Instant)?
  let pings: PingPipeline
  /// The last contacts of phones, until they are stored.
  public let lastSeen: LastSeenBuffer
  /// Pings of this instance that are stored but not yet rolled up.
  public let dirtyShifts = DirtyShifts()
  /// The difference between `now` and the database's time.
  public let clock: ClockWatch
  /// When the evidence behind notifications was read.
  public let latencies: LatencyTracker
  /// Cached coverage of shifts on boards.
  let coverageCache = CoverageCache()
  /// Boards that are being read.
  let boards = SharedReadings<TeamScope, Board>()
  /// How long detections took, until it is stored.
  let detectionSamples = DetectionSamples()
  let inboxFilled: @Sendable () -> Void
  /// Called when there is a new notification that is due within a second.
  public let outboxFilled: @Sendable () -> Void
  /// How long a worker leases notifications; then others may take them over.
  public let notificationLease: TimeSpan
  let passwords: PasswordWork

  /// - Parameters:
  ///   - pool: Connections to a migrated database.
  ///   - pings: Where pings are stored; `nil`: through the same connections.
  ///   - now: The server's clock; tests move their own.
  ///   - deadlines: The clock that decides what is due; `nil`: the database's, which all instances
  ///     share. Tests move their own.
  ///   - lastSeen: Shared with the operations that store it, if those are others.
  ///   - clock: Shared with the operations whose heartbeat compares clocks, if those are others.
  ///   - latencies: Shared with the operations that take reports, if those are others.
  ///   - inboxFilled: Called when there is a new notification for an open app, after its COMMIT;
  ///     must return quickly.
  ///   - outboxFilled: Called when there is a new notification that is due within a second, after
  ///     its COMMIT; must return quickly.
  ///   - notificationLease: How long `decideDeliveries` leases notifications; at least a second.
  ///   - passwords: Checks passwords.
  public init(
    pool: Pool, pings: PingPipeline? = nil, now: @escaping @Sendable () -> Instant,
    deadlines: (@Sendable () -> Instant)? = nil, lastSeen: LastSeenBuffer = LastSeenBuffer(),
    clock: ClockWatch = ClockWatch(), latencies: LatencyTracker = LatencyTracker(),
    notificationLease: TimeSpan = .seconds(30),
    passwords: PasswordWork = PasswordWork(),
    inboxFilled: @escaping @Sendable () -> Void = {},
    outboxFilled: @escaping @Sendable () -> Void = {}
  ) {
    self.pool = pool
    self.pings = pings ?? PingPipeline(pool: pool)
    self.now = now
    self.deadlines = deadlines
    self.lastSeen = lastSeen
    self.clock = clock
    self.latencies = latencies
    self.notificationLease = notificationLease
    self.passwords = passwords
    self.inboxFilled = inboxFilled
    self.outboxFilled = outboxFilled
  }
}

/// The result of one attempt at a transaction.
enum TransactionResult<Answer: Sendable>: Sendable {
  /// Committed, with this answer.
  case done(Answer)
  /// Committed, with this answer; and the outbox has a notification that is due within a second.
  case queued(Answer)
  /// Rolled back, with this error for the caller.
  case refused(OperationError)
  /// Rolled back: another transaction wrote first, so everything must be read again.
  case lost
}

extension Operations {
  /// Runs `body` in a transaction until it is done or refused, at most three times.
  /// - Parameter deadline: For each attempt.
  func transact<Answer: Sendable>(
    within deadline: Duration = .seconds(5),
    _ body: @Sendable (inout Session) throws(PostgresError) -> TransactionResult<Answer>
  ) async throws(OperationError) -> Answer {
    var retries = RetryBudget()
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

  /// One attempt: committed when done, rolled back otherwise.
  func tryTransaction<Answer: Sendable>(
    within deadline: Duration = .seconds(5),
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

  /// Reads without writing.
  func read<Answer: Sendable>(
    _ body: @Sendable (inout Session) throws(PostgresError) -> Answer
  ) async throws(OperationError) -> Answer {
    do throws(PostgresError) {
      return try await pool.read { (session) throws(PostgresError) in try body(&session) }
    } catch {
      throw OperationError(error)
    }
  }
}

extension TransactionResult {
  /// Committed, with this answer and `notifications` in the outbox. An idle worker polls every
  /// second, so a notification due later needs no wake-up.
  static func done(_ answer: Answer, queued notifications: [ShiftNotification], at now: Instant)
    -> TransactionResult
  {
    notifications.contains { $0.dueAt < now + .seconds(1) } ? .queued(answer) : .done(answer)
  }
}

/// Counts failed attempts.
struct RetryBudget {
  private static let attemptsMax = 3
  private var count = 0
  private var lostAnswer = false

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
  static let lost = PostgresError.retryTransaction(.serializationFailure)
}

extension OperationError {
  init(_ error: PostgresError) {
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
