import APIMessages
import HTTPServing
import ShiftDomain
import ShiftOperations

/// Where people's requests are let in and answered.
struct PageDesk: Sendable {
  let settings: PageSettings
  let operations: Operations
  let assets = Assets()
  let headers: PageHeaders

  init(_ settings: PageSettings, operations: Operations) {
    self.settings = settings
    self.operations = operations
    headers = PageHeaders(tiles: settings.tiles)
  }

  /// A page for whom the table of access says. Others are sent to log in, and come back; and to
  /// whom it is not to be seen there is no such page.
  func page(
    _ pattern: String,
    _ handle: @escaping @Sendable (HTTPRequest, Viewer) async throws -> PageAnswer
  ) -> Route {
    route(.get, pattern) { request, caller in try await handle(request, caller.viewer) }
  }

  /// What a form does, for whom the table of access says. Its page may be shown again, with what is
  /// wrong with it.
  /// - Parameters:
  ///   - bodyMax: The longest form in bytes.
  ///   - deadline: How long it may take.
  func form(
    _ pattern: String, bodyMax: Int = 16_384, deadline: Duration = .seconds(15),
    _ handle: @escaping @Sendable (HTTPRequest, FormFields, Viewer) async throws -> PageAnswer
  ) -> Route {
    route(.post, pattern, bodyMax: bodyMax, deadline: deadline) { request, caller in
      try await handle(request, try FormFields(request), caller.viewer)
    }
  }

  /// A page or what a form does, told by which session it is asked.
  func route(
    _ method: HTTPMethod, _ pattern: String, bodyMax: Int = 16_384,
    deadline: Duration = .seconds(15),
    _ handle: @escaping @Sendable (HTTPRequest, OfficeDoor.Caller) async throws -> PageAnswer
  ) -> Route {
    let access = Access.asked(method, pattern)
    precondition(access != .anybody && access != .device, "\(pattern) is not for the office")
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
      OfficeDoor.renewing { request in await answer(request, access, handle) })
  }

  private func answer(
    _ request: HTTPRequest, _ access: Access,
    _ handle: (HTTPRequest, OfficeDoor.Caller) async throws -> PageAnswer
  ) async -> HTTPResponse {
    guard !request.isWrite || request.isFromOurPages else {
      return response(to: foreignForm, for: nil)
    }
    var reader: Viewer?
    do {
      let caller = try await settings.authenticate(request)
      reader = caller.viewer
      try await caller.check(access, in: request, operations)
      return response(to: try await handle(request, caller), for: reader)
    } catch OperationError.unauthorized, AccessFault.sessionNeeded {
      let back = request.method == .get ? request.target : nil
      return response(to: .seeOther("/login" + Query().with("next", back).text), for: nil)
    } catch {
      return response(to: failure(error), for: reader)
    }
  }

  /// What is shown when nothing else can be; the log learns of our own faults.
  func failure(_ error: any Error) -> PageAnswer {
    switch error {
    case OperationError.notFound, AccessFault.administratorNeeded, is PageNotFound:
      return .page(.sorry("There is no such page", .notFound), status: 404)
    case is RequestTargetError:
      return .page(.sorry("That could not be read", .unreadable), status: 400)
    case OperationError.unavailable(let detail):
      settings.observer.failed("unavailable: \(detail)")
      return .page(.sorry("Back in a moment", .unavailable), status: 503)
    case OperationError.outcomeUnknown:
      settings.observer.failed("outcome unknown")
      return .page(.sorry("Was it done?", .unknown), status: 503)
    case let error as OperationError:
      settings.observer.failed("broken: \(error)")
      return .page(.sorry("Something went wrong", .broken), status: 500)
    default:
      // Its text might hold anything.
      settings.observer.failed("unexpected \(type(of: error))")
      return .page(.sorry("Something went wrong", .broken), status: 500)
    }
  }

  func response(to answer: PageAnswer, for viewer: Viewer?) -> HTTPResponse {
    switch answer {
    case .page(let page, let status):
      HTTPResponse(
        status: status, headers: headers.fields,
        body: .bytes(page.html(for: viewer, assets: assets).bytes))
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

  /// The form of a page that is none of ours.
  var foreignForm: PageAnswer {
    .page(.sorry("This form is not from here", .foreign), status: 403)
  }
}

/// There is nothing there, or nothing that the reader may see.
struct PageNotFound: Error {}

extension Route {
  /// A route for whoever has still to be let in, as the table of access must say.
  /// - Parameter row: How the table calls it; `nil`: as it is served.
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
  /// Path and query as a link has them.
  fileprivate var target: String {
    let pairs = query.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
    return pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))"
  }

  /// Whether a form on a page of this very site sent it, as the browser says. One that says nothing
  /// at all is too old to be trusted.
  /// - Source: OWASP CSRF Prevention Cheat Sheet, Fetch Metadata and Origin.
  var isFromOurPages: Bool {
    if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" }
    guard let origin = headers["Origin"], let host = headers["Host"] else { return false }
    return origin == "https://\(host)" || origin == "http://\(host)"
  }
}

extension Page {
  /// Why there is nothing better to show.
  enum Excuse {
    case notFound, unreadable, unavailable, unknown, broken, foreign

    fileprivate var text: HTML {
      switch self {
      case .notFound: "It may have been removed, or it is not yours to see."
      case .unreadable: "The address or the form is damaged."
      case .unavailable: "The service is busy or its database is away. Nothing was changed."
      case .unknown:
        "The database did not say whether it was done. Look before you do it again."
      case .broken: "That is our fault, and it was noted."
      case .foreign: "For your safety nothing was done. Open the page anew and try again."
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
