package import HTTPSending

extension HTTPSender {
  /// Sends `request` and waits for the response, however busy the machine is.
  package func ask(_ request: OutgoingRequest) async throws(SendingError) -> IncomingResponse {
    var request = request
    request.deadline = TestDatabase.patience
    return try await send(request)
  }
}
