import Cryptography
import Lifecycle
import OperationCore

/// Checks passwords one at a time, on separate threads: each check takes a third of a second of a
/// core and 32 MiB, and phones must not wait for guessers. Shared by the whole process.
package final class PasswordWork: Sendable {
  private static let atOnceMax = 1
  private static let insideMax = 24

  private struct State {
    var inside = 0
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let cost: ScryptCost
  private let state = Lock(State())

  package init(cost: ScryptCost = .usual) { self.cost = cost }

  func hash(_ password: [UInt8]) async throws(OperationError) -> PasswordHash {
    let cost = cost
    return try await run { () throws(ScryptFailure) in try PasswordHash(of: password, cost: cost) }
  }

  /// Without a hash the answer is `false`, after the same time.
  /// - Throws: `.unavailable` when there is no memory.
  func matches(_ password: [UInt8], _ hash: PasswordHash?) async throws(OperationError) -> Bool {
    let cost = cost
    return try await run { () throws(ScryptFailure) in
      guard let hash else {
        _ = try PasswordHash(of: password, cost: cost)
        return false
      }
      return try hash.matches(password)
    }
  }

  /// Admits a request that brings a password; must be followed by `leave`.
  /// - Throws: `.unavailable` when too many are waiting: they must not fill the connections that
  ///   phones need, nor wait for longer than they would.
  func enter() throws(OperationError) {
    let isIn = state.withLock { state in
      guard state.inside < Self.insideMax else { return false }
      state.inside += 1
      return true
    }
    guard isIn else { throw .unavailable(detail: "too many logins at the same time") }
  }

  func leave() { state.withLock { $0.inside -= 1 } }

  private func run<Answer: Sendable>(
    _ work: @escaping @Sendable () throws(ScryptFailure) -> Answer
  ) async throws(OperationError) -> Answer {
    await takePlace()
    let result: Result<Answer, ScryptFailure>? = await withCheckedContinuation { continuation in
      let isStarted = OwnThread.start {
        do throws(ScryptFailure) {
          continuation.resume(returning: .success(try work()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      if !isStarted { continuation.resume(returning: nil) }
    }
    leavePlace()
    guard case .success(let answer) = result else {
      throw .unavailable(detail: "no thread or memory to check a password")
    }
    return answer
  }

  private func takePlace() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.running >= Self.atOnceMax else {
          state.running += 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  /// Lets the longest-waiting one run.
  private func leavePlace() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.running -= 1
      return nil
    }
    next?.resume()
  }
}
