public import APIMessages
import HTTPServing

/// The routes for supervisors and monitoring. They want no token: keep them from the outside at the
/// proxy, which need not know how else their paths may be written, or serve them elsewhere.
/// - Parameters:
///   - isReady: Whether the database answers.
///   - metrics: Everything measured, in Prometheus' text format.
public func machineRoutes(
  isReady: @escaping @Sendable () async -> Bool, metrics: @escaping @Sendable () -> String
) -> [Route] {
  [
    Route(.get, "/healthz", isRaw: true) { _ in .text("ok\n") },
    Route(.get, "/readyz", isRaw: true) { _ in
      await isReady() ? .text("ok\n") : Problem.unavailable.response()
    },
    Route(.get, "/metrics", isRaw: true) { _ in .text(metrics()) },
  ]
}
