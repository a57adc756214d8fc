import APIMessages
import HTTPServing
import JSONText
import ShiftDomain
import ShiftOperations

extension ManagerDesk {
  /// What the guard knows of its own work.
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
  private static let bounds: [Int64] = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000]

  /// `DetectionFigures`.
  fileprivate var message: JSONObject {
    let counts = measured.counts(within: Self.bounds.map { .milliseconds($0) })
    let head: JSONObject = [
      "since": JSONValue(since), "asOf": JSONValue(asOf),
      "promise": JSONValue(detectionMax.milliseconds),
    ]
    return head.adding(measured.message).adding([
      "histogram": .array(histogram(counts)),
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

  private func histogram(_ counts: [Int]) -> [JSONValue] {
    counts.enumerated().map { place, count in
      let bound = place < Self.bounds.count ? Self.bounds[place] : nil
      return .object(["within": bound.map { JSONValue($0) }, "count": JSONValue(count)])
    }
  }
}

extension SpanFigures {
  /// How many, and quantiles in milliseconds.
  fileprivate var message: JSONObject {
    [
      "count": JSONValue(spans.count),
      "p50": quantile(permille: 500).map { JSONValue($0.milliseconds) },
      "p99": quantile(permille: 990).map { JSONValue($0.milliseconds) },
      "max": spans.last.map { JSONValue($0.milliseconds) },
    ]
  }

  /// The same, and how many of a hundred kept the promise.
  fileprivate func message(within bound: TimeSpan, missing: Int? = nil) -> JSONObject {
    message.adding([
      "promise": JSONValue(bound.milliseconds),
      "kept": permille(within: bound).map { JSONValue(permille: $0) },
      "missing": missing.map { JSONValue($0) },
    ])
  }
}

extension GuardFigures {
  /// `GuardFigures`. `null` is what no client reports yet: better than a number nobody measured.
  fileprivate var message: JSONObject {
    [
      "since": JSONValue(since), "asOf": JSONValue(asOf),
      "indicatorSeenWithin3s": .null,
      "grantedOnFirstGuidedAttempt": .null,
      "alwaysGrantedAfterExplanation": .null,
      "silentClockInFailures": .null,
      "restorationFromDenied": .object(restoration.message(within: .seconds(60))),
      "detection": .object(detection.message(within: detectionMax, missing: unmeasured)),
      "resumption": .object(resumption.message(within: resumptionMax, missing: notResumed)),
    ]
  }
}
