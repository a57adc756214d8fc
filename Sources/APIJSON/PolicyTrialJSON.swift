import GuardRules
import JSONText
import ReadModels
import ShiftDomain

extension PolicyTrial {
  /// `PolicyTrial`.
  package var json: JSONObject {
    [
      "team": JSONValue(team.rawValue),
      "policyVersion": JSONValue(policyVersion),
      "from": JSONValue(span.start),
      "to": JSONValue(span.end),
      "clockIns": JSONValue(total),
      "complete": .bool(!isCut),
      "then": .object(json { count(then: $0) }),
      "now": .object(json { count(now: $0) }),
      "overridden": JSONValue(overridden),
      "byOtherVersions": JSONValue(byOtherVersions),
      "uncertain": JSONValue(uncertain),
      "differenceCount": JSONValue(differenceCount),
      "differences": JSONValue(differences) { $0.json },
    ]
  }

  private func json(_ count: (Verdict) -> Int) -> JSONObject {
    JSONObject(Verdict.allCases.map { .init(name: $0.code, value: JSONValue(count($0))) })
  }
}

extension PolicyTrial.Difference {
  fileprivate var json: JSONObject {
    [
      "employee": JSONValue(row.device.employee.rawValue),
      "name": .string(row.name),
      "device": JSONValue(row.device.number),
      "clockAction": row.number.map { JSONValue($0) },
      "at": JSONValue(row.at),
      "policyVersion": JSONValue(row.policyVersion),
      "then": .object(JSONObject(row.clockIn.decision)),
      "now": .object(JSONObject(replayed.decision)),
      "usedOverride": .bool(row.clockIn.override != nil),
      "certain": .bool(replayed.isCertain),
    ]
  }
}
