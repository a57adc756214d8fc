import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import ShiftDomain

extension ManagerController {
  /// A draft of a policy, tried on the clock-ins of the last weeks.
  var policyTrialRoutes: [AccessRoute] {
    [
      route(.post, "/v1/teams/{team}/policies/try", .administrator, cost: .heavy) {
        (request, _) in
        let team = try request.pathTeam
        let weeks = try request.number("weeks", in: 1...4) ?? 2
        guard trialWeeks.contains(Int(weeks)) else {
          throw QueryFault("weeks", "must be 1, 2 or 4")
        }
        let fields = try JSONFields(
          request.body.isEmpty ? .object([:]) : JSONValue(parsing: request.body))
        let changes = fields.names.isEmpty ? PolicyChanges() : try PolicyChanges(fields)
        return .object(
          try await operations.tryPolicy(of: team, changes, weeks: Int(weeks)).json)
      }
    ]
  }
}

extension PolicyTrial {
  /// `PolicyTrial`.
  fileprivate var json: JSONObject {
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
