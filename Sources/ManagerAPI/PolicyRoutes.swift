import APIJSON
import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import OperationCore
import PolicyOperations
import ShiftDomain

extension ManagerController {
  private static let listedMax = 1_000

  var policyRoutes: [AccessRoute] {
    [
      route(.get, "/v1/teams/{team}/policies", .team(.coverage)) { (request, _) in
        let team = try request.pathTeam
        return ManagerStatus.policies(
          try await operations.policies.policyVersions(of: team, limit: Self.listedMax),
          planned: try await operations.policies.plannedPolicy(of: team), of: team)
      },
      route(.get, "/v1/teams/{team}/policies/{version}", .team(.coverage)) { (request, _) in
        ManagerStatus.policy(
          try await operations.policies.policy(
            of: request.pathTeam, version: request.policyVersion))
      },
      route(.post, "/v1/teams/{team}/policies", .administrator) { (request, principal) in
        let team = try request.pathTeam
        let fields = try request.fields()
        let changes = try PolicyChanges(fields, besides: ["validFrom"])
        if let validFrom = try fields.instant("validFrom") {
          let planned = try await operations.policies.planPolicy(
            of: team, changes, validFrom: validFrom, matching: request.matchedTags, by: principal
          ).get()
          return .object(planned.row.json, status: 202)
        }
        let policy = try await operations.policies.setPolicy(
          of: team, changes, matching: request.matchedTags, by: principal
        ).get()
        return ManagerStatus.policy(policy.row, isNew: policy.isNew)
      },
      route(.post, "/v1/teams/{team}/policies/{version}/restore", .administrator) {
        (request, principal) in
        let policy = try await operations.policies.restorePolicy(
          of: request.pathTeam, version: request.policyVersion,
          matching: request.matchedTags, by: principal
        ).get()
        return ManagerStatus.policy(policy.row, isNew: policy.isNew)
      },
      route(.delete, "/v1/teams/{team}/planned-policy", .administrator) { (request, principal) in
        try await operations.policies.discardPlannedPolicy(of: request.pathTeam, by: principal)
          .get()
        return HTTPResponse(status: 204)
      },
    ]
  }
}

extension HTTPRequest {
  fileprivate var policyVersion: Int32 {
    get throws(OperationError) { try pathNumber("version", of: "policy version") }
  }
}
