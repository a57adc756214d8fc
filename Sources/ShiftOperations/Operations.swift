public import IngestPipeline
public import Postgres
public import ShiftDomain

/// The use cases, on one pool of connections. Each method is one transaction, or one read. Those
/// for phones are in `Phone….swift`, those for managers and operators in `Office….swift`, and those
/// triggered by time in `Watch….swift`.
public struct Operations: Sendable {
  let pool: Pool
  let now: @Sendable () -> Instant
  let deadlines: (@Sendable () -> Instant)?
  let pings: PingPipeline
  /// The last contacts of phones, until they are stored.
  public let pulse: PulseBook
  /// Pings of this instance that are stored but not yet rolled up.
  public let unfolded = UnfoldedPings()
  /// The difference between `now` and the database's time.
  public let clock: ClockWatch
  /// When the evidence behind notifications was read.
  public let evidence: EvidenceBook
  /// Cached coverage of shifts on boards.
  let coverageBook = CoverageBook()
  /// Boards that are being read.
  let boards = SharedReadings<TeamScope, Board>()
  /// How long detections took, until it is stored.
  let detections = DetectionBook()
  let inboxFilled: @Sendable () -> Void
  /// Called when there is a new notification that is due within a second.
  public let outboxFilled: @Sendable () -> Void
  /// How long a worker leases notifications; then others may take them over.
  public let messageLease: TimeSpan
  let passwords: PasswordWork

  /// - Parameters:
  ///   - pool: Connections to a migrated database.
  ///   - pings: Where pings are stored; `nil`: through the same connections.
  ///   - now: The server's clock; tests move their own.
  ///   - deadlines: The clock that decides what is due; `nil`: the database's, which all instances
  ///     share. Tests move their own.
  ///   - pulse: Shared with the operations that store it, if those are others.
  ///   - clock: Shared with the operations whose heartbeat compares clocks, if those are others.
  ///   - evidence: Shared with the operations that take reports, if those are others.
  ///   - inboxFilled: Called when there is a new message for an open app, after its COMMIT; must
  ///     return quickly.
  ///   - outboxFilled: Called when there is a new notification that is due within a second, after
  ///     its COMMIT; must return quickly.
  ///   - messageLease: How long `tell` leases notifications; at least a second.
  ///   - passwords: Checks passwords.
  public init(
    pool: Pool, pings: PingPipeline? = nil, now: @escaping @Sendable () -> Instant,
    deadlines: (@Sendable () -> Instant)? = nil, pulse: PulseBook = PulseBook(),
    clock: ClockWatch = ClockWatch(), evidence: EvidenceBook = EvidenceBook(),
    messageLease: TimeSpan = .seconds(30),
    passwords: PasswordWork = PasswordWork(),
    inboxFilled: @escaping @Sendable () -> Void = {},
    outboxFilled: @escaping @Sendable () -> Void = {}
  ) {
    self.pool = pool
    self.pings = pings ?? PingPipeline(pool: pool)
    self.now = now
    self.deadlines = deadlines
    self.pulse = pulse
    self.clock = clock
    self.evidence = evidence
    self.messageLease = messageLease
    self.passwords = passwords
    self.inboxFilled = inboxFilled
    self.outboxFilled = outboxFilled
  }
}

/// The result of one attempt at a transaction.
enum Turn<Answer: Sendable>: Sendable {
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
    _ body: @Sendable (inout Session) throws(PostgresError) -> Turn<Answer>
  ) async throws(OperationError) -> Answer {
    var losses = Losses()
    while true {
      switch await turn(within: deadline, body) {
      case .success(.done(let answer)): return answer
      case .success(.queued(let answer)):
        outboxFilled()
        return answer
      case .success(.refused(let error)): throw error
      case .success(.lost): try losses.add(.lost)
      case .failure(let error): try losses.add(error)
      }
    }
  }

  /// One attempt: committed when done, rolled back otherwise.
  func turn<Answer: Sendable>(
    within deadline: Duration = .seconds(5),
    _ body: @Sendable (inout Session) throws(PostgresError) -> Turn<Answer>
  ) async -> Result<Turn<Answer>, PostgresError> {
    do throws(PostgresError) {
      return .success(
        try await pool.transaction(deadline) { (session) throws(PostgresError) in
          let turn = try body(&session)
          switch turn {
          case .done, .queued: break
          case .refused, .lost: session.rollbackOnly()
          }
          return turn
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

extension Turn {
  /// Committed, with this answer and `notices` in the outbox. An idle worker polls every second, so
  /// a notification due later needs no wake-up.
  static func done(_ answer: Answer, queued notices: [Notice], at now: Instant) -> Turn {
    notices.contains { $0.dueAt < now + .seconds(1) } ? .queued(answer) : .done(answer)
  }
}

/// Counts failed attempts.
struct Losses {
  private static let most = 3
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
      guard count < Self.most else { throw told(error) }
    case .unavailable, .unstorable, .cancelled, .broken: throw told(error)
    }
  }

  /// After a lost COMMIT answer, "unavailable" would wrongly say that nothing was done.
  private func told(_ error: PostgresError) -> OperationError {
    let told = OperationError(error)
    guard lostAnswer, case .unavailable = told else { return told }
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
