import GuardRules
import JSONText
import ReadModels
import ShiftDomain

extension OverrideRow {
  /// `Override`.
  package var json: JSONObject {
    [
      "employee": JSONValue(employee.rawValue),
      "number": JSONValue(number),
      "findings": .array(findings.ranked.map { JSONValue(word: $0) }),
      "author": JSONValue(word: author),
      "by": .string(givenBy),
      "reason": .string(reason),
      "createdAt": JSONValue(createdAt),
      "expiresAt": JSONValue(expiresAt),
      "withdrawnAt": withdrawnAt.map { JSONValue($0) },
      "shift": usedShift.map {
        .object(JSONObject(ShiftID(employee: employee, number: $0)))
      },
    ]
  }
}

extension ClockActionRow {
  /// `ClockAction`.
  package var json: JSONObject {
    [
      "employee": JSONValue(device.employee.rawValue),
      "number": JSONValue(number),
      "device": JSONValue(device.number),
      "at": JSONValue(at),
      "receivedAt": JSONValue(receivedAt),
      "outcome": JSONValue(word: outcome),
      "decision": .object(JSONObject(decision)),
      "policyVersion": JSONValue(policyVersion),
      "localDecision": localDecision.map { local in
        .object(
          JSONObject(local.decision).adding(["policyVersion": JSONValue(local.policyVersion)]))
      },
      "shift": shift.map { .object(JSONObject(ShiftID(employee: device.employee, number: $0))) },
      "review": .bool(awaitsManager),
      "reason": kept.map { JSONValue(word: $0) },
      "claimed": claimed.map { span in
        .object(["from": JSONValue(span.start), "to": span.end.map { JSONValue($0) }])
      },
      "reviewed": review.map { reviewed in
        .object([
          "outcome": JSONValue(word: reviewed.decision),
          "at": JSONValue(reviewed.at),
          "by": .string(reviewed.by),
          "reason": reviewed.reason.map { .string($0) },
          "shift": reviewed.shift.map {
            .object(JSONObject(ShiftID(employee: device.employee, number: $0)))
          },
        ])
      },
    ]
  }
}
