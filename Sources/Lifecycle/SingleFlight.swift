/// Runs one piece of work for a key at a time, and shares its result among callers. Each gets one
/// of work that began after it asked: who comes while some is under way waits for the next.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable
{
  private typealias Answer = Result<Value, Failure>

  private enum Turn: Sendable {
    /// Work, also for these other callers.
    case work(for: [Waiting])
    case answered(Answer)
  }
  private typealias Waiting = CheckedContinuation<Turn, Never>

  private let waiting = Lock<[Key: [Waiting]]>([:])

  public init() {}

  func waitingCount(_ key: Key) -> Int { waiting.withLock { $0[key]?.count ?? 0 } }

  /// - Parameter work: Run in the caller's task, or not at all.
  public func value(
    of key: Key, _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    switch await turn(at: key) {
    case .answered(let answer): return try answer.get()
    case .work(let others):
      let answer: Answer
      do throws(Failure) {
        answer = .success(try await work())
      } catch {
        answer = .failure(error)
      }
      finish(key, answer, others)
      return try answer.get()
    }
  }

  private func turn(at key: Key) async -> Turn {
    await withCheckedContinuation { caller in
      let isFirst = waiting.withLock { waiting in
        if waiting[key] == nil {
          waiting[key] = []
          return true
        }
        waiting[key]?.append(caller)
        return false
      }
      if isFirst { caller.resume(returning: .work(for: [])) }
    }
  }

  private func finish(_ key: Key, _ answer: Answer, _ others: [Waiting]) {
    // If that caller was cancelled, there is no result for the others.
    let isGivenUp = Task.isCancelled && answer.isFailure
    let next = waiting.withLock { waiting -> [Waiting] in
      let next = (isGivenUp ? others : []) + (waiting[key] ?? [])
      waiting[key] = next.isEmpty ? nil : []
      return next
    }
    if !isGivenUp { for other in others { other.resume(returning: .answered(answer)) } }
    next.first?.resume(returning: .work(for: Array(next.dropFirst())))
  }
}

extension SingleFlight where Key == Bool {
  /// For work of which there is only one kind.
  public func value(_ work: () async throws(Failure) -> Value) async throws(Failure) -> Value {
    try await value(of: true, work)
  }
}

extension Result {
  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
