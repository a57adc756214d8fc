package struct OutgoingRequest: Sendable {
  package var method: String
  /// Absolute, `http` or `https`, already percent-encoded.
  package var url: String
  /// Sent in this order. `Host` and `Content-Length` are added automatically.
  package var headers: [(name: String, value: String)]
  /// `nil` sends no body; an empty body sends `Content-Length: 0`.
  package var body: [UInt8]?
  /// From `send` to the response's last byte, including the wait for a free connection.
  package var deadline: Duration
  /// The maximum size of the response in bytes, headers included.
  package var responseMax: Int
  /// Whether a longer body is cut off; otherwise it is an error.
  package var cutsResponse: Bool
  /// Whether the response has the end of the server's certificate.
  package var asksForCertificate = false
  /// A socket file to connect to; the URL's host then only names the `Host`.
  package var unixSocket: String?
  /// The addresses of the URL's host, as `name:port:address,address`, for tests of changing names.
  package var meaning: String?
  /// Takes the body of a 200 as it arrives, on libcurl's thread; the response then has none, and
  /// only its headers count for `responseMax`.
  package var part: (@Sendable ([UInt8]) -> Void)?

  package init(
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

package struct IncomingResponse: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  /// Without its framing.
  package var body: [UInt8]
  /// Until when the server's certificate is valid, as OpenSSL writes it, if that was asked for;
  /// `nil` on a connection that was already open.
  package var certificateEnd: String?

  package init(
    status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of the header `name`, whatever its case, or `nil`.
  package func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }
}
