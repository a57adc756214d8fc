public import Dispatch
public import Postgres

extension Pool {
  /// Runs `body` while a transaction that has done `work` stays open, with its locks: until `body`
  /// signals or returns.
  @discardableResult
  public func holding<Answer>(
    _ work: @escaping @Sendable (inout Session) throws(PostgresError) -> Void,
    during body: (DispatchSemaphore) async throws -> Answer
  ) async throws -> Answer {
    let release = DispatchSemaphore(value: 0)
    let (done, finish) = AsyncStream<Never>.makeStream()
    async let holder: Void = transaction(TestDatabase.patience) {
      (session) throws(PostgresError) in
      // Also if it fails: then nobody waits for what does not come.
      defer { finish.finish() }
      try work(&session)
      finish.finish()
      release.wait()
    }
    defer { release.signal() }
    for await _ in done {}
    let answer = try await body(release)
    release.signal()
    try await holder
    return answer
  }
}
