package import GuardClient
package import HTTPSending
import ShiftDomain

/// Sends the client library's requests over libcurl. An app on an Apple platform uses its system's
/// library instead.
package struct HTTPTransport: GuardTransport {
  private let server: String
  private let sender: HTTPSender

  /// - Parameter server: Its URL, such as `https://shifts.example.com`.
  package init(server: String, sender: HTTPSender) {
    self.server = server.hasSuffix("/") ? String(server.dropLast()) : server
    self.sender = sender
  }

  package func send(_ request: GuardRequest) async throws(NoResponse) -> GuardResponse {
    try await send(OutgoingRequest(request, to: server, within: .seconds(30)))
  }

  package func stream(
    _ request: GuardRequest, _ part: @escaping @Sendable ([UInt8]) -> Void
  ) async throws(NoResponse) -> GuardResponse {
    // The server ends a stream much earlier than within a day; the session opens another.
    var outgoing = OutgoingRequest(request, to: server, within: .seconds(86_400))
    outgoing.part = part
    return try await send(outgoing)
  }

  private func send(_ request: OutgoingRequest) async throws(NoResponse) -> GuardResponse {
    do throws(SendingError) {
      let response = try await sender.send(request)
      let seconds = response.header("Retry-After").flatMap { Int64($0) }
      return GuardResponse(
        status: response.status, retryAfter: seconds.map { .seconds($0) },
        tag: response.header("ETag"), body: response.body)
    } catch { throw NoResponse("\(error)") }
  }
}

extension OutgoingRequest {
  /// - Parameter server: Its URL, without a slash at its end.
  package init(_ request: GuardRequest, to server: String, within deadline: Duration = .seconds(10))
  {
    var headers: [(name: String, value: String)] = []
    if request.body != nil { headers.append(("Content-Type", "application/json")) }
    if let token = request.token { headers.append(("Authorization", "Bearer \(token)")) }
    if let language = request.language { headers.append(("Accept-Language", language)) }
    if let tag = request.knownTag { headers.append(("If-None-Match", tag)) }
    self.init(
      request.method, server + request.path, headers: headers, body: request.body,
      deadline: deadline)
  }
}
