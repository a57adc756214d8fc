import HTTPAPI
import HTTPServing
import Lifecycle
import ManagerAccess
import ManagerCore
import ManagerOperations
import OperationCore
import ReviewOperations
import ShiftDomain

struct PageController: Sendable {
  let settings: PageSettings
  let operations: ManagerOperations
  let assets = Assets()
  let headers: PageHeaders

  init(_ settings: PageSettings, operations: ManagerOperations) {
    self.settings = settings
    self.operations = operations
    headers = PageHeaders(tiles: settings.tiles)
  }

  /// A page for managers. A visitor who is not logged in is redirected to the login and back; one
  /// who is, but without `access`, gets 404.
  func page(
    _ pattern: String, _ access: Access, cost: Cost = .light,
    _ handle: @escaping @Sendable (HTTPRequest, Principal) async throws -> PageAnswer
  ) -> AccessRoute {
    route(.get, pattern, access, cost: cost) { request, principal in
      try await handle(request, principal)
    }
  }

  /// A form for managers. Its page may be shown again, with the error.
  /// - Parameter bodyMax: Bytes.
  func form(
    _ pattern: String, _ access: Access, cost: Cost = .light, bodyMax: Int = 16_384,
    deadline: Duration? = nil,
    _ handle: @escaping @Sendable (HTTPRequest, FormFields, Principal) async throws -> PageAnswer
  ) -> AccessRoute {
    route(.post, pattern, access, cost: cost, bodyMax: bodyMax, deadline: deadline) {
      request, principal in
      try await handle(request, try FormFields(request), principal)
    }
  }

  /// A page or a form whose handler needs the session.
  func route(
    _ method: HTTPMethod, _ pattern: String, _ access: Access, cost: Cost = .light,
    bodyMax: Int = 16_384, deadline: Duration? = nil,
    _ handle: @escaping @Sendable (HTTPRequest, Principal) async throws -> PageAnswer
  ) -> AccessRoute {
    precondition(access.isForManagers, "\(pattern) is not a page for managers")
    return AccessRoute(
      method, pattern, access, cost: cost, bodyMax: bodyMax, deadline: deadline,
      admission: { request in
        var isPassed = false
        let refusal = await answer(request, access, at: .light) { (_, _) in
          isPassed = true
          return .seeOther("/")
        }
        return isPassed ? nil : refusal
      },
      Authenticator.renewing { request in await answer(request, access, at: cost, handle) })
  }

  /// A page that waits for its turn is soon shown as such; a form can only be sent again.
  private func patience(for request: HTTPRequest) -> Duration {
    request.isWrite ? .seconds(30) : settings.reportPatience
  }

  private func answer(
    _ request: HTTPRequest, _ access: Access, at cost: Cost,
    _ handle: (HTTPRequest, Principal) async throws -> PageAnswer
  ) async -> HTTPResponse {
    guard !request.isWrite || request.isFromOwnPage else { return foreignForm }
    var reader: Principal?
    do {
      let principal = try await settings.authenticate(request)
      reader = principal
      try await principal.check(access, in: request, operations)
      let heavyReads = operations.heavyReads
      let (read, place) = try await heavyReads.run(
        request, at: cost, for: principal, patience: patience(for: request)
      ) { try await handle(request, principal) }
      var answer = read
      if case .page(var page, let status) = answer {
        // What was done is done, and may have to be shown, whether or not this can be counted.
        do {
          page.waiting = try await operations.reviews.reviewCount(for: principal)
        } catch {
          settings.observer.report(error)
        }
        answer = .page(page, status: status)
      }
      return heavyReads.sending(response(to: answer, for: reader), in: place)
    } catch let busy as GateBusy where !request.isWrite {
      return response(to: .preparing(busy), for: reader)
    } catch OperationError.unauthorized, AccessFault.sessionRequired {
      // The address of a form leads to the page above it.
      let back = request.method == .get ? request.target : request.path
      let hadSession = SessionCookie.secret(in: request) != nil
      let query = Query().with("next", back).with("ended", hadSession ? "1" : nil)
      return response(to: .seeOther("/login" + query.text), for: nil)
    } catch {
      return response(to: failure(error), for: reader)
    }
  }

