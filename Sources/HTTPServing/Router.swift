/// Finds the handler for a request. Built once at start, then only read.
public struct Router: Sendable {
  /// Answers one request. Runs in its own task, cancelled at the route's deadline.
  public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

  /// Checks a request by its head, before a body longer than `unaskedBodyMax` is read.
  /// - Returns: The response that refuses it, after which the connection closes; `nil`:
  ///   it is accepted.
  public typealias Admission = @Sendable (HTTPRequest) async -> HTTPResponse?

  /// Bytes of a body that are read without authentication; more only once the route's `Admission`
  /// has passed.
  public static let unaskedBodyMax = 16_384

  final class Route: Sendable {
    let method: HTTPMethod
    let pattern: RoutePattern
    let bodyMax: Int
    let deadline: Duration
    let isBrief: Bool
    let admission: Admission?
    let isRaw: Bool
    let handler: Handler

    init(
      _ method: HTTPMethod, _ pattern: RoutePattern, bodyMax: Int, deadline: Duration,
      isBrief: Bool, isRaw: Bool = false, admission: Admission?,
      _ handler: @escaping Handler
    ) {
      self.method = method
      self.pattern = pattern
      self.bodyMax = bodyMax
      self.deadline = deadline
      self.isBrief = isBrief
      self.admission = admission
      self.isRaw = isRaw
      self.handler = handler
    }
  }

  private var table: [Route] = []
  /// Routes without parameters, by their text.
  private var literal: [String: [Route]] = [:]

  /// A router that answers 404 to everything.
  public init() {}

  /// Adds a route. A GET route answers HEAD too.
  /// - Parameters:
  ///   - pattern: Begins with `/`; a segment `{name}` matches one non-empty segment of the path. A
  ///     literal segment is preferred to a parameter, whatever the method.
  ///   - bodyMax: Bytes; more gets 413. More than the server's own `bodyMax` only a route
  ///     without parameters can accept, by POST.
  ///   - deadline: The client gets 503 if there is no response by then, and the handler's task is
  ///     cancelled. A stream may continue after it.
  ///   - isBrief: Whether the handler computes for at most a few milliseconds at a time, and
  ///     so may run on the thread that serves its connection, which is cheaper.
  ///   - isRaw: Whether the path must be sent exactly as written, so that a proxy that blocks the
  ///     path blocks every spelling of it; `%6d` does not match `m` then.
  ///   - admission: Called before a body over `unaskedBodyMax` is read; `nil`: anybody may send
  ///     one.
  public mutating func on(
    _ method: HTTPMethod, _ pattern: String, bodyMax: Int = 65_536,
    deadline: Duration = .seconds(15), isBrief: Bool = false, isRaw: Bool = false,
    admission: Admission? = nil,
    _ handler: @escaping Handler
  ) {
    precondition(
      !table.contains { $0.method == method && $0.pattern.text == pattern },
      "two handlers for \(method.rawValue) \(pattern)")
    let route = Route(
      method, RoutePattern(pattern), bodyMax: bodyMax, deadline: deadline, isBrief: isBrief,
      isRaw: isRaw, admission: admission, handler)
    let place = table.firstIndex { $0.pattern.literalCount < route.pattern.literalCount }
    table.insert(route, at: place ?? table.endIndex)
    if !route.pattern.hasParameters { literal[pattern, default: []].append(route) }
  }

  /// The maximum body sizes in bytes, by the paths that accept them by POST.
  var bodyMaxes: [String: Int] {
    literal.compactMapValues { routes in routes.first { $0.method == .post }?.bodyMax }
  }

  /// Every route, for the test that compares them with the API's description.
  public var routes: [(method: HTTPMethod, pattern: String)] {
    table.map { ($0.method, $0.pattern.text) }
  }

  /// Answers `request`: the handler's response, or 404, 405 with `Allow`, 413. Leaves the deadline
  /// to `HTTPServer`, which can answer without waiting for the handler to notice.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    switch dispatch(request) {
    case .answer(let response): response
    case .run(let request, let route): await route.handler(request)
    }
  }

  /// What to do with a request.
  enum Dispatch: Sendable {
    /// The response is known.
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
    for route in table {
      // The table begins with the most literal patterns, so the first match decides.
      guard route.pattern.literalCount >= literals else { break }
      guard !route.isRaw || route.pattern.text == request.path,
        let parameters = route.pattern.match(pieces)
      else { continue }
      literals = route.pattern.literalCount
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
      return .answer(Problem(status: 404, code: "not_found").response())
    }
    let allow = allowed.map(\.rawValue).sorted().joined(separator: ", ")
    let problem = Problem(status: 405, code: "method_not_allowed", headers: ["Allow": allow])
    return .answer(problem.response())
  }

  private func run(_ request: HTTPRequest, _ route: Route) -> Dispatch {
    guard request.body.count <= route.bodyMax else {
      return .answer(Problem.bodyTooLarge(max: route.bodyMax).response())
    }
    return .run(request, route)
  }
}

extension Problem {
  /// The request's body is longer than `max` bytes.
  static func bodyTooLarge(max: Int) -> Problem {
    Problem(status: 413, code: "body_too_large", detail: "the body may have at most \(max) bytes")
  }
}
