import Dispatch
import Postgres
import ShiftDomain
import TestKit
import Testing

/// Makes a closure on a connection's thread wait until the test opens it. Such a thread may block;
/// Swift's own threads must not, so `pass` is only for closures given to a pool.
struct Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Waits with a time limit: a broken test should fail, not hang.
  func pass() {
    if semaphore.wait(timeout: .now() + 600) == .timedOut { Issue.record("gate never opened") }
  }
}

extension Pool {
  /// Runs the statements of a text, to set up a test.
  func prepare(_ text: String) async throws(PostgresError) {
    try await read { session throws(PostgresError) in try session.script(text) }
  }

  /// The single number that a statement returns.
  func number(
    _ sql: SQL, _ deadline: Duration = TestDatabase.patience
  ) async throws(PostgresError) -> Int64 {
    try await read(deadline) { session throws(PostgresError) in try session.run(sql).value(0, 0) }
  }

  /// Returns once `count` callers wait for a connection.
  func untilWaiting(_ count: Int) async {
    while load.waiting < count { await Task.yield() }
  }
}

extension Duration {
  /// Work that takes longer than this hangs. Generous, because test machines are busy.
  static let soon = Duration.seconds(60)
}

/// The error of `work`, and how long it took.
func failure<Value>(
  _ work: () async throws(PostgresError) -> Value
) async -> (error: PostgresError?, after: Duration) {
  let start = ContinuousClock.now
  do throws(PostgresError) {
    _ = try await work()
    return (nil, start.duration(to: .now))
  } catch {
    return (error, start.duration(to: .now))
  }
}

extension PostgresError {
  var isUnavailable: Bool {
    if case .unavailable = self { true } else { false }
  }
}

/// Waits for a gate from a task, on a thread that may block.
func untilOpen(_ gate: Gate) async {
  await withCheckedContinuation { opened in
    DispatchQueue(label: "gate").async {
      gate.pass()
      opened.resume()
    }
  }
}
