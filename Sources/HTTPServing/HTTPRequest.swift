public struct HTTPRequest: Sendable {
  public var method: HTTPMethod
  /// As sent, percent-encoded, without query; begins with `/`, or is `*` for `OPTIONS *`.
  public var path: String
  /// The query's pairs in order, decoded; `+` is a space. A name without `=` has an empty value.
  public var query: [(name: String, value: String)]
  /// The header fields, with optional white space around the values removed.
  public var headers: HTTPHeaders
  /// The body without its framing; empty when there was none.
  public var body: [UInt8]
  public var parameters: [String: String] = [:]
  /// When the last byte of the request had been read. Detection latency counts from here.
  public var receivedAt: ContinuousClock.Instant
  /// The peer's numeric IP address, behind a proxy the proxy's; `nil` on a Unix socket.
  public var remoteAddress: String?

  /// A request made by hand, for tests of handlers. `target` is a path with an optional query.
  public init(
    _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
    receivedAt: ContinuousClock.Instant = .now, remoteAddress: String? = nil
  ) throws(RequestTargetError) {
    let target = try RequestTarget(parsing: target)
    self.method = method
    self.path = target.path
    self.query = target.query
    self.headers = headers
    self.body = body
    self.receivedAt = receivedAt
    self.remoteAddress = remoteAddress
  }

  public func queryValue(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }
}
