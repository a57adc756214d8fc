import APIMessages
import HTTPServing
import JSONText
import ShiftDomain
import ShiftOperations

extension ManagerDesk {
  /// The guard's own performance figures.
  var figuresRoutes: [Route] {
    let operations = operations
    return [
      route(.get, "/v1/detection") { (_, caller) in
        .object(try await operations.detectionFigures(for: caller.viewer).message)
      },
      route(.get, "/v1/figures") { (_, caller) in
        .object(try await operations.guardFigures(for: caller.viewer).message)
      },
    ]
  }
}

extension DetectionFigures {
  /// `DetectionFigures`.
  fileprivate var message: JSONObject {
    let head: JSONObject = [
      "since": JSONValue(since), "asOf": JSONValue(asOf),
      "promise": JSONValue(detectionMax.milliseconds),
    ]
    return head.adding(measured.message).adding([
      "histogram": JSONValue(histogram) { column in
        [
          "within": column.within.map { JSONValue($0.milliseconds) },
          "count": JSONValue(column.count),
        ]
      },
      "misses": JSONValue(misses) { row in
        [
          "employee": JSONValue(row.incident.employee.rawValue),
          "incident": JSONValue(row.incident.number),
          "kind": JSONValue(word: row.kind),
          "worsened": .bool(row.worsened),
          "receivedAt": JSONValue(row.receivedAt),
          "milliseconds": row.elapsed.map { JSONValue($0.milliseconds) },
        ]
      },
    ])
  }
}

extension SpanFigures {
  /// The count, and quantiles in milliseconds.
  fileprivate var message: JSONObject {
    [
      "count": JSONValue(spans.count),
      "p50": quantile(permille: 500).map { JSONValue($0.milliseconds) },
      "p99": quantile(permille: 990).map { JSONValue($0.milliseconds) },
      "max": spans.last.map { JSONValue($0.milliseconds) },
    ]
  }

  /// The same, with the percentage that met the promise.
  fileprivate func message(within bound: TimeSpan, missing: Int? = nil) -> JSONObject {
    message.adding([
      "promise": JSONValue(bound.milliseconds),
      "kept": permille(within: bound, missing: missing ?? 0).map { JSONValue(permille: $0) },
      "missing": missing.map { JSONValue($0) },
    ])
  }
}

extension GuardFigures {
  /// `GuardFigures`. A figure that no client reports yet is `null`.
  fileprivate var message: JSONObject {
    [
      "since": JSONValue(since), "asOf": JSONValue(asOf),
      "indicatorSeenWithin3s": .null,
      "grantedOnFirstGuidedAttempt": .null,
      "alwaysGrantedAfterExplanation": .null,
      "silentClockInFailures": .null,
      "restorationFromDenied": .object(restoration.message(within: restorationMax)),
      "detection": .object(detection.message(within: detectionMax, missing: unmeasured)),
      "resumption": .object(resumption.message(within: resumptionMax, missing: notResumed)),
    ]
  }
}
