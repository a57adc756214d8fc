import APIMessages
import GuardRules
import JSONText
import ShiftDomain
import ShiftOperations

extension Board {
  /// `Board`. It contains no positions.
  var message: JSONObject {
    let names = Dictionary(
      teams.map { ($0.team, $0.name) }, uniquingKeysWith: { first, _ in first })
    return [
      "asOf": JSONValue(asOf),
      "teams": JSONValue(teams) { day in
        [
          "number": JSONValue(day.team.rawValue),
          "name": .string(day.name),
          "timeZone": .string(day.timeZone),
          "from": JSONValue(day.span.start),
          "to": JSONValue(day.span.end),
        ]
      },
      "counts": .object(
        JSONObject(
          BoardState.allCases.map { .init(name: $0.code, value: JSONValue(counts[$0] ?? 0)) })),
      "employees": JSONValue(lines) { $0.message(inTeamCalled: names[$0.team] ?? "") },
    ]
  }
}

extension BoardLine {
  /// One line of `Board`.
  fileprivate func message(inTeamCalled name: String) -> JSONObject {
    [
      "employee": JSONValue(employee.rawValue),
      "name": .string(self.name),
      "team": .object(["number": JSONValue(team.rawValue), "name": .string(name)]),
      "state": JSONValue(word: state),
      "trackingState": .object(JSONObject(trackingState)),
      "shift": shift.map { .object(JSONObject($0)) },
      "startedAt": startedAt.map { JSONValue($0) },
      "breakSince": breakSince.map { JSONValue($0) },
      "lastContactAt": lastContactAt.map { JSONValue($0) },
      "lastFixAt": lastFixAt.map { JSONValue($0) },
      "blocked": blocked.map { tap in
        .object([
          "attempt": tap.attempt.map { JSONValue($0) },
          "at": JSONValue(tap.at),
          "findings": .array(tap.findings.ranked.map { JSONValue(word: $0) }),
        ])
      },
      "incidents": JSONValue(incidents) { $0.message },
      "today": JSONValue(today) { segment in
        [
          "from": JSONValue(segment.interval.start),
          "to": JSONValue(segment.interval.end),
          "reason": JSONValue(word: segment.reason),
          "atRisk": .bool(segment.isAtRisk),
          "likely": segment.likely.map { JSONValue(word: $0) },
          "evidence": segment.isInferred ? "inferred" : nil,
        ]
      },
      "plans": JSONValue(plans) { ["start": JSONValue($0.start), "end": JSONValue($0.end)] },
    ]
  }
}

extension BoardIncident {
  /// `Incident`, with its notifications.
  fileprivate var message: JSONObject {
    JSONObject(incident).adding([
      "told": JSONValue(told) { $0.message },
      "undelivered": undelivered.map { .object($0.message) },
    ])
  }
}

extension Told {
  /// `Told`.
  var message: JSONObject { ["rung": JSONValue(word: rung), "at": JSONValue(at)] }
}

extension Undelivered {
  /// `Undelivered`.
  var message: JSONObject {
    [
      "reason": JSONValue(word: reason),
      "missing": .array(missing.map { JSONValue(word: $0) }),
    ]
  }
}
