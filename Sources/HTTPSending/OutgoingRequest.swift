/// A request to be sent.
public struct OutgoingRequest: Sendable {
  /// Such as `GET`; sent as written.
  public var method: String
  /// Absolute, `http` or `https`, already percent-encoded.
  public var url: String
  /// Sent in this order. `Host` and `Content-Length` come by themselves.
  public var headers: [(name: String, value: String)]
  /// `nil` sends none; an empty one sends `Content-Length: 0`.
  public var body: [UInt8]?
  /// From `send` to the response's last byte, waiting for a free connection included.
  public var deadline: Duration
  /// Bytes of the response, headers included, that are taken.
  public var responseMax: Int
  /// Whether a body beyond that is cut off there; otherwise it is an error.
  public var cutsResponse: Bool
  /// A socket file to connect to; the URL's host then only names the `Host`.
  public var unixSocket: String?
  /// What the URL's name means, as `name:port:address,address`, for tests of names that change.
  package var meaning: String?

  /// A request with the usual limits: 10 s and 1 MiB.
  public init(
    _ method: String = "GET", _ url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8]? = nil, deadline: Duration = .seconds(10), responseMax: Int = 1 << 20,
    cutsResponse: Bool = false, unixSocket: String? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.deadline = deadline
    self.responseMax = responseMax
    self.cutsResponse = cutsResponse
    self.unixSocket = unixSocket
  }
}

/// What came back, whatever its status; redirects are not followed.
public struct IncomingResponse: Sendable {
  /// 200 to 599.
  public var status: Int
  /// In the order they came.
  public var headers: [(name: String, value: String)]
  /// Without its framing.
  public var body: [UInt8]

  /// A response made by hand, as recorded senders answer.
  public init(
    status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of the header `name`, whatever its case, or `nil`.
  public func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }
}
