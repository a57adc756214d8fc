public import IngestPipeline
public import Postgres
public import ShiftDomain

/// The use cases, on one pool of connections. Each method is one transaction, or one read; those
/// for phones stand in `Phone….swift`, those for managers and operators in `Office….swift`, those
/// that only time asks for in `Watch….swift`.
public struct Operations: Sendable {
  let pool: Pool
  let now: @Sendable () -> Instant
  let deadlines: (@Sendable () -> Instant)?
  let pings: PingPipeline
  /// When phones were last heard of, until that is written down.
  public let pulse: PulseBook
  /// What this instance has stored of pings and not yet folded.
  public let unfolded = UnfoldedPings()
  /// How far `now` is from the database's time.
  public let clock: ClockWatch
  /// When the evidence behind messages was read.
  public let evidence: EvidenceBook
  /// What boards know of shifts already.
  let coverageBook = CoverageBook()
  /// Boards that are being read.
  let boards = SharedReadings<TeamScope, Board>()
  /// How long detections took, until that is written down.
  let detections = DetectionBook()
  let inboxFilled: @Sendable () -> Void
  /// Called when there is a new message that is due within a second.
  public let outboxFilled: @Sendable () -> Void
  /// How long who works at messages holds them; then others take him for dead.
  public let messageLease: TimeSpan
  let passwords: PasswordWork

  /// - Parameters:
  ///   - pool: Connections to a migrated database.
  ///   - pings: Where pings are stored; `nil`: by the same connections.
  ///   - now: The server's clock; tests move their own.
  ///   - deadlines: The clock that decides what is due; `nil`: the database's, which all instances
  ///     share. Tests move their own.
  ///   - pulse: Shared with the operations that fold it, if those are others.
  ///   - clock: Shared with the operations whose heartbeat compares clocks, if those are others.
  ///   - evidence: Shared with the operations that take reports, if those are others.
  ///   - inboxFilled: Called when there is a new message for an open app, after its COMMIT; must
  ///     return quickly.
  ///   - outboxFilled: Called when there is a new message that is due within a second, after its
  ///     COMMIT; must return quickly.
  ///   - messageLease: For how long `tell` holds messages; at least a second.
  ///   - passwords: Where passwords are tried.
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

/// How one try at a transaction ended.
enum Turn<Answer: Sendable>: Sendable {
  /// Committed, with this answer.
  case done(Answer)
  /// Committed, with this answer; and a message waits in the outbox that is due within a second.
  case queued(Answer)
  /// Rolled back: the caller is told why.
  case refused(OperationError)
  /// Rolled back: somebody else wrote first, so everything must be read again.
  case lost
}

extension Operations {
  /// Runs `body` in a transaction until it is done or refused, three times at the most.
  /// - Parameter deadline: For each try.
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

  /// One try: committed when done, rolled back otherwise.
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
  /// Committed, with this answer and `notices` in the outbox. A worker that knows of none looks
  /// again after a second, so what is due later needs no word.
  static func done(_ answer: Answer, queued notices: [Notice], at now: Instant) -> Turn {
    notices.contains { $0.dueAt < now + .seconds(1) } ? .queued(answer) : .done(answer)
  }
}

/// Counts the tries that came to nothing.
struct Losses {
  private static let most = 3
  private var count = 0
  private var lostAnswer = false

  /// Passes when it is worth another try.
  ///
  /// A constraint that refuses a row means that another transaction wrote what ours did not see
  /// yet, and a lost COMMIT answer means that we do not know: both are settled by reading again,
  /// which finds the other's row, or our own.
  mutating func add(_ error: PostgresError) throws(OperationError) {
    count += 1
    lostAnswer = lostAnswer || error == .outcomeUnknown
    switch error {
    case .constraint, .retryTransaction, .outcomeUnknown:
      guard count < Self.most else { throw told(error) }
    case .unavailable, .unstorable, .cancelled, .broken: throw told(error)
    }
  }

  /// Once the answer to a COMMIT was lost, "unavailable" would say that nothing was done.
  private func told(_ error: PostgresError) -> OperationError {
    let told = OperationError(error)
    guard lostAnswer, case .unavailable = told else { return told }
    return .outcomeUnknown
  }
}

extension PostgresError {
  /// Somebody else wrote the same employee first.
  static let lost = PostgresError.retryTransaction(.serializationFailure)
}

extension OperationError {
  init(_ error: PostgresError) {
    self =
      switch error {
      case .unavailable(let detail): .unavailable(detail: detail)
      case .retryTransaction(.lockNotAvailable):
        .unavailable(detail: "others read or write the same table for long")
      case .retryTransaction: .unavailable(detail: "others changed the same employee")
      case .constraint(let name): .conflict(name)
      case .unstorable(let detail): .invalid(detail)
      case .outcomeUnknown: .outcomeUnknown
      case .cancelled: .unavailable(detail: "cancelled")
      case .broken: .broken(detail: error.description)
      }
  }
}
