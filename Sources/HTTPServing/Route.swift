/// One served route, as data, so that the program that serves it can count, log and time it.
public struct Route: Sendable {
  /// Answers one request. Runs in its own task, cancelled at the route's deadline; if the route
  /// says so, also when the client leaves.
  public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

  /// Checks a request by its head, before a body longer than `unaskedBodyMax` is read; returns the
  /// response that refuses it, after which the connection closes, or `nil`.
  public typealias Admission = @Sendable (HTTPRequest) async -> HTTPResponse?

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
  public var handler: Handler

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
}
