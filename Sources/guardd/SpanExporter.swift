import HTTPSending
import JSONText
import Lifecycle
import ServiceSettings
import Telemetry

/// An answered request, as the span of a trace.
struct RequestSpan: Sendable {
  var trace: TraceContext
  var method: String
  var route: String
  var status: Int
  /// Unix time in milliseconds.
  var endedAt: Int64
  var duration: Duration
}

/// Sends spans to a collector in batches. What it cannot send is dropped and counted: a collector
/// that is away costs neither memory nor time.
/// - Source: OTLP/HTTP in JSON, https://opentelemetry.io/docs/specs/otlp/
final class SpanExporter: Service {
  let name = "traces"

  private static let waitingMax = 4_096
  private static let batchMax = 512

  private let url: String
  private let sender = HTTPSender(connectionsMax: 1)
  private let waiting = Lock<[RequestSpan]>([])
  private let sent, dropped: Counter
  private let failing: LastingFailure

  /// - Parameter url: The collector's, such as `http://127.0.0.1:4318/v1/traces`.
  init(_ url: String, _ metrics: Metrics, _ log: Log) {
    self.url = url
    func counter(_ result: String) -> Counter {
      metrics.counter(
        "shiftguard_trace_spans_total", "Spans for the collector of traces, by result.",
        ["result": result])
    }
    (sent, dropped) = (counter("sent"), counter("dropped"))
    failing = LastingFailure("traces failed", log)
  }

  func record(_ span: RequestSpan) {
    let hasRoom = waiting.withLock { waiting in
      guard waiting.count < Self.waitingMax else { return false }
      waiting.append(span)
      return true
    }
    if !hasRoom { dropped.add() }
  }

  func run() async {
    await Polling(every: .seconds(2)).run {
      await send()
      return .atInterval
    }
  }

  /// Sends what waits, until a batch fails.
  func send() async {
    defer { failing.endPoll() }
    while case let batch = take(), !batch.isEmpty {
      do throws(SendingError) {
        let response = try await sender.send(
          OutgoingRequest(
            "POST", url, headers: [("Content-Type", "application/json")], body: body(batch),
            deadline: .seconds(5)))
        guard (200...299).contains(response.status) else {
          return drop(batch, "status \(response.status)")
        }
        sent.add(UInt64(batch.count))
      } catch .cancelled {
        // The last call, at the end of the program, sends it.
        return waiting.withLock { $0 = batch + $0 }
      } catch {
        return drop(batch, "\(error)")
      }
    }
  }

  private func take() -> [RequestSpan] {
    waiting.withLock { waiting in
      defer { waiting.removeFirst(min(Self.batchMax, waiting.count)) }
      return Array(waiting.prefix(Self.batchMax))
    }
  }

  private func drop(_ batch: [RequestSpan], _ reason: String) {
    dropped.add(UInt64(batch.count))
    failing.report(reason)
  }

  private func body(_ batch: [RequestSpan]) -> [UInt8] {
    let scope: JSONObject = [
      "scope": ["name": "guardd"], "spans": .array(batch.map { .object($0.json) }),
    ]
    let resource: JSONObject = [
      "resource": [
        "attributes": [
          attribute("service.name", ["stringValue": "guardd"]),
          attribute("service.version", ["stringValue": .string(Build.text)]),
        ]
      ],
      "scopeSpans": [.object(scope)],
    ]
    let request: JSONObject = ["resourceSpans": [.object(resource)]]
    return JSONValue.object(request).bytes
  }
}

extension RequestSpan {
  /// Enumerations and 64-bit numbers as OTLP's JSON has them.
  fileprivate var json: JSONObject {
    let end = endedAt * 1_000_000
    let (seconds, attoseconds) = duration.components
    let start = end - seconds * 1_000_000_000 - attoseconds / 1_000_000_000
    return [
      "traceId": .string(trace.traceText), "spanId": .string(trace.spanText),
      "parentSpanId": trace.parentText.map { .string($0) },
      "name": .string("\(method) \(route)"),
      "kind": .integer(2),  // a server's
      "startTimeUnixNano": .string(String(start)), "endTimeUnixNano": .string(String(end)),
      "attributes": [
        attribute("http.request.method", ["stringValue": .string(method)]),
        attribute("http.route", ["stringValue": .string(route)]),
        attribute("http.response.status_code", ["intValue": .string(String(status))]),
      ],
      "status": status >= 500 ? ["code": .integer(2)] : [:],  // 2: an error
    ]
  }
}

private func attribute(_ key: String, _ value: JSONValue) -> JSONValue {
  ["key": .string(key), "value": value]
}
