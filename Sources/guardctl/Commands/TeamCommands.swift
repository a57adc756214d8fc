import CommandParsing
import ManagerOperations
import OperationCore
import ReadModels
import ShiftDomain

let teamCommands = Group(
  "team", "teams, their policies and notification contacts",
  Leaf(
    Command(
      "add", "add a team",
      options: [
        .text("name", "the team's name", required: true),
        .text("time-zone", "IANA name; decides the date of a shift", default: "UTC"),
        presetOption("policy", "the initial policy", default: .initial),
      ]),
    .operations(addTeam)),
  Leaf(listCommand("list the teams"), .operations(listTeams)),
  Leaf(
    Command(
      "show", "show one team", arguments: [.integer("team", "the team's number", in: numbers)]),
    .operations(showTeam)), contactsLeaf, addContactLeaf, removeContactLeaf,
  addWebhookLeaf, removeWebhookLeaf)

private func addTeam(_ call: Invocation, _ operations: ManagerOperations) async throws -> any Answer
{
  let name = try call.text("name")
  let zone = try call.text("time-zone")
  let preset = try call.preset("policy") ?? .initial
  let outcome = try await operations.addTeam(
    name: name, timeZone: zone, preset: preset, by: call.principal)
  let team = try outcome.team(addedAs: name, in: zone).team.rawValue
  return Made(
    value: "\(team)",
    explanation: [
      "Added team \(team), \(name.showable).",
      "Next: `guardctl employee add --team \(team) --name NAME`",
    ],
    fields: [Field("team", "team", FieldValue(team))])
}

private func listTeams(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  Listing(
    rows: try await operations.teams().map(\.fields),
    whenEmpty: "No teams yet. Add the first: `guardctl team add --name NAME`")
}

private func showTeam(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  Card(fields: try await operations.team(TeamID(try call.number("team"))).fields)
}

extension TeamOutcome {
  fileprivate func team(addedAs name: String, in zone: String) throws(OperationError) -> TeamRow {
    switch self {
    case .kept(let team): return team
    case .noTimeZone: throw .invalid("`\(zone)` is not an IANA time zone")
    case .nameTaken, .changedMeanwhile: throw .conflict("a team `\(name)` already exists")
    }
  }
}
