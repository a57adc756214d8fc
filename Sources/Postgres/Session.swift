/// A connection on loan, only inside the closure of `Pool.transaction`, `Pool.read`,
/// `Pool.readSnapshot` or `Pool.autocommit`. In a transaction or a snapshot the first statement
/// that the server refuses ends it: statements after it throw the same error, and so does the
/// transaction, even if the closure caught the error and returned, unless it called
/// `rollbackOnly()`.
public struct Session: ~Copyable {
  enum Kind {
    case transaction, autocommit
    /// One batch, which sees one snapshot.
    case read
    /// Batches that all see one snapshot.
    case snapshot
    /// Reads that all see one snapshot, in several loans of a connection.
    case firstInSnapshot, laterInSnapshot

    var isHeld: Bool { self == .firstInSnapshot || self == .laterInSnapshot }
    var isSnapshot: Bool { self == .snapshot || isHeld }
    var onlyReads: Bool { self == .read || isSnapshot }
  }

  // COMMIT and ROLLBACK get this much time even after the deadline: one more second is better than
  // an unknown outcome.
  private static let endingTime: Duration = .seconds(1)
  private static let begin: SQL = "BEGIN ISOLATION LEVEL READ COMMITTED"
  private static let beginSnapshot: SQL = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"

  private let wire: Wire
  private let kind: Kind
  private let deadline: ContinuousClock.Instant
  private var failure: PostgresError?
  private var wantsRollback = false
  /// Whether the next batch also ends the snapshot.
  private var endsWithNext = false
  private var hasRead = false
  /// Whether the closure of a `read` needs several batches, so that it must run in a snapshot.
  private(set) var needsSnapshot = false

  init(_ wire: Wire, _ kind: Kind, until deadline: ContinuousClock.Instant) {
    self.wire = wire
    self.kind = kind
    self.deadline = deadline
  }

  /// Runs one statement, prepared in the same round trip when its text is new to the connection.
  public mutating func run(_ sql: SQL) throws(PostgresError) -> Rows {
    var found: Rows?
    try exchange([sql]) { (_, rows) throws(PostgresError) in found = consume rows }
    guard let rows = found.take() else { throw .broken(nil, detail: "statement without an answer") }
    return rows
  }

  /// Runs one statement and returns how many rows it wrote or returned.
  @discardableResult
  public mutating func execute(_ sql: SQL) throws(PostgresError) -> Int {
    try run(sql).affected
  }

  /// Runs statements in order in one round trip and returns how many rows each wrote or returned.
  /// The first failure is thrown, and no statement after it takes effect.
  @discardableResult
  public mutating func pipeline(_ statements: [SQL]) throws(PostgresError) -> [Int] {
    var affected: [Int] = []
    try exchange(statements) { (_, rows) throws(PostgresError) in affected.append(rows.affected) }
    return affected
  }

  /// Runs statements in order in one round trip and shows each one's rows, by position from 0. When
  /// a statement fails, `each` has seen those before it. What `each` throws is thrown when all
  /// answers are read.
  public mutating func pipeline(
    _ statements: [SQL], _ each: (Int, consuming Rows) throws(PostgresError) -> Void
  ) throws(PostgresError) {
    try exchange(statements) { (position, rows) throws(PostgresError) in try each(position, rows) }
  }

  /// Runs the statements of `reading` in one round trip.
  public mutating func run<R: Reading>(_ reading: inout R) throws(PostgresError) {
    guard !reading.statements.isEmpty else { return }
    try exchange(reading.statements) { (position, rows) throws(PostgresError) in
      try reading.add(position, rows)
    }
  }

  public mutating func value<Value>(of query: Query<Value>) throws(PostgresError) -> Value {
    var query = query
    try run(&query)
    return query.value
  }

  /// Runs the statements of two readings in one round trip.
  public mutating func run<First: Reading, Second: Reading>(
    _ first: inout First, _ second: inout Second
  ) throws(PostgresError) {
    let count = first.statements.count
    try exchange(first.statements + second.statements) { (position, rows) throws(PostgresError) in
      if position < count {
        try first.add(position, rows)
      } else {
        try second.add(position - count, rows)
      }
    }
  }

  /// Runs statements in order and commits, in one round trip, like `pipeline`. Must be the last
  /// call.
  /// - Throws: `.outcomeUnknown` when they were sent and no answer came.
  public mutating func commit(
    after statements: [SQL], _ each: (Int, consuming Rows) throws(PostgresError) -> Void
  ) throws(PostgresError) {
    precondition(kind == .transaction && !wantsRollback, "there is nothing to commit")
    if let failure { throw failure }
    do throws(PostgresError) {
      try exchange(statements + ["COMMIT"]) { (position, rows) throws(PostgresError) in
        if position < statements.count { try each(position, rows) }
      }
    } catch {
      guard !wire.isInStep else { throw error }
      failure = .outcomeUnknown
      throw .outcomeUnknown
    }
  }

