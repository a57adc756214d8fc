import Lifecycle

/// A bounded set of connections, opened when needed and lent to one closure at a time.
public final class Pool: Sendable {
  private let line: WaitingLine
  /// The connection that every caller gets, instead of one from the line.
  private let snapshot: HeldSnapshot?
  private let workTimeout: Duration

  /// Opens up to `size` connections, from 1; up to `waitersMax` callers wait when all are lent.
  /// - Parameter isQuiet: Whether their rows are read with a low share of the processor.
  public init(
    _ configuration: ConnectionConfiguration, size: Int, waitersMax: Int, isQuiet: Bool = false
  ) {
    precondition(size >= 1 && waitersMax >= 0)
    let reachability = Reachability()
    line = WaitingLine(
      (0..<size).map { _ in Connection(configuration, reachability, isQuiet: isQuiet) },
      waitersMax: waitersMax)
    snapshot = nil
    workTimeout = configuration.workTimeout
  }

  private init(_ line: WaitingLine, _ snapshot: HeldSnapshot, _ workTimeout: Duration) {
    self.line = line
    self.snapshot = snapshot
    self.workTimeout = workTimeout
  }

  /// A pool of one connection, all of whose reads see the database as the first of them did. They
  /// come one at a time; a transaction cannot be begun. The connection is given back when the last
  /// reference to the pool is gone.
  /// - Parameter span: Later reads fail, so that a snapshot does not keep old rows for ever.
  public func snapshot(
    for span: Duration, within deadline: Duration? = nil
  ) async throws(PostgresError) -> Pool {
    let connection = try await line.next(until: .now + (deadline ?? workTimeout))
    return Pool(line, HeldSnapshot(connection, line, until: .now + span), workTimeout)
  }

  /// Runs `body` in a transaction (`READ COMMITTED`) and commits when it returns; when it throws,
  /// everything is rolled back. `BEGIN` is sent with the first statement. `body` runs on the
  /// connection's own thread and may block it with statements.
  /// - Parameter deadline: For everything: waiting for a connection, connecting, and the work.
  ///   Ending the transaction may take up to a second more.
  @discardableResult
  public func transaction<R: Sendable>(
    _ deadline: Duration? = nil,
    _ body: @Sendable (inout Session) throws(PostgresError) -> R
  ) async throws(PostgresError) -> R {
    try await lend(.transaction, deadline, body)
  }

  /// Runs `body`, all of whose statements see one snapshot and cannot write. A single batch, `run`
  /// or `pipeline`, is one round trip, and a single statement needs no transaction. A body of
  /// several batches is run twice, the second time by `readSnapshot`: call that instead.
  /// - Parameter deadline: For everything: waiting for a connection, connecting, and the work.
  @discardableResult
  public func read<R: Sendable>(
    _ deadline: Duration? = nil,
    _ body: @Sendable (inout Session) throws(PostgresError) -> R
  ) async throws(PostgresError) -> R {
    try await lend(.read, deadline, body)
  }

  /// Runs `body`, all of whose batches see one snapshot (`REPEATABLE READ, READ ONLY`), as taken by
  /// the first. The snapshot ends with the batch after `endSnapshotWithNext()`, or once `body` has
  /// returned; the caller does not wait for its end.
  /// - Parameter deadline: For everything: waiting for a connection, connecting, and the work.
  @discardableResult
  public func readSnapshot<R: Sendable>(
    _ deadline: Duration? = nil,
    _ body: @Sendable (inout Session) throws(PostgresError) -> R
  ) async throws(PostgresError) -> R {
    try await lend(.snapshot, deadline, body)
  }

  /// Runs `body`, each batch of which commits on its own. After a lost connection nobody knows
  /// which of them did, so all must be repeatable.
  /// - Parameter deadline: For everything: waiting for a connection, connecting, and the work.
  @discardableResult
  public func autocommit<R: Sendable>(
    _ deadline: Duration? = nil,
    _ body: @Sendable (inout Session) throws(PostgresError) -> R
  ) async throws(PostgresError) -> R {
    try await lend(.autocommit, deadline, body)
  }

  /// The threads of its connections. A task that works on one of them gets that connection if it is
  /// free, and no other thread must be woken for its statements. Whoever else borrows the
  /// connection blocks the thread.
  public var threads: [SerialThread] { line.connections.map(\.thread) }

  /// How many connections are lent and how many callers wait for one, just now.
  public var load: (lent: Int, waiting: Int) { line.load }

  /// How often finished transactions and reads sent statements and awaited their answers. The end
  /// of a snapshot, for which no caller waits, is not counted.
  public var roundTrips: Int { line.roundTrips }

  /// How many connections are open. Waits for those that are lent.
  public func open() async -> Int {
    var open = 0
    for connection in line.connections where await connection.isOpen { open += 1 }
    return open
  }

  /// Refuses new callers, waits for running ones, and closes every connection.
  public func close() async {
    for connection in await line.close() { await connection.close() }
  }

  private func lend<R: Sendable>(
    _ kind: Session.Kind, _ deadline: Duration?,
    _ body: @Sendable (inout Session) throws(PostgresError) -> R
  ) async throws(PostgresError) -> R {
    let span = deadline ?? workTimeout
    if let snapshot {
      precondition(kind.onlyReads, "a snapshot is only read")
      return try await snapshot.read(within: span, body)
    }
    let deadline = ContinuousClock.now + span
    let connection = try await line.next(until: deadline)
    let loan = connection.interrupt.begin()
    let outcome = await withTaskCancellationHandler {
      await connection.lend(
        kind, until: deadline, body, noteRoundTrips: line.note(roundTrips:),
        noteEnd: { line.noteEnd(of: connection) }
      ) { [line] in line.giveBack(connection) }
    } onCancel: {
      connection.interrupt.raise(loan)
    }
    return try outcome.get()
  }
}

/// A connection that keeps a snapshot open between reads.
private final class HeldSnapshot: Sendable {
  /// The least time for a read: the first of a cursor may sort all that the later ones bring.
  private static let readMin = Duration.seconds(60)

  private let connection: Connection
  private let line: WaitingLine
  private let end: ContinuousClock.Instant
  private let hasBegun = Lock(false)

  init(_ connection: Connection, _ line: WaitingLine, until end: ContinuousClock.Instant) {
    self.connection = connection
    self.line = line
    self.end = end
  }

  deinit {
    line.noteEnd(of: connection)
    connection.endSnapshot { [connection, line] in line.giveBack(connection) }
  }

  func read<R: Sendable>(
    within span: Duration, _ body: @Sendable (inout Session) throws(PostgresError) -> R
  ) async throws(PostgresError) -> R {
    let isFirst = hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    let loan = connection.interrupt.begin()
    let outcome = await withTaskCancellationHandler {
      await connection.lend(
        isFirst ? .firstInSnapshot : .laterInSnapshot,
        until: min(.now + max(span, Self.readMin), end), body,
        noteRoundTrips: line.note(roundTrips:)
      ) {}
    } onCancel: {
      connection.interrupt.raise(loan)
    }
    return try outcome.get()
  }
}
