import HTTPServing
import Lifecycle
import SystemCalls
import Telemetry

/// What becomes of the requests of all routes.
struct RequestMonitor: Sendable {
  let metrics: Metrics
  let log: Log
  /// How long a request may take that is not logged as slow.
  let slowAfter: Duration
  let slowLimit = LineLimit()
  /// Takes the spans that are worth recording; `nil`: nobody does.
  let spans: SpanExporter?
}

/// Counts, times, traces and logs the requests of one route. Nothing from a path, query, header or
/// body is logged, but for the ids of a valid `traceparent`: a line names the route, not the path.
final class RequestMeter: Sendable {
  private let method: String
  private let pattern: String
  private let monitor: RequestMonitor
  private let used = Lock<(seconds: Histogram?, counters: [Int: Counter])>((nil, [:]))

  private init(_ route: Route, _ monitor: RequestMonitor) {
    method = route.method.rawValue
    pattern = route.pattern
    self.monitor = monitor
  }

  static func observing(_ routes: [Route], by monitor: RequestMonitor) -> [Route] {
    routes.map { route in
      let meter = RequestMeter(route, monitor)
      let measured = route.finishing { response, receivedAt in
        meter.noted(response, receivedAt: receivedAt)
      }
      var observed = measured
      if let admission = route.admission {
        observed.admission = { request in
          let trace = TraceContext(continuing: request.traceparent)
          return await TraceContext.$current.withValue(trace) {
            guard let refusal = await admission(request) else { return nil }
            return meter.noted(refusal, receivedAt: request.receivedAt)
          }
        }
      }
      observed.handler = { request in
        let trace = TraceContext(continuing: request.traceparent)
        return await TraceContext.$current.withValue(trace) { await measured.handler(request) }
      }
      return observed.directly(measured.take)
    }
  }

  /// The response, measured; with the ids of its request for those who look for it: a caller that
  /// traces, or one that was refused. The usual answer of a direct way has no ids before.
  private func noted(
    _ response: HTTPResponse, receivedAt: ContinuousClock.Instant
  ) -> HTTPResponse {
    guard let trace = TraceContext.current else {
      return TraceContext.$current.withValue(TraceContext()) {
        noted(response, receivedAt: receivedAt)
      }
    }
    note(response.status, after: .now - receivedAt, of: trace)
    guard trace.parentID != nil || response.status >= 400 else { return response }
    var response = response
    response.headers["traceresponse"] = trace.header
    return response
  }

  private func note(_ status: Int, after span: Duration, of trace: TraceContext) {
    let (seconds, counter) = instruments(of: status)
    counter.add()
    seconds.observe(span)
    let isSlow = span >= monitor.slowAfter
    if trace.isSampled || isSlow || status >= 500 {
      monitor.spans?.record(
        RequestSpan(
          trace: trace, method: method, route: pattern, status: status,
          endedAt: calendarMilliseconds(), duration: span))
    }
    let isLoggedAsSlow = isSlow && monitor.slowLimit.mayLog()
    // Successes are only counted: a line for every ping would cost as much as the ping.
    let level: Log.Level =
      isLoggedAsSlow || status >= 500 ? .warning : status >= 400 ? .info : .debug
    monitor.log.write(
      level, isLoggedAsSlow ? "slow request" : "request",
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
      let seconds = monitor.metrics.histogram(
        "shiftguard_request_seconds", "Time from a request's last byte to its response.",
        ["method": method, "route": pattern])
      let counter = monitor.metrics.counter(
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
