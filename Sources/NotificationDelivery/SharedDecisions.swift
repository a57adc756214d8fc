import BackgroundOperations
import Lifecycle
import OperationCore

/// Decides about several employees in one transaction: those who wait while others are decided on.
/// One whose notifications go to managers, or with whom the transaction fails, is decided on alone.
struct SharedDecisions: Sendable {
  private typealias Decision = Result<TurnDecision, OperationError>

  private static let bounds = SharedRoundBounds(
    roundMax: 24, waitingMax: .max, writers: 2, anotherFrom: 1, linger: .zero)
  private static let cancelled = OperationError.unavailable(detail: "cancelled")
  /// How often releasing a lease is tried, a second apart.
  private static let releasesMax = 5

  private let operations: BackgroundOperations
  private let breakers: Breakers
  private let rounds: SharedRounds<WaitingTurn, Decision>

  init(_ operations: BackgroundOperations, _ breakers: Breakers) {
    (self.operations, self.breakers) = (operations, breakers)
    rounds = SharedRounds(Self.bounds) { waiting in
      let turns: [DeliveryTurn?] = waiting.map { $0.isCancelled ? nil : $0.turn }
      var decisions = await Self.decide(turns.compactMap { $0 }, operations, breakers)[...]
      return turns.map { turn in
        guard turn != nil, let decision = decisions.popFirst() else {
          return .failure(Self.cancelled)
        }
        return decision
      }
    }
  }

  private static func decide(
    _ turns: [DeliveryTurn], _ operations: BackgroundOperations, _ breakers: Breakers
  ) async -> [Decision] {
    guard !turns.isEmpty else { return [] }
    do throws(OperationError) {
      return try await operations.decideDeliveries(turns, held: breakers.held()).map {
        .success($0)
      }
    } catch {
      // Also if it took too long, because of one of them perhaps.
      return turns.count == 1 ? [.failure(error)] : turns.map { .success(.alone($0)) }
    }
  }

  /// What is to be sent about the employee of `turn`. If the caller is cancelled, it is still
  /// completed once it has begun.
  func sendings(for turn: DeliveryTurn) async throws(OperationError) -> [Sending] {
    let waiting = WaitingTurn(turn)
    let result = await withTaskCancellationHandler {
      await rounds.submit(waiting, weight: 1)
    } onCancel: {
      waiting.cancel()
    }
    guard let result else { throw .unavailable(detail: "too many notifications wait") }
    switch try result.get() {
    case .send(let sendings): return sendings
    case .alone(let turn) where turn == waiting.turn && waiting.isCancelled: throw Self.cancelled
    case .alone(let turn): return try await decideAlone(turn).get()
    }
  }

  private func decideAlone(_ turn: DeliveryTurn) async -> Result<[Sending], OperationError> {
    await shielded { () async -> Result<[Sending], OperationError> in
      do throws(OperationError) {
        let decisions = try await operations.decideDeliveries([turn], held: breakers.held())
        guard case .send(let sendings)? = decisions.first else { return .success([]) }
        return .success(sendings)
      } catch {
        await release(turn)
        return .failure(error)
      }
    }
  }

  /// Otherwise nobody would process its notifications before their leases end.
  private func release(_ turn: DeliveryTurn) async {
    for _ in 0..<Self.releasesMax {
      do throws(OperationError) {
        return try await operations.release(turn)
      } catch {
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }
}

/// A turn that waits for a transaction.
private final class WaitingTurn: Sendable {
  let turn: DeliveryTurn
  private let cancellation = Lock(false)

  init(_ turn: DeliveryTurn) { self.turn = turn }

  /// Whether its caller was cancelled: then nothing is begun for it.
  var isCancelled: Bool { cancellation.withLock { $0 } }

  func cancel() { cancellation.withLock { $0 = true } }
}
