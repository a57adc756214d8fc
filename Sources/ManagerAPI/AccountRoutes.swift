import APIJSON
import HTTPAPI
import HTTPServing
import InstallationOperations
import JSONText
import ManagerCore
import ReadModels
import ShiftDomain

extension ManagerController {
  var accountRoutes: [AccessRoute] {
    [
      route(.get, "/v1/accounts", .administrator) { (_, _) in
        let accounts = try await operations.installation.accounts()
        return .object(["accounts": JSONValue(accounts) { $0.json }])
      },
      route(.post, "/v1/accounts", .administrator) { (request, principal) in
        let input = try NewAccountRequest(request.fields())
        return AccountStatus.account(
          try await operations.installation.addAccount(
            email: input.email, input.settings, password: input.password, by: principal
          ).get(), status: 201)
      },
      route(.get, "/v1/accounts/{account}", .administrator) { (request, _) in
        AccountStatus.account(try await operations.installation.account(request.pathAccount))
      },
      route(.patch, "/v1/accounts/{account}", .administrator, changeAccount),
    ]
  }

  /// `PATCH /v1/accounts/{account}`: all or nothing.
  private func changeAccount(_ request: HTTPRequest, _ principal: Principal) async throws
    -> HTTPResponse
  {
    let number = try request.pathAccount
    let changes = try AccountChanges(request.fields())
    try changes.check(after: try await operations.installation.account(number).settings)
    return AccountStatus.account(
      try await operations.installation.changeAccount(
        number, matching: request.matchedTags, isDisabled: changes.isDisabled,
        password: changes.password, by: principal
      ) { changes.applied(to: $0) }.get())
  }
}
