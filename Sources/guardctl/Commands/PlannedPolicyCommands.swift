import APIJSON
import CommandParsing
import GuardRules
import JSONText
import ManagerOperations
import OperationCore
import PolicyOperations
import ReadModels
import ShiftDomain

/// `policy set --valid-from`
func plan(
  _ changes: PolicyChanges, _ call: Invocation, _ operations: ManagerOperations,
  from validFrom: Instant
) async throws -> any Answer {
  let (row, isNew) = try await operations.policies.planPolicy(
    of: call.team, changes, validFrom: validFrom, by: call.principal
  ).get()
  let team = row.team.rawValue
  return Made(
    value: validFrom.text,
    explanation: isNew
      ? [
        "The policy of team \(team) will be in force from \(validFrom.text).",
        "To discard it: `guardctl policy discard \(team)`",
      ] : ["The same policy is already planned: nothing was changed."],
    object: row.json.adding(["new": .bool(isNew)]))
}

func showPlannedPolicy(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let team = try call.team
  let inForce = try await operations.policies.policy(of: team, version: nil)
  guard let planned = try await operations.policies.plannedPolicy(of: team) else {
    throw OperationError.notFound("planned policy of team \(team.rawValue)")
  }
  return Card(planned.fields, json: planned.json(after: inForce))
}

func discardPlannedPolicy(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let team = try call.team
  try await operations.policies.discardPlannedPolicy(of: team, by: call.principal).get()
  return Confirmation(
    text: ["Discarded the planned policy of team \(team.rawValue)."],
    json: ["team": JSONValue(team.rawValue), "discarded": .bool(true)])
}
