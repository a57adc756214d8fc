import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import OperationCore
import ShiftDomain

extension ManagerController {
  /// The maximum number of versions in a list.
  private static let listedMax = 1_000

  /// A team's policies, version by version.
  var policyRoutes: [Route] {
    let operations = operations
    return [
      route(.get, "/v1/teams/{team}/policies") { (request, _) in
        let team = try TeamID(in: request.parameters)
        return ManagerStatus.policies(
          try await operations.policies(of: team, limit: Self.listedMax), of: team)
      },
      route(.get, "/v1/teams/{team}/policies/{version}") { (request, _) in
        ManagerStatus.policy(
          try await operations.policy(
            of: TeamID(in: request.parameters), version: version(in: request.parameters)))
      },
      route(.post, "/v1/teams/{team}/policies") { (request, requester) in
        let team = try TeamID(in: request.parameters)
        let changes = try PolicyChanges(JSONFields(JSONValue(parsing: request.body)))
        return ManagerStatus.answer(
          to: try await operations.setPolicy(
            of: team, changes, matching: request.matchedTags, by: requester.principal))
      },
      route(.post, "/v1/teams/{team}/policies/{version}/restore") { (request, requester) in
        ManagerStatus.answer(
          to: try await operations.restorePolicy(
            of: TeamID(in: request.parameters), version: version(in: request.parameters),
            matching: request.matchedTags, by: requester.principal))
      },
    ]
  }
}

private func version(in parameters: [String: String]) throws(OperationError) -> Int32 {
  guard let number = parameters["version"].flatMap({ Int32($0) }) else {
    throw .notFound("policy version")
  }
  return number
}
