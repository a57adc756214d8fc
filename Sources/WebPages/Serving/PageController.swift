import HTTPAPI
import HTTPServing
import ShiftDomain
import ShiftOperations

/// Authenticates and answers the requests of pages.
struct PageController: Sendable {
  let settings: PageSettings
  let operations: Operations
  let assets = Assets()
  let headers: PageHeaders

  init(_ settings: PageSettings, operations: Operations) {
    self.settings = settings
    self.operations = operations
    headers = PageHeaders(tiles: settings.tiles)
  }

  /// A page for the roles in the access table. Requests without a session are redirected to the
  /// login and back; everyone else gets 404.
  func page(
    _ pattern: String,
    _ handle: @escaping @Sendable (HTTPRequest, Principal) async throws -> PageAnswer
  ) -> Route {
    route(.get, pattern) { request, requester in try await handle(request, requester.principal) }
  }

  /// A form for the roles in the access table. Its page may be shown again, with the error.
  /// - Parameters:
  ///   - bodyMax: The maximum size of the form in bytes.
  ///   - deadline: The maximum duration.
  func form(
    _ pattern: String, bodyMax: Int = 16_384, deadline: Duration = .seconds(15),
    _ handle: @escaping @Sendable (HTTPRequest, FormFields, Principal) async throws -> PageAnswer
  ) -> Route {
    route(.post, pattern, bodyMax: bodyMax, deadline: deadline) { request, requester in
      try await handle(request, try FormFields(request), requester.principal)
    }
  }

  /// A page or a form whose handler needs the session.
  func route(
    _ method: HTTPMethod, _ pattern: String, bodyMax: Int = 16_384,
    deadline: Duration = .seconds(15),
    _ handle: @escaping @Sendable (HTTPRequest, Authenticator.Requester) async throws -> PageAnswer
  ) -> Route {
    let access = Access.asked(method, pattern)
    precondition(access != .anybody && access != .device, "\(pattern) is not a page for managers")
    return Route(
      method, pattern, bodyMax: bodyMax, deadline: deadline,
      admission: { request in
        var isPassed = false
        let refusal = await answer(request, access) { (_, _) in
          isPassed = true
          return .seeOther("/")
        }
        return isPassed ? nil : refusal
      },
      Authenticator.renewing { request in await answer(request, access, handle) })
  }

  private func answer(
    _ request: HTTPRequest, _ access: Access,
    _ handle: (HTTPRequest, Authenticator.Requester) async throws -> PageAnswer
  ) async -> HTTPResponse {
    guard !request.isWrite || request.isFromOurPages else {
      return response(to: foreignForm, for: nil)
    }
    var reader: Principal?
    do {
      let requester = try await settings.authenticate(request)
      reader = requester.principal
      try await requester.check(access, in: request, operations)
      return response(to: try await handle(request, requester), for: reader)
    } catch OperationError.unauthorized, AccessFault.sessionRequired {
      let back = request.method == .get ? request.target : nil
      return response(to: .seeOther("/login" + Query().with("next", back).text), for: nil)
    } catch {
      return response(to: failure(error), for: reader)
    }
  }

  /// The error page for `error`; our own errors are logged.
  func failure(_ error: any Error) -> PageAnswer {
    switch error {
    case OperationError.notFound, AccessFault.administratorRequired, is PageNotFound:
      return .page(.sorry("Page not found", .notFound), status: 404)
    case is RequestTargetError:
      return .page(.sorry("Invalid request", .unreadable), status: 400)
    case OperationError.unavailable(let detail):
      settings.observer.failed("unavailable: \(detail)")
      return .page(.sorry("Service unavailable", .unavailable), status: 503)
    case OperationError.outcomeUnknown:
      settings.observer.failed("outcome unknown")
      return .page(.sorry("Outcome unknown", .unknown), status: 503)
    case let error as OperationError:
      settings.observer.failed("broken: \(error)")
      return .page(.sorry("Something went wrong", .broken), status: 500)
    default:
      // Its text might contain personal data.
      settings.observer.failed("unexpected \(type(of: error))")
      return .page(.sorry("Something went wrong", .broken), status: 500)
    }
  }

  func response(to answer: PageAnswer, for principal: Principal?) -> HTTPResponse {
    switch answer {
    case .page(let page, let status):
      HTTPResponse(
        status: status, headers: headers.fields,
        body: .bytes(page.html(for: principal, assets: assets).bytes))
    case .fragment(let html):
      HTTPResponse(headers: headers.fields, body: .bytes(html.bytes))
    case .seeOther(let place, let cookie):
      redirect(to: place, cookie: cookie)
    }
  }

  private func redirect(to place: String, cookie: String?) -> HTTPResponse {
    var answer = HTTPResponse(
      status: 303, headers: ["Location": place, "Cache-Control": "no-store"])
    if let cookie { answer.headers.add("Set-Cookie", cookie) }
    return answer
  }

  /// The answer to a form that another site sent.
  var foreignForm: PageAnswer {
    .page(.sorry("Form not accepted", .foreign), status: 403)
  }
}

/// The page does not exist, or the viewer may not see it.
struct PageNotFound: Error {}

extension Route {
  /// A route that needs no login, which the access table must allow.
  /// - Parameter row: Its pattern in the table; `nil`: the same as `pattern`.
  static func open(
    _ method: HTTPMethod, _ pattern: String, row: String? = nil, bodyMax: Int = 16_384,
    isBrief: Bool = false, _ handler: @escaping Router.Handler
  ) -> Route {
    precondition(
      Access.asked(method, row ?? pattern) == .anybody, "\(pattern) is not for anybody")
    return Route(method, pattern, bodyMax: bodyMax, isBrief: isBrief, handler)
  }
}

extension HTTPRequest {
  /// Path and query as in a link.
  fileprivate var target: String {
    let pairs = query.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
    return pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))"
  }

  /// Whether a form on a page of this site sent it, according to the browser. A browser that sends
  /// neither header is too old to be trusted.
  /// - Source: OWASP CSRF Prevention Cheat Sheet, Fetch Metadata and Origin.
  var isFromOurPages: Bool {
    if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" }
    guard let origin = headers["Origin"], let host = headers["Host"] else { return false }
    return origin == "https://\(host)" || origin == "http://\(host)"
  }
}

extension Page {
  /// The reason for an error page.
  enum Excuse {
    case notFound, unreadable, unavailable, unknown, broken, foreign

    fileprivate var text: HTML {
      switch self {
      case .notFound: "It may have been removed, or you do not have access to it."
      case .unreadable: "The address or the form contains an error."
      case .unavailable:
        "The service is busy or cannot reach its database. Nothing was changed. Try again soon."
      case .unknown:
        "The database did not confirm the change. Check whether it was saved before you retry."
      case .broken: "This is an error in ShiftGuard. It was logged."
      case .foreign:
        "It was not sent from this site, so nothing was changed. Open the page again and retry."
      }
    }
  }

  static func sorry(_ title: String, _ excuse: Excuse) -> Page {
    Page(
      title: title, section: nil,
      content: """
        <div class="sorry"><h1>\(title)</h1><p>\(excuse.text)</p>\
        <p><a class="button" href="/">Go to the board</a></p></div>
        """)
  }
}
