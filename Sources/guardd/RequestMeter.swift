import HTTPServing
import Lifecycle
import Telemetry

/// Counts, times, traces and logs the requests of one route. Nothing from a path, query, header or
/// body is logged, but for the ids of a valid `traceparent`: a line names the route, not the path.
final class RequestMeter: Sendable {
  private let method: String
  private let pattern: String
  private let metrics: Metrics
  private let log: Log
  private let slowAfter: Duration
  private let slowLimit: LineLimit
  private let used = Lock<(seconds: Histogram?, counters: [Int: Counter])>((nil, [:]))

  private init(
    _ route: Route, slowAfter: Duration, _ slowLimit: LineLimit, metrics: Metrics, log: Log
  ) {
    method = route.method.rawValue
    pattern = route.pattern
    self.metrics = metrics
    self.log = log
    self.slowAfter = slowAfter
    self.slowLimit = slowLimit
  }

  /// - Parameter slowAfter: How long a request may take that is not logged as slow.
  static func observing(
    _ routes: [Route], slowAfter: Duration, metrics: Metrics, log: Log
  ) -> [Route] {
    let slowLimit = LineLimit()
    return routes.map { route in
      let meter = RequestMeter(route, slowAfter: slowAfter, slowLimit, metrics: metrics, log: log)
      var observed = route
      if let admission = route.admission {
        observed.admission = { request in
          await meter.traced(request) {
            guard let refusal = await admission(request) else { return nil }
            return meter.noted(refusal, to: request)
          }
        }
      }
      observed.handler = { request in
        await meter.traced(request) { meter.noted(await route.handler(request), to: request) }
      }
      return observed
    }
  }

  /// Runs `respond` as part of the trace that the request continues or begins.
  private func traced<Answer>(
    _ request: HTTPRequest, _ respond: () async -> Answer
  ) async -> Answer {
    let trace = TraceContext(continuing: request.traceparent)
    return await TraceContext.$current.withValue(trace, operation: respond)
  }

  /// The response with the ids of its request, measured.
  private func noted(_ response: HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
    note(response.status, after: .now - request.receivedAt)
    var response = response
    response.headers["traceresponse"] = TraceContext.current?.header
    return response
  }

  private func note(_ status: Int, after span: Duration) {
    let (seconds, counter) = instruments(of: status)
    counter.add()
    seconds.observe(span)
    let isSlow = span >= slowAfter && slowLimit.mayLog()
    // Successes are only counted: a line for every ping would cost as much as the ping.
    let level: Log.Level =
      isSlow || status >= 500 ? .warning : status >= 400 ? .info : .debug
    log.write(
      level, isSlow ? "slow request" : "request",
      [
        "method": method, "route": pattern, "status": status,
        "milliseconds": span.roundedMilliseconds,
      ])
  }

  /// Made when they are first needed: most of the many routes are rarely used, and their buckets
  /// would be most of what a scrape reads.
  private func instruments(of status: Int) -> (Histogram, Counter) {
    used.withLock { used in
      if let seconds = used.seconds, let counter = used.counters[status] {
        return (seconds, counter)
      }
      let seconds = metrics.histogram(
        "shiftguard_request_seconds", "Time from a request's last byte to its response.",
        ["method": method, "route": pattern])
      let counter = metrics.counter(
        "shiftguard_requests_total", "Requests, by route and status.",
        ["method": method, "route": pattern, "status": String(status)])
      used.seconds = seconds
      used.counters[status] = counter
      return (seconds, counter)
    }
  }
}

extension HTTPRequest {
  /// The header of W3C Trace Context; `nil` also if it is there twice.
  fileprivate var traceparent: String? {
    guard let first = headers["traceparent"] else { return nil }
    return headers.values(of: "traceparent").count == 1 ? first : nil
  }
}
