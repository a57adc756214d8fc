import APIJSON
import HTTPAPI
import HTTPServing
import InstallationOperations
import JSONText
import ManagerAccess
import ManagerCore
import ShiftDomain

extension ManagerController {
  var sessionRoutes: [AccessRoute] {
    [
      AccessRoute(.post, "/v1/sessions", .anybody) { request in
        await answer { try await logIn(request) }
      },
      route(.get, "/v1/sessions", .account) { (_, principal) in
        AccountStatus.sessions(
          try await operations.installation.sessions(of: principal.account),
          current: principal.session
        )
      },
      route(.delete, "/v1/sessions/current", .account) { (request, _) in
        try await authenticator.logOut(request)
        return AccountStatus.loggedOut
      },
      route(.delete, "/v1/sessions/{session}", .account, endSession),
      route(.get, "/v1/account", .anyManager) { (_, principal) in .object(principal.json)
      },
      route(.put, "/v1/account/password", .account, changePassword),
    ]
  }

  private func logIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    let input = try LoginRequest(JSONFields(JSONValue(parsing: request.body)))
    return AccountStatus.loggedIn(
      try await authenticator.logIn(email: input.email, password: input.password, as: request)
        .get())
  }

  /// `DELETE /v1/sessions/{session}`: the account's own sessions; for administrators, all sessions.
  private func endSession(_ request: HTTPRequest, _ principal: Principal) async throws
    -> HTTPResponse
  {
    let isAdministrator = principal.role == .administrator
    try await operations.installation.endSession(
      request.pathSession, of: isAdministrator ? nil : principal.account,
      by: principal)
    return HTTPResponse(status: 204)
  }

  private func changePassword(_ request: HTTPRequest, _ principal: Principal)
    async throws -> HTTPResponse
  {
    guard let session = principal.session, let account = principal.account else {
      throw AccessFault.sessionRequired
    }
    let input = try PasswordChangeRequest(JSONFields(JSONValue(parsing: request.body)))
    return AccountStatus.passwordChanged(
      try await operations.installation.changePassword(
        from: input.current, to: input.wanted, in: session, of: account
      ).get())
  }
}
