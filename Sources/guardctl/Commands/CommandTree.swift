import CommandParsing
import ShiftDomain

let commandTree = Command(
  "guardctl", "manage a ShiftGuard installation",
  subcommands: [
    checkCommand.command, statusCommand.command, coverageCommand.command, enrolCommand.command,
  ]
    + groups.map(\.command) + [migrateCommand.command, completionCommand.command],
  footer: """
    Exit 0 done, 1 warn, 2 block, 3 not found, 64 usage, 65 conflict, 69 no database
    """, version: productVersion)

/// The command at `path`, such as `["team", "add"]`; `nil` for a command group.
func leaf(at path: [String]) -> Leaf? {
  var (leaves, within) = (single, groups)
  for name in path.dropLast() {
    guard let group = within.first(where: { $0.name == name }) else { return nil }
    (leaves, within) = (group.leaves, group.groups)
  }
  return leaves.first { $0.command.name == path.last }
}

private let single = [
  checkCommand, statusCommand, coverageCommand, enrolCommand, migrateCommand, completionCommand,
]

private let groups = [
  teamCommands, policyCommands, employeeCommands, deviceCommands, shiftCommands,
  clockActionCommands, overrideCommands, incidentCommands, notificationCommands, accountCommands,
  tokenCommands, adminCommands, sessionCommands, auditCommands, plannedShiftCommands,
  retentionCommands, privacyNoticeCommands,
]
