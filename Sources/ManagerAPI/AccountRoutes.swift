import APIMessages
import HTTPServing
import JSONText
import ShiftDomain
import ShiftOperations

extension ManagerDesk {
  /// Accounts: who may log in, and what they may see.
  var accountRoutes: [Route] {
    [
      route(.get, "/v1/accounts") { (_, _) in
        AccountStatus.accounts(try await operations.accounts())
      },
      route(.post, "/v1/accounts") { (request, caller) in
        let wish = try NewAccountWish(JSONFields(JSONValue(parsing: request.body)))
        return AccountStatus.added(
          try await operations.addAccount(
            email: wish.email, wish.settings, password: wish.password, by: caller.viewer))
      },
      route(.get, "/v1/accounts/{account}") { (request, _) in
        AccountStatus.account(try await operations.account(AccountID(in: request.parameters)))
      },
      route(.patch, "/v1/accounts/{account}", changeAccount),
    ]
  }

  /// `PATCH /v1/accounts/{account}`: all or nothing.
  private func changeAccount(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse
  {
    let number = try AccountID(in: request.parameters)
    let changes = try AccountChanges(JSONFields(JSONValue(parsing: request.body)))
    try changes.check(after: try await operations.account(number).settings)
    return AccountStatus.answer(
      to: try await operations.changeAccount(
        number, matching: request.matchedTags, isDisabled: changes.isDisabled,
        password: changes.password, by: caller.viewer
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
