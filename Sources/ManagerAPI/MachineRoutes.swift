import HTTPAPI
import HTTPServing
import JSONText

/// The routes for supervisors and monitoring. They need no token: block them at the proxy, for
/// which exact path matching is enough, or serve them on another address.
/// - Parameters:
///   - version: What the program was built from.
///   - troubles: Why this instance cannot work; empty when it is ready.
///   - metrics: Everything measured, in Prometheus' text format.
package func machineRoutes(
  version: String, troubles: @escaping @Sendable () async -> [String],
  metrics: @escaping @Sendable () -> String
) -> [AccessRoute] {
  [
    AccessRoute(.get, "/healthz", .anybody, isRaw: true) { _ in .text("ok\n") },
    AccessRoute(.get, "/readyz", .anybody, isRaw: true) { _ in
      let troubles = await troubles()
      return troubles.isEmpty
        ? .text("ok\nguardd \(version)\n") : Problem.notReady(troubles, version).response()
    },
    AccessRoute(.get, "/metrics", .anybody, isRaw: true) { _ in
      .text(metrics(), type: "text/plain; version=0.0.4")
    },
  ]
}

extension Problem {
  fileprivate static func notReady(_ troubles: [String], _ version: String) -> Problem {
    Problem(
      status: 503, code: "not_ready", detail: troubles.joined(separator: "; "),
      extensions: [
        "troubles": .array(troubles.map { .string($0) }), "version": .string(version),
      ],
      headers: ["Retry-After": "2"])
  }
}
