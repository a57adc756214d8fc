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
  /// Further members; the values are JSON already.
  public var extensions: [(name: String, json: [UInt8])]
  public var headers: HTTPHeaders

  /// A problem; `title` is the status's phrase unless given.
  public init(
    status: Int, code: String, title: String? = nil, detail: String? = nil,
    extensions: [(name: String, json: [UInt8])] = [], headers: HTTPHeaders = [:]
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
    return HTTPResponse(status: status, headers: headers, body: .bytes(json))
  }

  /// The body: `{"type":…,"title":…,"status":…,"code":…}` and the optional members.
  var json: [UInt8] {
    var text = JSONObjectText()
    text.add("type", string: type)
    text.add("title", string: title)
    text.add("status", json: String(status).utf8)
    text.add("code", string: code)
    if let detail { text.add("detail", string: detail) }
    for member in extensions { text.add(member.name, json: member.json) }
    return text.closed
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
