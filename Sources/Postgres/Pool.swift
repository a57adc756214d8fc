/// A bounded set of connections, opened when needed and lent to one closure at a time.
public final class Pool: Sendable {
  private let line: WaitingLine

  /// Opens up to `size` connections, from 1; up to `waitersMax` callers wait when all are lent.
  public init(_ configuration: ConnectionConfiguration, size: Int, waitersMax: Int) {
    precondition(size >= 1 && waitersMax >= 0)
    let reachability = Reachability()
    line = WaitingLine(
      (0..<size).map { _ in Connection(configuration, reachability) }, waitersMax: waitersMax)
  }

  /// Runs `body` in a transaction (`READ COMMITTED`) and commits when it returns; when it throws,
  /// everything is rolled back. `BEGIN` is sent with the first statement. `body` runs on the
  /// connection's own thread and may block it with statements.
  /// - Parameter deadline: For everything: waiting for a connection, connecting, and the work.
  ///   Ending the transaction may take up to a second more.
  @discardableResult
  public func transaction<R: Sendable>(
    _ deadline: Duration = .seconds(5),
    _ body: @Sendable (inout Session) throws(PostgresError) -> R
  ) async throws(PostgresError) -> R {
    try await lend(.transaction, deadline, body)
  }

  /// Runs `body` without an enclosing transaction: each `run` has its own, and so has each
  /// `pipeline`, which sees one snapshot. Not for writing: a write would commit on its own, and
  /// after a lost connection its outcome would be unknown.
  /// - Parameter deadline: For everything: waiting for a connection, connecting, and the work.
  @discardableResult
  public func read<R: Sendable>(
    _ deadline: Duration = .seconds(5),
    _ body: @Sendable (inout Session) throws(PostgresError) -> R
  ) async throws(PostgresError) -> R {
    try await lend(.read, deadline, body)
  }

  /// How many connections are lent and how many callers wait for one, just now.
  public var load: (lent: Int, waiting: Int) { line.load }

  /// How often finished transactions and reads sent statements and awaited their answers.
  public var roundTrips: Int { line.roundTrips }

  /// Refuses new callers, waits for running ones, and closes every connection.
  public func close() async {
    for connection in await line.close() { await connection.close() }
  }

  private func lend<R: Sendable>(
    _ kind: Session.Kind, _ span: Duration,
    _ body: @Sendable (inout Session) throws(PostgresError) -> R
  ) async throws(PostgresError) -> R {
    let deadline = ContinuousClock.now + span
    let connection = try await line.next(until: deadline)
    let loan = connection.interrupt.begin()
    let outcome = await withTaskCancellationHandler {
      await connection.lend(kind, until: deadline, body) { roundTrips in
        self.line.giveBack(connection, after: roundTrips)
      }
    } onCancel: {
      connection.interrupt.raise(loan)
    }
    return try outcome.get()
  }
}
