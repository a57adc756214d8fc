/// The request methods of this server. Any other gets 501 before a handler sees it.
public enum HTTPMethod: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"

  /// Whether a request of this method may carry a body. Many readers expect none after HEAD, where
  /// it would be read as the next request.
  var mayHaveBody: Bool { self != .head }
}
