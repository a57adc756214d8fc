public import ShiftDomain

/// A request to the server, without its address.
public struct GuardRequest: Hashable, Sendable {
  public var method: String
  /// With the query, such as `/v1/me?appSession=1`.
  public var path: String
  /// For `Authorization: Bearer`; `nil` for an enrolment.
  public var token: String?
  /// For `Accept-Language`; `nil`: none is sent.
  public var language: String?
  /// For `If-None-Match`; `nil`: none is sent.
  public var knownTag: String?
  /// JSON; `nil` for a request without a body.
  public var body: [UInt8]?

  public init(
    _ method: String, _ path: String, token: String? = nil, language: String? = nil,
    knownTag: String? = nil, body: [UInt8]? = nil
  ) {
    self.method = method
    self.path = path
    self.token = token
    self.language = language
    self.knownTag = knownTag
    self.body = body
  }
}

public struct GuardResponse: Hashable, Sendable {
  public var status: Int
  /// From `Retry-After` in seconds; `nil` without one.
  public var retryAfter: TimeSpan?
  /// `ETag` as it is; `nil` without one, or if the app does not support it.
  public var tag: String?
  public var body: [UInt8]

  public init(
    status: Int, retryAfter: TimeSpan? = nil, tag: String? = nil, body: [UInt8] = []
  ) {
    self.status = status
    self.retryAfter = retryAfter
    self.tag = tag
    self.body = body
  }
}

/// There was no response; whether the server has handled the request is unknown.
public struct NoResponse: Error, Hashable, Sendable {
  /// For the app's log.
  public var reason: String

  public init(_ reason: String) { self.reason = reason }
}

/// Sends one request, once. An app implements it with its platform's HTTP library.
public protocol GuardTransport: Sendable {
  /// Must end within a minute, and at once when its task is cancelled.
  func send(_ request: GuardRequest) async throws(NoResponse) -> GuardResponse
  /// Sends a request whose response is a stream, and passes on its bytes as they arrive, in order.
  /// Returns when the stream ends. Must end at once when its task is cancelled.
  func stream(
    _ request: GuardRequest, _ part: @escaping @Sendable ([UInt8]) -> Void
  ) async throws(NoResponse) -> GuardResponse
}

extension GuardTransport {
  /// For an app that shows no notifications while it is open.
  public func stream(
    _ request: GuardRequest, _ part: @escaping @Sendable ([UInt8]) -> Void
  ) async throws(NoResponse) -> GuardResponse {
    throw NoResponse("streams are not supported")
  }
}

/// Where the app keeps the token of its enrolment, such as the keychain.
public protocol TokenStore: Sendable {
  /// `nil` before the enrolment.
  func token() async -> String?
  func store(_ token: String) async
}
