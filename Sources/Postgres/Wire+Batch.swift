internal import CLibpq

extension Wire {
  /// Sends `batch` at once, with one synchronisation at its end, and reads all answers. The first
  /// failure ends the batch, and outside an explicit transaction nothing of it takes effect. What
  /// `each` throws is thrown once the connection is in step again. Between transactions, evicted
  /// statements are deallocated in the same round trip.
  func perform(
    _ batch: [SQL], until deadline: ContinuousClock.Instant, uninterrupted: Bool = false,
    _ each: (Int, consuming Rows) throws(PostgresError) -> Void
  ) throws(Failure) {
    for statement in batch {
      if let refusal = statement.parameters.refusal {
        throw .ours(.unstorable(detail: refusal))
      }
      // libpq would refuse it too, but in a way that looks like a lost connection.
      guard statement.parameters.slots.count <= Int(PQ_QUERY_PARAM_MAX_LIMIT) else {
        throw .ours(.broken(nil, detail: "statement with too many parameters"))
      }
    }
    let start = ContinuousClock.now
    if !uninterrupted {
      guard !interrupt.isRaised else { throw .cancelled }
      guard start < deadline else { throw .late }
    }
    isInStep = false
    roundTrips += 1
    defer { noteSlow(batch, .now - start) }
    let expected = try send(batch)
    try receive(expected, until: deadline, uninterrupted: uninterrupted, each)
    forgotten += statements.evict()
  }

  private func noteSlow(_ batch: [SQL], _ span: Duration) {
    guard span >= configuration.slowAfter else { return }
    configuration.noteSlow(
      SlowRoundTrip(
        applicationName: configuration.applicationName, statements: batch.map(\.text), span: span))
  }

  /// What the next answer belongs to.
  private enum Expected {
    case forgotten, synchronized
    case prepared(position: Int, key: StatementCache.Key, name: String)
    case rows(position: Int)

    var isSynchronized: Bool { if case .synchronized = self { true } else { false } }

    /// In the batch; `nil`: not of the batch.
    var position: Int? {
      switch self {
      case .forgotten, .synchronized: nil
      case .prepared(let position, _, _), .rows(let position): position
      }
    }
  }

  private func send(_ batch: [SQL]) throws(Failure) -> [Expected] {
    var expected: [Expected] = []
    if !forgotten.isEmpty, unsafe PQtransactionStatus(raw) == PQTRANS_IDLE {
      for name in forgotten {
        try queue(unsafe PQsendQueryParams(raw, "DEALLOCATE \(name)", 0, nil, nil, nil, nil, 1))
        expected.append(.forgotten)
      }
      // A transaction of their own: BEGIN sets no isolation level after another statement.
      try queue(unsafe PQpipelineSync(raw))
      expected.append(.synchronized)
      forgotten = []
    }
    var fresh: [StatementCache.Key: String] = [:]
    for (position, statement) in batch.enumerated() {
      guard !configuration.isPooled else {
        try queue(execute(nil, statement))
        expected.append(.rows(position: position))
        continue
      }
      let key = StatementCache.Key(statement)
      var name = statements.name(of: key) ?? fresh[key]
      if name == nil {
        let given = statements.newName()
        try queue(unsafe PQsendPrepare(raw, given, key.text, Int32(key.types.count), key.types))
        expected.append(.prepared(position: position, key: key, name: given))
        fresh[key] = given
        name = given
      }
      try queue(execute(name, statement))
      expected.append(.rows(position: position))
    }
    try queue(unsafe PQpipelineSync(raw))
    return expected
  }

  private func queue(_ accepted: Int32) throws(Failure) {
    guard accepted == 1 else { throw .brokenLine }
  }

  /// - Parameter name: Of the prepared statement; `nil`: it is not prepared.
  private func execute(_ name: String?, _ statement: SQL) -> Int32 {
    let parameters = statement.parameters
    let types = name == nil ? parameters.slots.map(\.type) : []
    let formats = [Int32](repeating: 1, count: parameters.slots.count)
    let lengths = parameters.slots.map { Int32(clamping: $0.length ?? 0) }
    return unsafe parameters.block.withUnsafeBytes { block in
      // libpq reads a null pointer as NULL, so an empty value needs an address as well.
      var nothing: CChar = 0
      return unsafe withUnsafePointer(to: &nothing) { empty in
        let start = unsafe block.baseAddress?.assumingMemoryBound(to: CChar.self) ?? empty
        let values = unsafe parameters.slots.map { slot in
          unsafe slot.length == nil ? nil : UnsafePointer<CChar>?(start + slot.start)
        }
        guard let name else {
          return unsafe PQsendQueryParams(
            raw, statement.text, Int32(values.count), types, values, lengths, formats, 1)
        }
        return unsafe PQsendQueryPrepared(
          raw, name, Int32(values.count), values, lengths, formats, 1)
      }
    }
  }

  private func receive(
    _ expected: [Expected], until deadline: ContinuousClock.Instant, uninterrupted: Bool,
    _ each: (Int, consuming Rows) throws(PostgresError) -> Void
  ) throws(Failure) {
    var failure: Failure?
    var next = 0
    while true {
      try awaitAnswer(until: deadline, uninterrupted: uninterrupted)
      // libpq ends each statement's answers with a null pointer.
      guard let pointer = unsafe PQgetResult(raw) else {
        next += 1
        guard next <= expected.count else { throw .lost(detail: "unexpected response") }
        continue
      }
      let result = unsafe RawResult(owning: pointer)
      switch result.status {
      case PGRES_PIPELINE_SYNC where next < expected.count && expected[next].isSynchronized:
        next += 1
      case PGRES_PIPELINE_SYNC:
        isInStep = true
        if let failure { throw failure }
        return
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
        guard failure == nil, next < expected.count else { continue }
        failure = accept(expected[next], result, each)
      case PGRES_PIPELINE_ABORTED: continue
      default:
        let refusal = Refusal(result)
        guard unsafe PQstatus(raw) == CONNECTION_OK, !refusal.isFatal, next < expected.count else {
          throw refusal.isFatal ? .lost(detail: "server closed it (\(refusal.state))") : .brokenLine
        }
        if refusal.state == .readOnlyTransaction { isReadOnly = true }
        // What the server has not, it need not deallocate.
        guard let position = expected[next].position else { continue }
        failure = failure ?? .refused(refusal, position: position)
      }
    }
  }

  private func accept(
    _ expected: Expected, _ result: consuming RawResult,
    _ each: (Int, consuming Rows) throws(PostgresError) -> Void
  ) -> Failure? {
    switch expected {
    case .forgotten, .synchronized: return nil
    case .prepared(_, let key, let name):
      statements.insert(key, name: name)
      return nil
    case .rows(let position):
      do throws(PostgresError) {
        try each(position, Rows(result))
        return nil
      } catch { return .ours(error) }
    }
  }

  /// Sends what remains to be sent and waits until an answer can be read without blocking.
  func awaitAnswer(
    until deadline: ContinuousClock.Instant, uninterrupted: Bool
  ) throws(Failure) {
    while true {
      let unsent = unsafe PQflush(raw)
      guard unsent >= 0 else { throw .brokenLine }
      if unsafe PQisBusy(raw) == 0 { return }
      try Wire.wait(
        unsent == 0 ? .readable : [.readable, .writable], on: unsafe PQsocket(raw),
        until: deadline, unless: uninterrupted ? nil : interrupt)
      guard unsafe PQconsumeInput(raw) == 1 else { throw .brokenLine }
    }
  }
}
