import HTTPServing
import JSONText

/// A response with its parsed body.
package struct APIAnswer: Sendable {
  package let status: Int
  package let headers: HTTPHeaders
  package let text: String
  package let json: JSONValue

  package init(_ response: HTTPResponse) {
    (status, headers) = (response.status, response.headers)
    guard case .bytes(let bytes) = response.body else {
      (text, json) = ("", .null)
      return
    }
    text = String(decoding: bytes, as: UTF8.self)
    json = (try? JSONValue(parsing: bytes)) ?? .null
  }
}

extension HTTPHeaders {
  /// These and the credential of whoever has `token`.
  package func authorized(by token: String?) -> HTTPHeaders {
    var headers = self
    if let token { headers["Authorization"] = "Bearer \(token)" }
    return headers
  }
}

extension Router {
  /// The answer to whoever has `token`.
  package func answer(
    _ method: HTTPMethod, _ path: String, _ body: [UInt8] = [], as token: String? = nil,
    headers: HTTPHeaders = [:], from address: String? = nil
  ) async throws -> APIAnswer {
    let request = try HTTPRequest(
      method, path, headers: headers.authorized(by: token), body: body, remoteAddress: address)
    return APIAnswer(await respond(to: request))
  }
}

extension APIAnswer {
  /// The value at this path of names and indices.
  package subscript(_ path: JSONStep...) -> JSONValue? {
    path.reduce(json as JSONValue?) { value, step in
      switch (value, step) {
      case (.object(let object), .name(let name)): object[name]
      case (.array(let elements), .index(let index)):
        elements.indices.contains(index) ? elements[index] : nil
      default: nil
      }
    }
  }
}

/// A step of a path into JSON.
package enum JSONStep: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  case name(String)
  case index(Int)

  package init(stringLiteral name: String) { self = .name(name) }

  package init(integerLiteral index: Int) { self = .index(index) }
}
