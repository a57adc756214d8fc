/// Why a request cannot be read. The connection ends with the response.
enum FramingFault: Error, Hashable, Sendable, CaseIterable {
  case requestLine, method, version, target
  case headTooLarge, headerName, headerValue, foldedHeader, bareLineEnd
  case host, contentLength, transferEncoding, ambiguousLength, unexpectedBody, expectation
  case bodyTooLarge, chunk, trailer
  case tooManyLongBodies

  var problem: Problem {
    switch self {
    case .requestLine: malformed("the request line is malformed")
    case .target: malformed("the request target is malformed")
    case .method: Problem(status: 501, code: "method_unknown")
    case .version: Problem(status: 505, code: "version_unsupported")
    case .headTooLarge: Problem(status: 431, code: "headers_too_large")
    case .headerName: malformed("a header name is malformed")
    case .headerValue: malformed("a header value contains a control character")
    case .foldedHeader: malformed("a header is folded over lines")
    case .bareLineEnd: malformed("lines must end with CR LF")
    case .host: malformed("exactly one Host header is required")
    case .contentLength: malformed("Content-Length is malformed")
    case .transferEncoding: Problem(status: 501, code: "transfer_encoding_unsupported")
    case .ambiguousLength: malformed("the body's length is ambiguous")
    case .unexpectedBody: malformed("this method must not have a body")
    case .expectation: Problem(status: 417, code: "expectation_unsupported")
    case .bodyTooLarge: Problem(status: 413, code: "body_too_large")
    case .chunk: malformed("a chunk is malformed")
    case .trailer: malformed("trailers are not accepted")
    case .tooManyLongBodies: Problem.overloaded
    }
  }

  private func malformed(_ detail: String) -> Problem {
    Problem(status: 400, code: "malformed_request", detail: detail)
  }
}
