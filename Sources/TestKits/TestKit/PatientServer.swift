public import HTTPServing

extension ServerConfiguration {
  /// A server on loopback, on a port that the system chooses, with no time limit that a busy
  /// machine could exceed. It ends soon once it is cancelled.
  public static var patient: ServerConfiguration {
    var configuration = ServerConfiguration(address: .tcp(host: "127.0.0.1", port: 0))
    configuration.longBodyDeadline = TestDatabase.patience
    configuration.requestDeadline = TestDatabase.patience
    configuration.answerDeadline = TestDatabase.patience
    configuration.keepAliveDeadline = TestDatabase.patience
    configuration.inactivity = TestDatabase.patience
    configuration.drainGrace = .milliseconds(500)
    return configuration
  }
}

extension HTTPServer {
  /// Serves for as long as `body` runs, then drains.
  @discardableResult
  public func serving<Result>(
    _ body: (_ url: String) async throws -> Result
  ) async throws -> Result {
    try await running([self]) { try await body("http://\(address)") }
  }
}
