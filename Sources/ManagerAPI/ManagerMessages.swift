import APIMessages
import GuardRules
import JSONText
import ShiftDomain
import ShiftOperations

extension BoardLine {
  /// One line of `Board`. Nothing here says where anybody is.
  var message: JSONObject {
    [
      "employee": JSONValue(employee.rawValue),
      "name": .string(name),
      "team": .object(["number": JSONValue(team.rawValue), "name": .string(teamName)]),
      "shift": shift.map { .object(JSONObject($0)) },
      "startedAt": startedAt.map { JSONValue($0) },
      "lastContactAt": lastContactAt.map { JSONValue($0) },
      "lastFixAt": lastFixAt.map { JSONValue($0) },
      "incidents": JSONValue(incidents) { JSONObject($0) },
    ]
  }
}

extension ShiftCoverage {
  /// `Coverage`.
  var message: JSONObject {
    [
      "shift": .object(JSONObject(shift)),
      "startedAt": JSONValue(startedAt),
      "endedAt": endedAt.map { JSONValue($0) },
      "asOf": JSONValue(asOf),
      "provisional": .bool(isProvisional),
      "trackingRate": trackingPermille.map { .number(Double($0) / 10) },
      "segments": JSONValue(segments) { segment in
        [
          "from": JSONValue(segment.interval.start),
          "to": JSONValue(segment.interval.end),
          "reason": JSONValue(word: segment.reason),
          "atRisk": .bool(segment.isAtRisk),
          "milliseconds": JSONValue(segment.interval.length.milliseconds),
        ]
      },
      "sums": .object(sums),
      "milliseconds": JSONValue((asOf - startedAt).milliseconds),
    ]
  }

  /// Milliseconds by reason, in the order of the list of reasons.
  private var sums: JSONObject {
    var totals: [CoverageReason: TimeSpan] = [:]
    for segment in segments {
      totals[segment.reason, default: .zero] =
        totals[segment.reason, default: .zero] + segment.interval.length
    }
    return JSONObject(
      CoverageReason.allCases.compactMap { reason in
        totals[reason].map { .init(name: reason.code, value: JSONValue($0.milliseconds)) }
      })
  }
}
