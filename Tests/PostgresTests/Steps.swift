import Dispatch
import Postgres
import ShiftDomain
import Testing

/// Where a closure on a connection's thread waits until the test lets it go on. Such a thread may
/// block; a thread of Swift's may not, so `pass` is for closures given to a pool only.
struct Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Waits, yet not for ever: a broken test shall fail, not hang.
  func pass() {
    if semaphore.wait(timeout: .now() + 20) == .timedOut { Issue.record("gate never opened") }
  }
}

extension Pool {
  /// Runs a text of statements, for a test's set-up.
  func prepare(_ text: String) async throws(PostgresError) {
    try await read { session throws(PostgresError) in try session.script(text) }
  }

  /// The one number a statement answers.
  func number(_ sql: SQL, _ deadline: Duration = .seconds(5)) async throws(PostgresError) -> Int64 {
    try await read(deadline) { session throws(PostgresError) in try session.run(sql).value(0, 0) }
  }

  /// Returns once as many callers wait for a connection.
  func untilWaiting(_ count: Int) async {
    while load.waiting < count { await Task.yield() }
  }
}

extension Duration {
  /// What takes longer than this hangs. Generous, for test machines are busy.
  static let soon = Duration.seconds(3)
}

/// The error of `work`, and how long it took to come.
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
