import Lifecycle
import OperationCore

/// Shares one read among requests for the same key at the same time. The answer was read wholly
/// after the request: a request that comes during a read waits for the next one.
final class SharedReadings<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Answer = Result<Value, OperationError>

  private enum Turn: Sendable {
    /// Read, also for these other requests.
    case read(for: [Waiting])
    case answered(Answer)
  }
  private typealias Waiting = CheckedContinuation<Turn, Never>

  private let waiting = Lock<[Key: [Waiting]]>([:])

  func waitingCount(_ key: Key) -> Int { waiting.withLock { $0[key]?.count ?? 0 } }

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
    // If that request was cancelled, there is no result for the others.
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
