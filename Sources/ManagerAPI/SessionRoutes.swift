import APIMessages
import HTTPServing
import JSONText
import ShiftDomain
import ShiftOperations

extension ManagerDesk {
  /// Login, logout and the user's own account.
  var sessionRoutes: [Route] {
    [
      openRoute(.post, "/v1/sessions", logIn),
      route(.get, "/v1/sessions") { (_, caller) in
        AccountStatus.sessions(
          try await operations.sessions(of: caller.viewer.account), current: caller.session)
      },
      route(.delete, "/v1/sessions/current") { (request, _) in
        try await door.logOut(request)
        return AccountStatus.loggedOut
      },
      route(.delete, "/v1/sessions/{session}", endSession),
      route(.get, "/v1/account") { (_, caller) in .object(caller.viewer.message) },
      route(.put, "/v1/account/password", changePassword),
    ]
  }

  /// `POST /v1/sessions`
  private func logIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    let wish = try LoginWish(JSONFields(JSONValue(parsing: request.body)))
    return AccountStatus.answer(
      to: try await door.logIn(email: wish.email, password: wish.password, as: request))
  }

  /// `DELETE /v1/sessions/{session}`: the account's own sessions; for administrators, all sessions.
  private func endSession(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    let isAdministrator = caller.viewer.role == .administrator
    try await operations.endSession(
      SessionID(in: request.parameters), of: isAdministrator ? nil : caller.viewer.account,
      by: caller.viewer)
    return HTTPResponse(status: 204)
  }

  /// `PUT /v1/account/password`
  private func changePassword(_ request: HTTPRequest, _ caller: Caller)
    async throws -> HTTPResponse
  {
    guard let session = caller.session, let account = caller.viewer.account else {
      throw AccessFault.sessionNeeded
    }
    let wish = try PasswordWish(JSONFields(JSONValue(parsing: request.body)))
    return AccountStatus.answer(
      to: try await operations.changePassword(
        from: wish.current, to: wish.wanted, in: session, of: account))
  }
}
