import GuardRules
import JSONText
import ReadModels
import ShiftDomain

extension Board {
  /// `Board`. It contains no positions.
  package var json: JSONObject {
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
      "employees": JSONValue(lines) { $0.json(inTeamCalled: names[$0.record.team] ?? "") },
    ]
  }
}

extension BoardLine {
  /// One line of `Board`.
  fileprivate func json(inTeamCalled name: String) -> JSONObject {
    [
      "employee": JSONValue(record.employee.rawValue),
      "name": .string(record.name),
      "team": .object(["number": JSONValue(record.team.rawValue), "name": .string(name)]),
      "state": JSONValue(word: state),
      "trackingState": .object(JSONObject(trackingState)),
      "shift": record.shift.map { .object(JSONObject($0)) },
      "waitsForConfirmation": .bool(record.waitsForConfirmation),
      "startedAt": record.startedAt.map { JSONValue($0) },
      "onBreakSince": record.breakSince.map { JSONValue($0) },
      "lastContactAt": record.lastContactAt.map { JSONValue($0) },
      "lastFixAt": record.lastFixAt.map { JSONValue($0) },
      "awaySince": record.awaySince.map { JSONValue($0) },
      "blocked": record.blocked.map { clockAction in
        .object([
          "clockAction": clockAction.clockAction.map { JSONValue($0) },
          "at": JSONValue(clockAction.at),
          "findings": .array(clockAction.findings.ranked.map { JSONValue(word: $0) }),
        ])
      },
      "missedShift": missed.map { .object($0.json) },
      "incidents": JSONValue(record.incidents) { $0.json },
      "today": JSONValue(today) { $0.json },
      "plannedShifts": JSONValue(plannedShifts) { span in
        ["start": JSONValue(span.start), "end": JSONValue(span.end)]
      },
    ]
  }
}

extension MissedShift {
  package var json: JSONObject {
    [
      "start": JSONValue(planned.start), "end": JSONValue(planned.end), "noShow": .bool(isNoShow),
    ]
  }
}

extension BoardIncident {
  /// `Incident`, with its notifications.
  fileprivate var json: JSONObject {
    JSONObject(incident).adding([
      "deliveries": JSONValue(deliveries) { $0.json },
      "undelivered": undelivered.map { .object($0.json) },
    ])
  }
}
