import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftStore

extension NotificationOperations {
  /// Sends a test e-mail to the account of `principal`.
  /// - Returns: The address, and what became of it.
  /// - Throws: `.notFound` for a principal without an account.
  package func sendTest(
    toAccountOf principal: Principal, by send: @Sendable (String) async -> TestMailResult
  ) async throws(OperationError) -> (address: String, result: TestMailResult) {
    let at = core.now()
    let address: String = try await core.transact { (session) throws(PostgresError) in
      guard let account = principal.account,
        let row = try accounts(number: account, on: &session).first?.row
      else { return .refused(.notFound("account")) }
      try audit(.testSent, by: principal, at: at, reason: "own account, by email", on: &session)
      return .done(row.email)
    }
    return (address, await send(address))
  }
}