  func openForm(
    _ pattern: String, bodyMax: Int = 16_384,
    _ handle: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> AccessRoute {
    AccessRoute(.post, pattern, .anybody, bodyMax: bodyMax) { request in
      guard request.isFromOwnPage else { return foreignForm }
      do {
        return try await handle(request)
      } catch {
        return response(to: failure(error), for: nil)
      }
    }
  }

  /// The error page for `error`; our own errors are logged.
  func failure(_ error: any Error) -> PageAnswer {
    switch error {
    case OperationError.notFound, AccessFault.administratorRequired, is PageNotFound:
      return .page(.sorry("Page not found", .notFound), status: 404)
    case is RequestTargetError, is MultipartFault:
      return .page(.sorry("Invalid request", .unreadable), status: 400)
    case is GateBusy:
      return .page(.sorry("Service busy", .busy), status: 503)
    case OperationError.unavailable:
      settings.observer.report(error)
      return .page(.sorry("Service unavailable", .unavailable), status: 503)
    case OperationError.outcomeUnknown:
      settings.observer.report(error)
      return .page(.sorry("Outcome unknown", .unknown), status: 503)
    default:
      settings.observer.report(error)
      return .page(.sorry("Something went wrong", .broken), status: 500)
    }
  }

  func response(to answer: PageAnswer, for principal: Principal?) -> HTTPResponse {
    switch answer {
    case .page(let page, let status):
      HTTPResponse(
        status: status, headers: headers.fields,
        body: .bytes(page.html(for: principal, assets: assets).bytes))
    case .preparing(let busy):
      preparing(busy, for: principal)
    case .fragment(let html):
      HTTPResponse(headers: headers.fields, body: .bytes(html.bytes))
    case .download(let file): file
    case .seeOther(let place, let cookie):
      redirect(to: place, cookie: cookie)
    case .resend(let place):
      HTTPResponse(status: 307, headers: ["Location": place, "Cache-Control": "no-store"])
    }
  }

  private func preparing(_ busy: GateBusy, for principal: Principal?) -> HTTPResponse {
    var answer = response(to: .page(.preparing(busy), status: 202), for: principal)
    answer.headers["Refresh"] = String(GateBusy.retryAfterSeconds)
    return answer
  }

  private func redirect(to place: String, cookie: String?) -> HTTPResponse {
    var answer = HTTPResponse(
      status: 303, headers: ["Location": place, "Cache-Control": "no-store"])
    if let cookie { answer.headers.add("Set-Cookie", cookie) }
    return answer
  }

  private var foreignForm: HTTPResponse {
    response(to: .page(.sorry("Form not accepted", .foreign), status: 403), for: nil)
  }
}

/// The page does not exist, or the viewer may not see it.
struct PageNotFound: Error {}

extension HTTPRequest {
  fileprivate var target: String {
    let pairs = query.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
    return pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))"
  }
}

extension Page {
  enum Excuse {
    case notFound, unreadable, unavailable, busy, unknown, broken, foreign

    fileprivate var text: HTML {
      switch self {
      case .notFound: "It may have been removed, or you do not have access to it."
      case .unreadable: "The address or the form contains an error."
      case .unavailable:
        "The service is busy or cannot reach its database. Nothing was changed. Try again soon."
      case .busy: "Other large reports are being read. Nothing was changed. Try again soon."
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

  /// Shown until it is the page's turn; the browser asks again by itself.
  static func preparing(_ busy: GateBusy) -> Page {
    let standing: HTML? = busy.place.map { " This one is number \($0) in line." }
    return Page(
      title: "Preparing", section: nil,
      content: """
        <div class="sorry" role="status"><h1>Preparing the page</h1>\
        <p>Other large reports are being read.\(standing) The page opens by itself.</p></div>
        """)
  }
}
