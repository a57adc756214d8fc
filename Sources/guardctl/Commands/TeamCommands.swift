import APIJSON
import CommandParsing
import JSONText
import ManagerOperations
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

let teamCommands = Group(
  "team", "teams, their policies and notification contacts", brief: "teams and contacts",
  [
    Leaf(
      Command(
        "add", "add a team",
        options: [
          .text("name", "the team's name", required: true),
          .text("time-zone", "IANA name; decides the date of a shift", default: "UTC"),
          presetOption("policy", "the initial policy", default: .initial),
        ]),
      .operations(addTeam)),
    Leaf(listCommand("list the teams", options: [rowsOption]), .operations(listTeams)),
    Leaf(
      Command(
        "show", "show one team", arguments: [teamArgument]),
      .operations(showTeam)),
    Leaf(
      Command(
        "edit", "change a team's name or time zone",
        options: [
          .text("name", "the new name"),
          .text("time-zone", "IANA name; decides the date of a shift"), byOption,
        ],
        arguments: [teamArgument], footer: "Omitted fields do not change."),
      .operations(editTeam)),
  ] + contactLeaves)

private func addTeam(_ call: Invocation, _ operations: ManagerOperations) async throws -> any Answer
{
  let name = try call.text("name")
  let zone = try call.text("time-zone")
  let preset = try call.preset("policy") ?? .initial
  let row = try await operations.people.addTeam(
    name: name, timeZone: zone, preset: preset, by: call.principal
  ).get()
  let team = row.team.rawValue
  return Made(
    value: "\(team)",
    explanation: [
      "Added team \(team), \(name.showable).",
      "Next: `guardctl employee add --team \(team) --name NAME`",
    ],
    object: row.json)
}

private func editTeam(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let (name, zone) = (call.parsed.string("name"), call.parsed.string("time-zone"))
  guard name != nil || zone != nil else {
    throw Complaint.usage("nothing to change: add `--name`, `--time-zone` or both")
  }
  let row = try await operations.people.changeTeam(
    call.team, name: name, timeZone: zone, by: call.principal
  ).get()
  return Card(row)
}

private func listTeams(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  Listing(
    call.limited(try await operations.people.teams()),
    whenEmpty: "No teams yet. Add the first: `guardctl team add --name NAME`")
}

private func showTeam(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  Card(try await operations.people.team(call.team))
}
