import CommandParsing
import InstallationOperations
import JSONText
import ManagerOperations
import ReadModels
import ShiftDomain
import ShiftStore

let tokenCommands = Group(
  "token", "API tokens", brief: "API tokens",
  Leaf(
    Command(
      "create", "create an API token and show it once",
      options: [
        roleOption,
        .text("expires", "how long it is valid: `12h`, `30d`; at most 3650d", required: true),
        .text("name", "who uses it, as employees and the audit log see it", required: true),
        teamsOption,
        byOption,
      ]),
    .operations(createToken)),
  Leaf(
    listCommand("list the API tokens", options: [rowsOption]), .operations(listTokens)),
  Leaf(
    removeCommand(
      "revoke", "revoke an API token",
      options: [byOption], arguments: [.integer("token", "token number, as listed", in: numbers)]),
    .operations(revokeToken)))

private func createToken(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let span = try call.span("expires", max: .hours(3_650 * 24))
  let role = try call.coded("role", AccessRole.self)
  let name = try call.text("name")
  let token = try await operations.installation.createAPIToken(
    name: name, role: role, teams: call.teamRights(), validFor: span, by: call.principal)
  return Made(
    value: token.token,
    explanation: [
      "Token \(token.number), \(name.showable), shown only once:", "", "  \(token.token)", "",
      "Valid for \(span.roughly), until \(token.expiresAt.text). To revoke it earlier:",
      "`guardctl token revoke \(token.number)`",
    ],
    object: [
      "token": .string(token.token), "number": JSONValue(token.number),
      "expiresAt": JSONValue(token.expiresAt),
    ])
}

private func listTokens(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  Listing(
    call.limited(try await operations.installation.apiTokens()),
    whenEmpty: "No tokens yet. Create one: `guardctl token create --name ada`")
}

private func revokeToken(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let number = try call.number("token")
  try await operations.installation.revokeAPIToken(number, by: call.principal)
  return Confirmation(
    text: ["Revoked token \(number): it no longer works."],
    json: ["number": .integer(Int64(number)), "revoked": .bool(true)])
}
