import JSONText
import ReadModels
import ShiftDomain

extension DetectionStatistics {
  package var json: JSONObject {
    let head: JSONObject = [
      "since": JSONValue(since), "asOf": JSONValue(asOf),
      "target": JSONValue(detectionMax.milliseconds),
    ]
    return head.adding(measured.json).adding([
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

extension DurationStatistics {
  /// The count, and quantiles in milliseconds.
  fileprivate var json: JSONObject {
    [
      "count": JSONValue(spans.count),
      "p50": quantile(permille: 500).map { JSONValue($0.milliseconds) },
      "p99": quantile(permille: 990).map { JSONValue($0.milliseconds) },
      "max": spans.last.map { JSONValue($0.milliseconds) },
    ]
  }

  /// The same, with the percentage that met the target.
  fileprivate func json(within bound: TimeSpan, missing: Int? = nil) -> JSONObject {
    json.adding([
      "target": JSONValue(bound.milliseconds),
      "met": permille(within: bound, missing: missing ?? 0).map { JSONValue(permille: $0) },
      "missing": missing.map { JSONValue($0) },
    ])
  }
}

extension Share {
  /// The number of employees, and the percentage of them that met the goal.
  fileprivate func json(goal permille: Int? = nil) -> JSONObject {
    [
      "count": JSONValue(count),
      "target": permille.map { JSONValue(permille: $0) },
      "met": self.permille.map { JSONValue(permille: $0) },
    ]
  }
}

extension GuardStatistics {
  /// `GuardStatistics`.
  package var json: JSONObject {
    [
      "since": JSONValue(since), "asOf": JSONValue(asOf),
      "indicatorSeenWithin3s": .object(apps.indicatorInTime.json(goal: indicatorGoal)),
      "grantedOnFirstGuidedAttempt": .object(apps.grantedAtFirst.json(goal: grantGoal)),
      "alwaysGrantedAfterExplanation": .object(apps.alwaysGranted.json()),
      "silentClockInFailures": .object([
        "refused": JSONValue(apps.refusalsShown.count),
        "silent": JSONValue(apps.refusalsShown.count - apps.refusalsShown.met),
      ]),
      "restorationFromDenied": .object(restoration.json(within: restorationMax)),
      "detection": .object(detection.json(within: detectionMax, missing: unmeasured)),
      "resumption": .object(resumption.json(within: resumptionMax, missing: notResumed)),
    ]
  }
}
