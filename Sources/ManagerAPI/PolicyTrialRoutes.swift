import APIJSON
import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import PolicyOperations
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
        let fields = try request.optionalFields()
        let changes = fields.names.isEmpty ? PolicyChanges() : try PolicyChanges(fields)
        return .object(
          try await operations.policies.tryPolicy(of: team, changes, weeks: Int(weeks)).json)
      }
    ]
  }
}
