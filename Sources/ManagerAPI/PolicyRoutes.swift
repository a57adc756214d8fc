import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import OperationCore
import ShiftDomain

extension ManagerController {
  private static let listedMax = 1_000

  var policyRoutes: [AccessRoute] {
    [
      route(.get, "/v1/teams/{team}/policies", .team(.coverage)) { (request, _) in
        let team = try request.pathTeam
        return ManagerStatus.policies(
          try await operations.policyVersions(of: team, limit: Self.listedMax), of: team)
      },
      route(.get, "/v1/teams/{team}/policies/{version}", .team(.coverage)) { (request, _) in
        ManagerStatus.policy(
          try await operations.policy(
            of: request.pathTeam, version: request.policyVersion))
      },
      route(.post, "/v1/teams/{team}/policies", .administrator) { (request, principal) in
        let team = try request.pathTeam
        let changes = try PolicyChanges(JSONFields(JSONValue(parsing: request.body)))
        let policy = try await operations.setPolicy(
          of: team, changes, matching: request.matchedTags, by: principal
        ).get()
        return ManagerStatus.policy(policy.row, isNew: policy.isNew)
      },
      route(.post, "/v1/teams/{team}/policies/{version}/restore", .administrator) {
        (request, principal) in
        let policy = try await operations.restorePolicy(
          of: request.pathTeam, version: request.policyVersion,
          matching: request.matchedTags, by: principal
        ).get()
        return ManagerStatus.policy(policy.row, isNew: policy.isNew)
      },
    ]
  }
}

extension HTTPRequest {
  fileprivate var policyVersion: Int32 {
    get throws(OperationError) { try pathNumber("version", of: "policy version") }
  }
}
