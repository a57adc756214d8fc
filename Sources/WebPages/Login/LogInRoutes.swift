import HTTPAPI
import HTTPServing
import ManagerAccess
import OperationCore

extension PageController {
  var logInRoutes: [AccessRoute] {
    [
      AccessRoute(
        .get, "/login", .anybody,
        Authenticator.renewing { request in
          // A token cannot open pages that need a session, so it would be redirected in a loop.
          if (try? await settings.authenticate(request))?.session != nil {
            return response(to: .seeOther(localPath(request.queryValue("next"))), for: nil)
          }
          var page = LogInPage(next: request.queryValue("next"))
          page.isSessionOver = request.queryValue("ended") == "1"
          return response(to: .page(page.page), for: nil)
        }),
      openForm("/login", bodyMax: 8_192, logIn),
      openForm("/logout", logOut),
    ]
  }

  private func logOut(_ request: HTTPRequest) async throws -> HTTPResponse {
    do {
      var answer = response(
        to: .seeOther("/login", cookie: try await settings.logOut(request)), for: nil)
      // The browser's cached pages are deleted as well.
      answer.headers["Clear-Site-Data"] = "\"cache\""
      return answer
    } catch OperationError.unauthorized {
      // Nobody was logged in.
      return response(to: .seeOther("/login"), for: nil)
    }
  }

  private func logIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    let form = try FormFields(request)
    var page = LogInPage(next: form["next"], email: form["email"])
    guard !form["email"].isEmpty, !form["password"].isEmpty else {
      page.fault = "Enter your e-mail address and password."
      return response(to: .page(page.page, status: 422), for: nil)
    }
    do {
      let cookie = try await settings.logIn(form["email"], form["password"], request)
      return response(to: .seeOther(localPath(form["next"]), cookie: cookie), for: nil)
    } catch let refusal as Refusal {
      page.fault = refusal.html
      var answer = response(to: .page(page.page, status: refusal.pageStatus), for: nil)
      answer.headers["Retry-After"] = refusal.problem.headers["Retry-After"]
      return answer
    }
  }
}

/// `next` if it is a page of this site, otherwise the board: a link to the login must not lead to
/// another site. Browsers treat `//host` and `/\host` as other sites, and remove tabs and line ends
/// first.
func localPath(_ next: String?) -> String {
  guard let next, next.utf8.count <= 1_000, next.utf8.first == UInt8(ascii: "/"),
    next.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
    !next.hasPrefix("//"), !next.hasPrefix("/login")
  else { return "/" }
  return next
}
