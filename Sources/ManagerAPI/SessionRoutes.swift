import HTTPAPI
import HTTPServing
import JSONText
import ShiftDomain
import ShiftOperations

extension ManagerController {
  /// Login, logout and the user's own account.
  var sessionRoutes: [Route] {
    [
      openRoute(.post, "/v1/sessions", logIn),
      route(.get, "/v1/sessions") { (_, requester) in
        AccountStatus.sessions(
          try await operations.sessions(of: requester.principal.account), current: requester.session
        )
      },
      route(.delete, "/v1/sessions/current") { (request, _) in
        try await authenticator.logOut(request)
        return AccountStatus.loggedOut
      },
      route(.delete, "/v1/sessions/{session}", endSession),
      route(.get, "/v1/account") { (_, requester) in .object(requester.principal.json) },
      route(.put, "/v1/account/password", changePassword),
    ]
  }

  /// `POST /v1/sessions`
  private func logIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    let input = try LoginRequest(JSONFields(JSONValue(parsing: request.body)))
    return AccountStatus.answer(
      to: try await authenticator.logIn(email: input.email, password: input.password, as: request))
  }

  /// `DELETE /v1/sessions/{session}`: the account's own sessions; for administrators, all sessions.
  private func endSession(_ request: HTTPRequest, _ requester: Requester) async throws
    -> HTTPResponse
  {
    let isAdministrator = requester.principal.role == .administrator
    try await operations.endSession(
      SessionID(in: request.parameters), of: isAdministrator ? nil : requester.principal.account,
      by: requester.principal)
    return HTTPResponse(status: 204)
  }

  /// `PUT /v1/account/password`
  private func changePassword(_ request: HTTPRequest, _ requester: Requester)
    async throws -> HTTPResponse
  {
    guard let session = requester.session, let account = requester.principal.account else {
      throw AccessFault.sessionRequired
    }
    let input = try PasswordChangeRequest(JSONFields(JSONValue(parsing: request.body)))
    return AccountStatus.answer(
      to: try await operations.changePassword(
        from: input.current, to: input.wanted, in: session, of: account))
  }
}
