import GuardRules
import JSONText
import ReadModels
import ShiftDomain

extension PolicyRow {
  /// `Policy`.
  package var json: JSONObject {
    let head: JSONObject = [
      "team": JSONValue(team.rawValue),
      "version": JSONValue(version),
      "inForce": .bool(isInForce),
      "createdAt": JSONValue(createdAt),
      "validFrom": JSONValue(validFrom),
      "savedBy": savedBy.map { .string($0) },
    ]
    return head.adding(policy.json)
  }
}

extension Policy {
  /// Its settings. Durations are whole seconds, as in `Tracking`.
  fileprivate var json: JSONObject {
    let head: JSONObject = [
      "preset": JSONValue(word: preset),
      "severities": .object(
        JSONObject(
          FindingSet.all.ranked.map {
            .init(name: $0.code, value: JSONValue(word: severities[$0]))
          })),
    ]
    let spans = PolicySpan.allCases.map {
      JSONObject.Member(name: $0.name, value: JSONValue(self[$0].seconds))
    }
    return head.adding(JSONObject(spans)).adding([
      "maxFixAge": JSONValue(fixAgeMax.seconds),
      "accuracyMax": accuracyMaxMeters.map { JSONValue($0) },
      "selfOverride": JSONValue(word: selfOverride),
      "opensPlannedShifts": .bool(opensPlannedShifts),
    ])
  }
}

extension PlannedPolicy {
  /// `PlannedPolicy`.
  package var json: JSONObject {
    let head: JSONObject = [
      "team": JSONValue(team.rawValue),
      "formerVersion": JSONValue(former),
      "createdAt": JSONValue(createdAt),
      "validFrom": JSONValue(validFrom),
      "savedBy": .string(savedBy),
    ]
    return head.adding(policy.json)
  }

  /// The same, with what will change if nothing changes before.
  package func json(after inForce: PolicyRow) -> JSONObject {
    json.adding(["differences": JSONValue(policy.differences(from: inForce.policy))])
  }
}

extension PolicyVersion {
  /// A member of `PolicyHistory`.
  package var json: JSONObject { row.json.adding(["differences": JSONValue(differences)]) }
}

extension JSONValue {
  package init(_ differences: [PolicyDifference]) {
    self.init(differences) { difference in
      [
        "setting": .string(difference.setting.pointer), "from": difference.former.json,
        "to": difference.new.json,
      ]
    }
  }
}

extension PolicyValue {
  /// As in a policy.
  fileprivate var json: JSONValue {
    switch self {
    case .preset(let preset): JSONValue(word: preset)
    case .severity(let severity): JSONValue(word: severity)
    case .span(let span): JSONValue(span.seconds)
    case .meters(let meters): meters.map { JSONValue($0) } ?? .null
    case .selfOverride(let choice): JSONValue(word: choice)
    case .flag(let flag): .bool(flag)
    }
  }
}
