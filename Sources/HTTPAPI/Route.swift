public import GuardRules
public import HTTPServing

/// One route of an API, as data, so that the program that serves it can count, log and time it.
public struct Route: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The path with its `{name}` segments, as in openapi.yaml.
  public var pattern: String
  /// The maximum body size in bytes; a longer body gets 413.
  public var bodyMax: Int
  /// After this time the client gets 503 and the handler is cancelled.
  public var deadline: Duration
  /// Whether the handler computes for a few milliseconds at most, so that it may run on the thread
  /// of its connection.
  public var isBrief: Bool
  /// Decides from the request head who may send a body over `Router.unaskedBodyMax`.
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
  /// A router for these routes. None of them accepts long bodies from unauthenticated senders.
  public init(_ routes: [Route]) {
    self.init()
    for route in routes {
      precondition(
        route.bodyMax <= Router.unaskedBodyMax || route.admission != nil,
        "\(route.pattern) accepts long bodies from anybody")
      on(
        route.method, route.pattern, bodyMax: route.bodyMax, deadline: route.deadline,
        isBrief: route.isBrief, isRaw: route.isRaw, admission: route.admission, route.handler)
    }
  }
}

/// Receives what routes report for log and metrics. Called within the request; must return
/// quickly.
public struct RouteObserver: Sendable {
  /// A report opened or worsened an incident; the time since its last byte was read.
  public var detected: @Sendable (Duration) -> Void
  /// A report was stored whose permission came as raw values of this source and quality.
  public var rawValues: @Sendable (RawSource, RawQuality) -> Void
  /// A request was answered with 5xx; the text says why and is safe to log.
  public var failed: @Sendable (String) -> Void

  /// An observer; by default events are ignored.
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
  /// The token of `Authorization: Bearer …`, or `nil`. RFC 6750 and RFC 9110: the scheme in any
  /// case, one or more spaces, then a token without spaces.
  public var bearerToken: String? {
    guard let field = headers["Authorization"], let space = field.utf8.firstIndex(of: 0x20),
      field.utf8[..<space].elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 })
    else { return nil }
    let token = field.utf8[space...].drop { $0 == 0x20 }
    return token.isEmpty || token.contains(0x20) ? nil : String(Substring(token))
  }
}
