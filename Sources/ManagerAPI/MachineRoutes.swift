public import APIMessages
import HTTPServing
import JSONText

/// The routes for supervisors and monitoring. They want no token: keep them from the outside at the
/// proxy, which need not know how else their paths may be written, or serve them elsewhere.
/// - Parameters:
///   - troubles: Why this instance cannot do its work; none: it is ready.
///   - metrics: Everything measured, in Prometheus' text format.
public func machineRoutes(
  troubles: @escaping @Sendable () async -> [String], metrics: @escaping @Sendable () -> String
) -> [Route] {
  [
    Route(.get, "/healthz", isRaw: true) { _ in .text("ok\n") },
    Route(.get, "/readyz", isRaw: true) { _ in
      let troubles = await troubles()
      return troubles.isEmpty ? .text("ok\n") : Problem.notReady(troubles).response()
    },
    Route(.get, "/metrics", isRaw: true) { _ in .text(metrics()) },
  ]
}

extension Problem {
  fileprivate static func notReady(_ troubles: [String]) -> Problem {
    Problem(
      status: 503, code: "not_ready", detail: troubles.joined(separator: "; "),
      extensions: [("troubles", JSONValue.array(troubles.map { .string($0) }).bytes)],
      headers: ["Retry-After": "2"])
  }
}
