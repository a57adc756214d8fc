import Lifecycle

/// Lets many who ask for the same at the same time share one reading. What is answered was read
/// wholly after it was asked for: whoever comes while one is under way waits for the next.
final class SharedReadings<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Answer = Result<Value, OperationError>

  private enum Turn: Sendable {
    /// Read, for these others too.
    case read(for: [Waiting])
    case answered(Answer)
  }
  private typealias Waiting = CheckedContinuation<Turn, Never>

  /// Who waits for the next reading, by what is being read now.
  private let waiting = Lock<[Key: [Waiting]]>([:])

  /// How many wait for the next reading of `key`.
  func waitingCount(_ key: Key) -> Int { waiting.withLock { $0[key]?.count ?? 0 } }

  /// - Parameter read: Called by one of those who ask together.
  func value(
    of key: Key, _ read: () async throws(OperationError) -> Value
  ) async throws(OperationError) -> Value {
    switch await turn(at: key) {
    case .answered(let answer): return try answer.get()
    case .read(let others):
      let answer: Answer
      do throws(OperationError) {
        answer = .success(try await read())
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
      if isFirst { caller.resume(returning: .read(for: [])) }
    }
  }

  private func finish(_ key: Key, _ answer: Answer, _ others: [Waiting]) {
    // Who was cancelled found out nothing for the others.
    let isGivenUp = Task.isCancelled && answer.isFailure
    let next = waiting.withLock { waiting -> [Waiting] in
      let next = (isGivenUp ? others : []) + (waiting[key] ?? [])
      waiting[key] = next.isEmpty ? nil : []
      return next
    }
    if !isGivenUp { for other in others { other.resume(returning: .answered(answer)) } }
    next.first?.resume(returning: .read(for: Array(next.dropFirst())))
  }
}

extension Result {
  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
