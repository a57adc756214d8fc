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
        "edit", "change a team's name, time zone or pay rule",
        options: [
          .text("name", "the new name"),
          .text("time-zone", "IANA name; decides the date of a shift"),
          .choice(
            "pay-rounding", "how the paid minutes of a shift are rounded",
            among: PayRounding.allCases.map(\.code)),
          .choice("breaks", "whether breaks are paid", among: ["paid", "unpaid"]), byOption,
        ],
        arguments: [teamArgument],
        footer: """
          Omitted fields do not change. `up` rounds in the employee's favour. An approved shift is \
          paid by the rule of its approval.
          """),
      .operations(editTeam)),
    Leaf(
      removeCommand(
        "remove", "remove a team without employees and approved times", options: [byOption],
        arguments: [teamArgument]),
      .operations(removeTeam)),
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
  let change = TeamChange(
    name: call.parsed.string("name"), timeZone: call.parsed.string("time-zone"),
    rounding: call.parsed.string("pay-rounding").flatMap { PayRounding(code: $0) },
    paysBreaks: call.parsed.string("breaks").map { $0 == "paid" })
  guard change != TeamChange() else {
    throw Complaint.usage(
      "nothing to change: add `--name`, `--time-zone`, `--pay-rounding` or `--breaks`")
  }
  let row = try await operations.people.changeTeam(call.team, change, by: call.principal).get()
  return Card(row)
}

private func removeTeam(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let team = try call.team
  try await operations.people.removeTeam(team, by: call.principal).get()
  return Confirmation(
    text: ["Removed team \(team.rawValue)."], json: ["team": JSONValue(team.rawValue)])
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
