public import GuardRules
public import HTTPServing

/// One route of an API, as data: the program that serves it may count, log and time around it.
public struct Route: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The path with its `{name}` segments, as in openapi.yaml.
  public var pattern: String
  /// The longest body in bytes; more is answered 413.
  public var bodyMax: Int
  /// Past it the client gets 503, and the handler is told to stop.
  public var deadline: Duration
  /// Whether it never computes for more than some milliseconds, and may run where its connection is
  /// served.
  public var isBrief: Bool
  /// Judges by the head who may send a body over `Router.unaskedBodyMax`.
  public var admission: Router.Admission?
  /// Whether the path must be sent exactly as written, without percent-encoding.
  public var isRaw: Bool
  /// Answers one request.
  public var handler: Router.Handler

  /// A route.
  public init(
    _ method: HTTPMethod, _ pattern: String, bodyMax: Int = 16_384,
    deadline: Duration = .seconds(15), isBrief: Bool = false, isRaw: Bool = false,
    admission: Router.Admission? = nil,
    _ handler: @escaping Router.Handler
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

extension Router {
  /// A router of these routes, none of which reads long bodies from anybody.
  public init(_ routes: [Route]) {
    self.init()
    for route in routes {
      precondition(
        route.bodyMax <= Router.unaskedBodyMax || route.admission != nil,
        "\(route.pattern) takes long bodies from anybody")
      on(
        route.method, route.pattern, bodyMax: route.bodyMax, deadline: route.deadline,
        isBrief: route.isBrief, isRaw: route.isRaw, admission: route.admission, route.handler)
    }
  }
}

/// What routes tell of themselves, for log and metrics. Called within the request; must return
/// quickly.
public struct RouteObserver: Sendable {
  /// A report opened or worsened an incident, so long after its last byte was read.
  public var detected: @Sendable (Duration) -> Void
  /// A report was taken whose permission came as a source's raw values, of this quality.
  public var rawValues: @Sendable (RawSource, RawQuality) -> Void
  /// A request was answered 5xx; the text says why and is safe to log.
  public var failed: @Sendable (String) -> Void

  /// An observer; by default nobody listens.
  public init(
    detected: @escaping @Sendable (Duration) -> Void = { _ in },
    rawValues: @escaping @Sendable (RawSource, RawQuality) -> Void = { _, _ in },
    failed: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.detected = detected
    self.rawValues = rawValues
    self.failed = failed
  }
}

extension HTTPRequest {
  /// The token of `Authorization: Bearer …`, or `nil`. RFC 6750 and RFC 9110: the scheme in either
  /// case, one or more spaces, then a token without any.
  public var bearerToken: String? {
    guard let field = headers["Authorization"], let space = field.utf8.firstIndex(of: 0x20),
      field.utf8[..<space].elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 })
    else { return nil }
    let token = field.utf8[space...].drop { $0 == 0x20 }
    return token.isEmpty || token.contains(0x20) ? nil : String(Substring(token))
  }
}
