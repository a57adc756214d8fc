/// Finds the handler for a request. Built once at start, then only read.
public struct Router: Sendable {
  /// Answers a request that no route answers, instead of a problem; `nil`: with the problem.
  /// `above` is where a GET of a form's address leads: the nearest path above it that has a page.
  public typealias Fallback =
    @Sendable (_ request: HTTPRequest, _ above: String?) -> HTTPResponse?

  /// Every route, those with the most literal segments first.
  public let routes: [Route]
  /// Routes without parameters, by their text.
  private let literal: [String: [Route]]
  let directWays: [DirectWay]
  private let fallback: Fallback?

  /// Answers 404 to everything else, unless `fallback` does. Traps when two routes have the same
  /// method and pattern.
  public init(_ routes: [Route], fallback: Fallback? = nil) {
    var seen: Set<String> = []
    for route in routes {
      precondition(seen.insert(route.name).inserted, "two handlers for \(route.name)")
    }
    self.routes = routes.sorted { $0.path.literalCount > $1.path.literalCount }
    self.fallback = fallback
    directWays = routes.compactMap(\.directWay)
    literal = Dictionary(grouping: routes.filter { !$0.path.hasParameters }, by: \.pattern)
  }

  /// The maximum body sizes in bytes, by the paths that accept them by POST.
  var bodyMaxes: [String: Int] {
    literal.compactMapValues { routes in routes.first { $0.method == .post }?.bodyMax }
  }

  /// Answers `request`: the response of the direct way or of the handler, or 404, 405 with `Allow`,
  /// 413. Leaves the deadline to `HTTPServer`, which can answer without waiting for the handler to
  /// notice.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    for way in directWays {
      if let response = await way.respond(to: request) { return response }
    }
    switch dispatch(request) {
    case .answer(let response): return response
    case .run(let request, let route): return await route.handler(request)
    }
  }

  enum Dispatch: Sendable {
    case answer(HTTPResponse)
    /// `route` answers the request, whose parameters are filled in.
    case run(HTTPRequest, Route)
  }

  /// Finds the route. Cheap, so the server calls it on its own thread.
  func dispatch(_ request: HTTPRequest) -> Dispatch {
    // Most requests are sent to a path exactly as we wrote it.
    if let route = literal[request.path]?.first(where: { $0.method == request.method }) {
      return run(request, route)
    }
    let pieces = RoutePattern.pieces(of: request.path)
    var allowed: Set<HTTPMethod> = []
    var literals = 0
    for route in routes {
      // The list begins with the most literal patterns, so the first match decides.
      guard route.path.literalCount >= literals else { break }
      guard !route.isRaw || route.pattern == request.path,
        let parameters = route.path.match(pieces)
      else { continue }
      literals = route.path.literalCount
      guard route.method == request.method || (route.method == .get && request.method == .head)
      else {
        allowed.formUnion(route.method == .get ? [.get, .head] : [route.method])
        continue
      }
      var request = request
      request.parameters = parameters
      return run(request, route)
    }
    guard !allowed.isEmpty else {
      let problem = Problem(status: 404, code: "not_found")
      return .answer(fallback?(request, nil) ?? problem.response())
    }
    if request.method == .get, let page = fallback?(request, pathAbove(request.path)) {
      return .answer(page)
    }
    let allow = allowed.map(\.rawValue).sorted().joined(separator: ", ")
    let problem = Problem(status: 405, code: "method_not_allowed", headers: ["Allow": allow])
    return .answer(problem.response())
  }

  /// The nearest path above with a GET route; otherwise the root.
  private func pathAbove(_ path: String) -> String {
    var above = Substring(path)
    while let slash = above.lastIndex(of: "/"), slash > above.startIndex {
      above = above[..<slash]
      let pieces = RoutePattern.pieces(of: String(above))
      let isPage = routes.contains { $0.method == .get && $0.path.match(pieces) != nil }
      if isPage { return String(above) }
    }
    return "/"
  }

  private func run(_ request: HTTPRequest, _ route: Route) -> Dispatch {
    guard request.body.count <= route.bodyMax else {
      return .answer(Problem.bodyTooLarge(max: route.bodyMax).response())
    }
    return .run(request, route)
  }
}

extension Problem {
  static func bodyTooLarge(max: Int) -> Problem {
    Problem(status: 413, code: "body_too_large", detail: "the body may have at most \(max) bytes")
  }
}
