public import JSONText

/// An error response by RFC 9457: `application/problem+json`.
public struct Problem: Sendable {
  /// A URI that identifies the kind of problem; `about:blank` when `code` is enough.
  public var type = "about:blank"
  /// 400 to 599; also the status of the response.
  public var status: Int
  /// Stable and machine-readable, such as `body_too_large`.
  public var code: String
  /// Short, for people; the same for every problem of this code.
  public var title: String
  /// What went wrong this time, for people, or `nil`.
  public var detail: String?
  /// Further members.
  public var extensions: JSONObject
  public var headers: HTTPHeaders

  /// A problem; `title` is the status's phrase unless given.
  public init(
    status: Int, code: String, title: String? = nil, detail: String? = nil,
    extensions: JSONObject = [:], headers: HTTPHeaders = [:]
  ) {
    self.status = status
    self.code = code
    self.title = title ?? statusPhrase(status)
    self.detail = detail
    self.extensions = extensions
    self.headers = headers
  }

  public func response() -> HTTPResponse {
    var headers = headers
    headers["Content-Type"] = "application/problem+json"
    var response = HTTPResponse(status: status, headers: headers, body: .bytes(json))
    response.problemCode = code
    return response
  }

  /// The body: `{"type":…,"title":…,"status":…,"code":…}` and the optional members.
  var json: [UInt8] {
    let standard: JSONObject = [
      "type": .string(type), "title": .string(title), "status": .integer(Int64(status)),
      "code": .string(code), "detail": detail.map { .string($0) },
    ]
    return JSONValue.object(JSONObject(standard.members + extensions.members)).bytes
  }
}

extension Problem {
  /// The server is too busy for this request; nothing was done. Asks for a retry after a second.
  static let overloaded = Problem(
    status: 503, code: "overloaded", detail: "the server is busy; retry in a second",
    headers: ["Retry-After": "1"])

  /// The handler did not answer in time. Its effect is unknown, so a retry must be idempotent.
  static let handlerTooSlow = Problem(
    status: 503, code: "deadline_exceeded",
    detail: "the request timed out and may have taken effect",
    headers: ["Retry-After": "1"])

  static let unsendable = Problem(status: 500, code: "internal_error")
}
