import APIMessages
import HTTPServing
import JSONText
import ShiftDomain
import ShiftOperations

extension ManagerDesk {
  /// Who may log in, and what they may see.
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
        .object(try await operations.account(AccountID(in: request.parameters)).message)
      },
      route(.patch, "/v1/accounts/{account}", changeAccount),
    ]
  }

  /// `PATCH /v1/accounts/{account}`: one thing after the other, each whole or not at all.
  private func changeAccount(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse
  {
    let number = try AccountID(in: request.parameters)
    let changes = try AccountChanges(JSONFields(JSONValue(parsing: request.body)))
    let present = try await operations.account(number).settings
    var outcome = try await operations.changeAccount(
      number, to: changes.applied(to: present), by: caller.viewer)
    if case .kept = outcome, let isDisabled = changes.isDisabled {
      outcome = try await operations.setAccount(
        number, isDisabled: isDisabled, by: caller.viewer)
    }
    if case .kept = outcome, let password = changes.password {
      outcome = try await operations.resetPassword(of: number, to: password, by: caller.viewer)
    }
    return AccountStatus.answer(to: outcome)
  }

  /// Who looked at or did what.
  var auditRoutes: [Route] {
    [
      route(.get, "/v1/audit") { (request, _) in
        AccountStatus.audit(
          try await operations.auditEntries(
            about: nil, before: request.entry(), limit: request.limit()))
      },
      route(.get, "/v1/employees/{employee}/audit") { (request, _) in
        AccountStatus.audit(
          try await operations.auditEntries(
            about: EmployeeID(in: request.parameters), before: request.entry(),
            limit: request.limit()))
      },
    ]
  }
}

extension AccountID {
  /// The account that a path names; a number that none can have is none.
  init(in parameters: [String: String]) throws(OperationError) {
    self.init(try number(of: "account", in: parameters))
  }
}

extension HTTPRequest {
  /// The entry of the log before which to go on; `nil`: from the newest.
  func entry() throws(QueryFault) -> Int64? {
    guard let text = queryValue("before") else { return nil }
    guard let id = Int64(text), id > 0 else {
      throw QueryFault("before", "must be the `next` of a page before")
    }
    return id
  }
}
