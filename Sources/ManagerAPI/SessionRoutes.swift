import APIJSON
import HTTPAPI
import HTTPServing
import InstallationOperations
import JSONText
import ManagerAccess
import ManagerCore
import ReadModels
import ShiftDomain

extension ManagerController {
  var sessionRoutes: [AccessRoute] {
    [
      AccessRoute(.post, "/v1/sessions", .anybody) { request in
        await answer { try await logIn(request) }
      },
      route(.get, "/v1/sessions", .account) { (_, principal) in
        let sessions = try await operations.installation.sessions(of: principal.account)
        return .object([
          "sessions": JSONValue(sessions) { session in
            session.json.adding(["current": .bool(session.session == principal.session)])
          }
        ])
      },
      route(.delete, "/v1/sessions/current", .account) { (request, _) in
        try await authenticator.logOut(request)
        return HTTPResponse(
          status: 204,
          headers: [
            "Set-Cookie": SessionCookie.clearing,
            "Clear-Site-Data": #""cache", "cookies", "storage""#,
          ])
      },
      route(.delete, "/v1/sessions/{session}", .account, endSession),
      route(.get, "/v1/account", .anyManager) { (_, principal) in .object(principal.json)
      },
      route(.put, "/v1/account/password", .account, changePassword),
    ]
  }

  private func logIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    let fields = try request.fields()
    try fields.allow("email", "password")
    let session = try await authenticator.logIn(
      email: fields.required("email", fields.text("email", min: 1, max: 254)),
      password: fields.required("password", fields.password("password")), as: request
    ).get()
    return .object(
      session.principal.json, status: 201,
      headers: ["Set-Cookie": SessionCookie.setting(session.secret)])
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
    let fields = try request.fields()
    try fields.allow("current", "wanted")
    let renewed = try await operations.installation.changePassword(
      from: fields.required("current", fields.password("current")),
      to: fields.required("wanted", fields.password("wanted")), in: session, of: account
    ).get()
    return HTTPResponse(
      status: 204, headers: ["Set-Cookie": SessionCookie.setting(renewed.secret)])
  }
}
