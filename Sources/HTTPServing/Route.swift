/// One served route, as data, so that the program that serves it can count, log and time it.
public struct Route: Sendable {
  /// Answers one request. Runs in its own task, cancelled at the route's deadline; if the route
  /// says so, also when the client leaves.
  public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

  /// Checks a request by its head, before a body longer than `unaskedBodyMax` is read; returns the
  /// response that refuses it, after which the connection closes, or `nil`.
  public typealias Admission = @Sendable (HTTPRequest) async -> HTTPResponse?

  /// Takes each answer, whichever way it was made, and returns the one to send: to count, to log or
  /// to mark it.
  public typealias Finish =
    @Sendable (_ response: HTTPResponse, _ receivedAt: ContinuousClock.Instant) -> HTTPResponse

  /// Bytes of a body that are read before the route's `admission` has passed, and that a handler
  /// may read on the thread that serves the connection.
  public static let unaskedBodyMax = 16_384

  /// The method. A GET route answers HEAD too.
  public let method: HTTPMethod
  let path: RoutePattern
  /// The maximum body size in bytes; a longer body gets 413. More than the server's own `bodyMax`
  /// only a route without parameters can accept, by POST.
  public let bodyMax: Int
  /// Without a response by then, the client gets 503. The handler is cancelled, but not a stream.
  /// `nil`: the server's `answerDeadline`.
  public let deadline: Duration?
  /// Whether the handler computes for at most a few milliseconds at a time if the body has up to
  /// `unaskedBodyMax` bytes. With such a body it runs on the thread that serves its connection,
  /// which is cheaper.
  public let isBrief: Bool
  /// Whether the handler is cancelled when its client closes the connection, or only its own half
  /// of it, which looks the same from here: for long reads, which nobody else should wait for then.
  /// Other handlers run to their end.
  public let endsWithClient: Bool
  /// Whether the path must be sent exactly as written, so that a proxy that blocks the path blocks
  /// every spelling of it; `%6d` does not match `m` then.
  public let isRaw: Bool
  /// Called before a body over `unaskedBodyMax` is read; `nil`: anybody may send one.
  public var admission: Admission?
  /// Another handler, such as one around this, has no direct way until it is given one.
  public var handler: Handler {
    didSet { take = nil }
  }
  /// The direct way to the usual answers of the handler; `nil`: there is none.
  public private(set) var take: DirectWay.Take?
  /// What the answers of the direct way pass.
  private var finish: Finish?

  /// `pattern` begins with `/`; a segment `{name}` matches one non-empty segment of the path. A
  /// literal segment is preferred to a parameter, whatever the method.
  public init(
    _ method: HTTPMethod, _ pattern: String, bodyMax: Int = Self.unaskedBodyMax,
    deadline: Duration? = nil, isBrief: Bool = false,
    endsWithClient: Bool = false, isRaw: Bool = false, admission: Admission? = nil,
    _ handler: @escaping Handler
  ) {
    self.method = method
    path = RoutePattern(pattern)
    self.bodyMax = bodyMax
    self.deadline = deadline
    self.isBrief = isBrief
    self.endsWithClient = endsWithClient
    self.isRaw = isRaw
    self.admission = admission
    self.handler = handler
  }

  public var pattern: String { path.text }

  /// Method and pattern.
  public var name: String { Self.name(method, pattern) }

  public static func name(_ method: HTTPMethod, _ pattern: String) -> String {
    "\(method.rawValue) \(pattern)"
  }
}

extension Route {
  /// The same route with this direct way. Traps unless its path has no parameters, its bodies may
  /// have `unaskedBodyMax` bytes, and its deadline is the server's.
  public func directly(_ take: DirectWay.Take?) -> Route {
    precondition(
      !path.hasParameters && bodyMax >= Self.unaskedBodyMax && deadline == nil || take == nil,
      "\(pattern) has no direct way")
    var route = self
    route.take = take
    return route
  }

  /// The same route, whose answers pass `finish`.
  public func finishing(_ finish: @escaping Finish) -> Route {
    var route = self
    route.handler = { [handler] request in finish(await handler(request), request.receivedAt) }
    route.finish = finish
    if let inner = self.finish {
      route.finish = { response, receivedAt in finish(inner(response, receivedAt), receivedAt) }
    }
    return route.directly(take)
  }

  /// The direct way as servers use it.
  var directWay: DirectWay? {
    guard let take else { return nil }
    guard let finish else { return DirectWay(method: method, path: pattern, take: take) }
    return DirectWay(method: method, path: pattern) { authorization, body, ticket in
      take(authorization, body, ticket.finishing(finish))
    }
  }
}
