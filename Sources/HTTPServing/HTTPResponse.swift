public struct HTTPResponse: Sendable {
  public enum Body: Sendable {
    case bytes([UInt8])
    /// Sent piece by piece as the stream yields; ends with it. For events, not for bulk: a client
    /// with more than `streamBacklogMax` bytes unread is dropped. The stream's consumer is
    /// cancelled when the client goes or the server drains.
    case stream(AsyncStream<[UInt8]>)
    /// Sent piece by piece, the next one asked for when the client has taken the last: any length
    /// in constant memory. When it throws, the connection is cut, so that nobody takes a part for
    /// the whole. A server that drains lets it end.
    case file(AsyncThrowingStream<[UInt8], any Error>)
  }

  /// 200 to 599.
  public var status: Int {
    didSet { preparedHead = nil }
  }
  /// `Content-Length`, `Transfer-Encoding`, `Connection` and `Date` are the server's and left out.
  public var headers: HTTPHeaders {
    didSet { preparedHead = nil }
  }
  /// Not sent in answer to HEAD, nor with 204 or 304.
  public var body: Body
  /// The code of the problem that it describes, for programs that observe responses; not sent.
  public internal(set) var problemCode: String?
  /// Status line and header fields as they are sent, each with its line end, but for the server's
  /// own fields; `nil`: they are still to be written.
  private(set) var preparedHead: [UInt8]?

  public init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  public static func json(
    _ bytes: [UInt8], status: Int = 200, headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    var headers = headers
    headers["Content-Type"] = "application/json"
    return HTTPResponse(status: status, headers: headers, body: .bytes(bytes))
  }

  /// A response with UTF-8 text; `type` is without charset.
  public static func text(
    _ text: String, type: String = "text/plain", status: Int = 200
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "\(type); charset=utf-8"],
      body: .bytes(Array(text.utf8)))
  }
}

extension HTTPResponse {
  /// The same response, whose head is written now, once for all that are made of it by `carrying`.
  public var prepared: HTTPResponse {
    var response = self
    response.preparedHead = headBytes
    return response
  }

  /// The same response with another body.
  public func carrying(_ bytes: [UInt8]) -> HTTPResponse {
    var response = self
    response.body = .bytes(bytes)
    return response
  }
}
