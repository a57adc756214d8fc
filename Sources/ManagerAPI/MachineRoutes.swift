public import APIMessages
import HTTPServing

/// The routes for supervisors and monitoring. They want no token: keep them from the outside at the
/// proxy.
/// - Parameters:
///   - isReady: Whether the database answers.
///   - metrics: Everything measured, in Prometheus' text format.
public func machineRoutes(
  isReady: @escaping @Sendable () async -> Bool, metrics: @escaping @Sendable () -> String
) -> [Route] {
  [
    Route(.get, "/healthz") { _ in .text("ok\n") },
    Route(.get, "/readyz") { _ in
      await isReady() ? .text("ok\n") : Problem.unavailable.response()
    },
    Route(.get, "/metrics") { _ in .text(metrics()) },
  ]
}
