import Cryptography
import Lifecycle

/// Where passwords are tried: on threads of their own, for each takes a third of a second, and few
/// at a time, for each takes 32 MiB. Shared by all that tries passwords in a process.
public final class PasswordWork: Sendable {
  private static let atOnceMax = 2
  private static let waitingMax = 32

  private struct State {
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let cost: ScryptCost
  private let state = Lock(State())

  /// - Parameter cost: What a password that is set from now on costs; tests take less.
  public init(cost: ScryptCost = .usual) { self.cost = cost }

  /// What is kept of `password`.
  /// - Throws: `.unavailable` when too many wait already, or there is no memory.
  func hash(_ password: [UInt8]) async throws(OperationError) -> PasswordHash {
    let cost = cost
    return try await run { () throws(ScryptFailure) in try PasswordHash(of: password, cost: cost) }
  }

  /// Whether `hash` is that of `password`. Without a hash it is not, and takes as long.
  /// - Throws: `.unavailable` when too many wait already, or there is no memory.
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

  private func run<Answer: Sendable>(
    _ work: @escaping @Sendable () throws(ScryptFailure) -> Answer
  ) async throws(OperationError) -> Answer {
    guard await takePlace() else {
      throw .unavailable(detail: "too many passwords are being tried")
    }
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
      throw .unavailable(detail: "no thread or no memory to try a password")
    }
    return answer
  }

  /// Waits for a place; `false`: too many wait already.
  private func takePlace() async -> Bool {
    enum Turn { case now, later, never }
    let turn: Turn = state.withLock { state in
      guard state.running >= Self.atOnceMax else {
        state.running += 1
        return .now
      }
      return state.waiting.count < Self.waitingMax ? .later : .never
    }
    guard turn == .later else { return turn == .now }
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        // A place may have become free since.
        guard state.running >= Self.atOnceMax else {
          state.running += 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
    return true
  }

  /// Hands the place on to who waits longest.
  private func leavePlace() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.running -= 1
      return nil
    }
    next?.resume()
  }
}
