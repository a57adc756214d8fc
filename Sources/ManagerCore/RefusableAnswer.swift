import OperationCore
import Postgres

/// The answer of a use case that may refuse the request. A refusal writes nothing.
package protocol RefusableAnswer: Sendable {
  associatedtype Granted

  /// - Throws: why the request was refused.
  func get() throws(Refusal) -> Granted
}

extension RefusableAnswer {
  fileprivate var isRefusal: Bool {
    do throws(Refusal) {
      _ = try get()
      return false
    } catch {
      return true
    }
  }
}

extension OperationCore {
  /// A transaction that is also rolled back if its answer is a refusal, whatever was written before
  /// that was known: a bumped version would make caches, boards and open apps read again.
  package func transact<Answer: RefusableAnswer>(
    within deadline: Duration? = nil,
    _ body: @Sendable (inout Session) throws(PostgresError) -> TransactionResult<Answer>
  ) async throws(OperationError) -> Answer {
    try await transact(within: deadline, after: nil) {
      (session) throws(PostgresError) -> TransactionResult<Answer> in
      let result = try body(&session)
      switch result {
      case .done(let answer), .queued(let answer):
        if answer.isRefusal { session.rollbackOnly() }
      case .refused, .lost: break
      }
      return result
    }
  }
}
