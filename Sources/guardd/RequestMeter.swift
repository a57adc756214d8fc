import HTTPServing
import Lifecycle
import Telemetry

/// Counts, times and logs the requests of one route. Nothing from a path, query, header or body is
/// logged: a line names the route, not the path.
final class RequestMeter: Sendable {
  private let method: String
  private let pattern: String
  private let metrics: Metrics
  private let seconds: Histogram
  private let log: Log
  private let counters = Lock<[Int: Counter]>([:])

  private init(_ route: Route, metrics: Metrics, log: Log) {
    method = route.method.rawValue
    pattern = route.pattern
    self.metrics = metrics
    self.log = log
    seconds = metrics.histogram(
      "shiftguard_request_seconds", "Time from a request's last byte to its response.",
      ["method": method, "route": pattern])
  }

  static func observing(_ routes: [Route], metrics: Metrics, log: Log) -> [Route] {
    routes.map { route in
      let meter = RequestMeter(route, metrics: metrics, log: log)
      var observed = route
      if let admission = route.admission {
        observed.admission = { request in
          let refusal = await admission(request)
          if let refusal { meter.note(refusal.status, after: .now - request.receivedAt) }
          return refusal
        }
      }
      observed.handler = { request in
        let response = await route.handler(request)
        meter.note(response.status, after: ContinuousClock.now - request.receivedAt)
        return response
      }
      return observed
    }
  }

  private func note(_ status: Int, after span: Duration) {
    counter(of: status).add()
    seconds.observe(span)
    // Successes are only counted: a line for every ping would cost as much as the ping.
    let level: Log.Level = status >= 500 ? .warning : status >= 400 ? .info : .debug
    log.write(
      level, "request",
      [
        "method": method, "route": pattern, "status": status,
        "milliseconds": (span / .microseconds(1)).rounded() / 1_000,
      ])
  }

  private func counter(of status: Int) -> Counter {
    counters.withLock { counters in
      if let counter = counters[status] { return counter }
      let counter = metrics.counter(
        "shiftguard_requests_total", "Requests, by route and status.",
        ["method": method, "route": pattern, "status": String(status)])
      counters[status] = counter
      return counter
    }
  }
}
