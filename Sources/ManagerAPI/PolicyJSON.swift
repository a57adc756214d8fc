import GuardRules
import HTTPAPI
import JSONText
import ManagerOperations
import ReadModels
import ShiftDomain

extension PolicyRow {
  /// `Policy`.
  var json: JSONObject {
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

  var path: String { "/v1/teams/\(team.rawValue)/policies/\(version)" }
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
  var json: JSONObject {
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
  func json(after inForce: PolicyRow) -> JSONObject {
    json.adding(["differences": JSONValue(policy.differences(from: inForce.policy))])
  }
}

extension PolicyVersion {
  /// A member of `PolicyHistory`.
  var json: JSONObject { row.json.adding(["differences": JSONValue(differences)]) }
}

extension JSONValue {
  fileprivate init(_ differences: [PolicyDifference]) {
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

extension PolicyChanges {
  /// The settings in `PolicyChanges`, the body of `POST /v1/teams/{team}/policies`.
  ///
  /// Unknown fields are rejected: a misspelt setting would be ignored without notice.
  /// - Parameter others: The fields that are no settings.
  init(_ fields: JSONFields, besides others: [String] = []) throws(BodyFault) {
    let known =
      ["preset", "severities", "selfOverride", "accuracyMax", "opensPlannedShifts"]
      + PolicySpan.allCases.map(\.name) + others
    for name in fields.names where !known.contains(name) {
      throw BodyFault(at: fields.place(name), "is not a setting of a policy")
    }
    self.init(
      preset: try fields.knownWord("preset"),
      selfOverride: try fields.knownWord("selfOverride"),
      opensPlannedShifts: try fields.flag("opensPlannedShifts"))
    if let moves = try fields.object("severities") { severities = try Self.severities(moves) }
    for span in PolicySpan.allCases {
      let bounds = span.range.lowerBound.seconds...span.range.upperBound.seconds
      spans[span] = try fields.integer(span.name, in: bounds).map { .seconds($0) }
    }
    accuracyMax = try Self.accuracyMax(fields)
    guard !isEmpty else { throw BodyFault(at: "", "must name at least one setting to change") }
  }

  /// `null` means no limit.
  private static func accuracyMax(_ fields: JSONFields) throws(BodyFault) -> AccuracyChange? {
    guard fields.names.contains("accuracyMax") else { return nil }
    let range = Int64(Policy.accuracyRange.lowerBound)...Int64(Policy.accuracyRange.upperBound)
    let meters = try fields.integer("accuracyMax", in: range)
    return meters.map { .meters(Int32(clamping: $0)) } ?? .off
  }

  private static func severities(_ fields: JSONFields) throws(BodyFault) -> [Finding: Severity] {
    var severities: [Finding: Severity] = [:]
    for name in fields.names {
      guard let finding = Finding(code: name) else {
        throw BodyFault(at: fields.place(name), "is not the code of a finding")
      }
      severities[finding] = try fields.knownWord(name)
    }
    return severities
  }
}
