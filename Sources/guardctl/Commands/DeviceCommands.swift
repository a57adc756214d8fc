import CommandParsing
import JSONText
import ManagerOperations
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

let deviceCommands = Group(
  "device", "enrolled devices", brief: "enrolled phones",
  Leaf(
    listCommand(
      "list the devices",
      options: [onlyTeamOption, rowsOption], arguments: [onlyEmployeeArgument]),
    .operations(listDevices)),
  Leaf(
    Command(
      "show", "show one device: its last shift, and the answer to a clock-in",
      arguments: [deviceArgument]),
    .operations(showDevice)),
  Leaf(
    removeCommand("revoke", "revoke a device", arguments: [deviceArgument]),
    .operations(revokeDevice)))

private let deviceArgument = Argument.text("device", "employee and device, such as `7/2`")

private func listDevices(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let devices = try await operations.people.devices(
    of: call.employee("employee"),
    in: TeamScope().narrowed(to: try await call.onlyTeam(operations)))
  return Listing(
    call.limited(devices),
    whenEmpty: "No devices yet. Enrol one: `guardctl enrol 7`")
}

private func showDevice(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  DeviceCard(support: try await operations.people.support(of: call.device("device")))
}

private func revokeDevice(_ call: Invocation, _ operations: ManagerOperations) async throws
  -> any Answer
{
  let device = try call.device("device")
  try await operations.people.revoke(device: device, by: call.principal)
  return Confirmation(
    text: [
      "Revoked device \(device.text): its token no longer works.",
      "To enrol another device: `guardctl enrol \(device.employee.rawValue)`",
    ],
    json: [
      "employee": JSONValue(device.employee.rawValue), "device": JSONValue(device.number),
      "revoked": .bool(true),
    ])
}
