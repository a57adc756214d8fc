import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import ShiftDomain

extension ManagerController {
  /// Accounts: who may log in, and what they may see.
  var accountRoutes: [Route] {
    [
      route(.get, "/v1/accounts") { (_, _) in
        AccountStatus.accounts(try await operations.accounts())
      },
      route(.post, "/v1/accounts") { (request, requester) in
        let input = try NewAccountRequest(JSONFields(JSONValue(parsing: request.body)))
        return AccountStatus.added(
          try await operations.addAccount(
            email: input.email, input.settings, password: input.password, by: requester.principal))
      },
      route(.get, "/v1/accounts/{account}") { (request, _) in
        AccountStatus.account(try await operations.account(AccountID(in: request.parameters)))
      },
      route(.patch, "/v1/accounts/{account}", changeAccount),
    ]
  }

  /// `PATCH /v1/accounts/{account}`: all or nothing.
  private func changeAccount(_ request: HTTPRequest, _ requester: Requester) async throws
    -> HTTPResponse
  {
    let number = try AccountID(in: request.parameters)
    let changes = try AccountChanges(JSONFields(JSONValue(parsing: request.body)))
    try changes.check(after: try await operations.account(number).settings)
    return AccountStatus.answer(
      to: try await operations.changeAccount(
        number, matching: request.matchedTags, isDisabled: changes.isDisabled,
        password: changes.password, by: requester.principal
      ) { changes.applied(to: $0) })
  }

  /// The audit log.
  var auditRoutes: [Route] {
    [
      route(.get, "/v1/audit") { (request, _) in
        AccountStatus.audit(
          try await operations.auditEntries(
            about: nil, before: request.auditEntry(), limit: request.limit()))
      },
      route(.get, "/v1/employees/{employee}/audit") { (request, _) in
        AccountStatus.audit(
          try await operations.auditEntries(
            about: EmployeeID(in: request.parameters), before: request.auditEntry(),
            limit: request.limit()))
      },
    ]
  }
}