  /// Runs a text of several statements without parameters, for migrations. Outside an explicit
  /// transaction the server runs the whole text in one.
  public mutating func script(_ text: String) throws(PostgresError) {
    if kind == .transaction || kind.isSnapshot, !wire.hasOpenTransaction {
      try exchange([]) { _, _ in }
    }
    if let failure { throw failure }
    do throws(Failure) {
      try wire.perform(script: text, until: deadline)
    } catch {
      throw record(error)
    }
  }

  /// The next call is the last one of a `Pool.readSnapshot`, whose end is sent with it. Elsewhere
  /// this changes nothing.
  public mutating func endSnapshotWithNext() { endsWithNext = kind == .snapshot }

  /// Rolls everything back although the closure returns, such as a constraint's answer.
  public mutating func rollbackOnly() { wantsRollback = true }

  // MARK: Sending

  private mutating func exchange(
    _ statements: [SQL], _ each: (Int, consuming Rows) throws(PostgresError) -> Void
  ) throws(PostgresError) {
    if let failure { throw failure }
    if statements.isEmpty, kind == .read || kind == .autocommit { return }
    guard !hasRead else { throw refuseMore() }
    let isFirst = !wire.hasOpenTransaction
    do throws(Failure) {
      do throws(Failure) {
        try attempt(statements, each)
      } catch .refused(let refusal, let position) where refusal.isStaleStatement {
        forget(refusal, statements, position)
        // Nothing has been done or read yet, so the statements can be sent again, prepared again.
        guard isFirst, position <= 0 else { throw .refused(refusal, position: position) }
        if wire.hasOpenTransaction { try wire.perform(["ROLLBACK"], until: deadline) { _, _ in } }
        try attempt(statements, each)
      }
    } catch {
      throw record(error)
    }
    hasRead = kind == .read || endsWithNext
  }

  /// Another batch would see a newer state.
  private mutating func refuseMore() -> PostgresError {
    guard kind == .read else {
      return .broken(nil, detail: "statement after the end of its snapshot")
    }
    needsSnapshot = true
    failure = .retryTransaction(.serializationFailure)
    return .retryTransaction(.serializationFailure)
  }

  private func attempt(
    _ statements: [SQL], _ each: (Int, consuming Rows) throws(PostgresError) -> Void
  ) throws(Failure) {
    var batch = statements
    var prefix = 0
    if !wire.hasOpenTransaction, kind != .autocommit, kind != .read || statements.count > 1 {
      batch.insert(kind == .transaction ? Self.begin : Self.beginSnapshot, at: 0)
      prefix = 1
    }
    if endsWithNext || kind == .read && prefix == 1 { batch.append("COMMIT") }
    do throws(Failure) {
      try wire.perform(batch, until: deadline) { (position, rows) throws(PostgresError) in
        guard statements.indices.contains(position - prefix) else { return }
        try each(position - prefix, rows)
      }
    } catch .refused(let refusal, let position) {
      throw .refused(refusal, position: position - prefix)
    }
  }

  private func forget(_ refusal: Refusal, _ statements: [SQL], _ position: Int) {
    if refusal.state == .invalidStatementName {
      wire.statements.removeAll()
    } else if statements.indices.contains(position),
      let name = wire.statements.remove(StatementCache.Key(statements[position]))
    {
      wire.forgotten.append(name)
    }
  }

  /// Stores a failure after which the transaction cannot be committed.
  private mutating func record(_ failure: Failure) -> PostgresError {
    switch failure {
    case .lost, .cancelled: self.failure = failure.error
    case .refused(let refusal, _):
      if kind != .read && kind != .autocommit { self.failure = failure.error }
      if kind.onlyReads, refusal.state == .readOnlyTransaction {
        return .broken(refusal.state, detail: "statement writes where only reading is meant")
      }
    case .ours: break
    }
    return failure.error
  }

  // MARK: Ending

  /// Commits the closure's work, or rolls it back if required.
  mutating func finish() throws(PostgresError) {
    if let failure, !wantsRollback { throw failure }
    guard wire.isInStep, wire.hasOpenTransaction else { return }
    if kind.isSnapshot, !wantsRollback { return }
    guard kind == .transaction, !wantsRollback else { return rollBack() }
    guard ContinuousClock.now < deadline else { throw Failure.late.error }
    do throws(Failure) {
      try wire.perform(["COMMIT"], until: ending, uninterrupted: true) { _, _ in }
    } catch .lost {
      throw .outcomeUnknown
    } catch {
      throw error.error
    }
  }

  /// Rolls back uncommitted work. If that fails, the connection is closed, which does so as well.
  func rollBack() { end("ROLLBACK") }

  /// Ends a snapshot, in which nothing was written.
  func endSnapshot() { end("COMMIT") }

  private func end(_ statement: SQL) {
    guard wire.isInStep, wire.hasOpenTransaction else { return }
    do throws(Failure) {
      try wire.perform([statement], until: ending, uninterrupted: true) { _, _ in }
    } catch {
      wire.isInStep = false
    }
  }

  private var ending: ContinuousClock.Instant {
    max(deadline, ContinuousClock.now + Self.endingTime)
  }
}
