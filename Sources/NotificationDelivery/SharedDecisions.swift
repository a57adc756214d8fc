import BackgroundOperations
import Lifecycle
import OperationCore

/// Decides about several employees in one transaction: those who wait while others are decided on.
/// One whose notifications go to managers, or with whom the transaction fails, is decided on alone.
struct SharedDecisions: Sendable {
  private static let bounds = SharedRoundBounds(
    roundMax: 24, waitingMax: .max, writers: 2, anotherFrom: 1, linger: .zero)

  private let operations: BackgroundOperations
  private let breakers: Breakers
  private let rounds: SharedRounds<DeliveryTurn, Result<TurnDecision, OperationError>>

  init(_ operations: BackgroundOperations, _ breakers: Breakers) {
    (self.operations, self.breakers) = (operations, breakers)
    rounds = SharedRounds(Self.bounds) { turns in
      do throws(OperationError) {
        return try await operations.decideDeliveries(turns, held: breakers.held()).map {
          .success($0)
        }
      } catch {
        // While the database cannot be reached, all would fail again one by one.
        let isOfAll = turns.count == 1 || error.isUnavailable
        return turns.map { isOfAll ? .failure(error) : .success(.alone($0)) }
      }
    }
  }

  /// What is to be sent about the employee of `turn`. Completed although the caller is cancelled.
  func sendings(for turn: DeliveryTurn) async throws(OperationError) -> [Sending] {
    guard let result = await rounds.submit(turn, weight: 1) else {
      throw .unavailable(detail: "too many notifications wait")
    }
    switch try result.get() {
    case .send(let sendings): return sendings
    case .alone(let turn):
      let alone: Result<[TurnDecision], OperationError> = await shielded {
        do throws(OperationError) {
          return .success(try await operations.decideDeliveries([turn], held: breakers.held()))
        } catch {
          return .failure(error)
        }
      }
      guard case .send(let sendings)? = try alone.get().first else { return [] }
      return sendings
    }
  }
}
