import CommandParsing
import ServiceSettings

let commandTree = Command(
  "guardctl", "manage a ShiftGuard installation",
  subcommands: single.map(\.command) + groups.map(\.command) + installation.map(\.command),
  footer: """
    Common: -o table|json|tsv, --utc, --database URL; check 7 is check --employee 7
    Exit 0 done, 1 warn, 2 block, 3 not found, 64 usage, 65 conflict, 69 no database
    """, version: Build.text)

/// The command at `path`, such as `["team", "add"]`; `nil` for a command group.
func leaf(at path: [String]) -> Leaf? {
  var (leaves, within) = (single + installation, groups)
  for name in path.dropLast() {
    guard let group = within.first(where: { $0.name == name }) else { return nil }
    (leaves, within) = (group.leaves, group.groups)
  }
  return leaves.first { $0.command.name == path.last }
}

private let single = [
  checkCommand.listed("clock-in readiness"), showLeaf.listed("one employee"),
  watchCommand.listed("the board, live"), enrolCommand.listed("a code for a phone"),
  coverageCommand.listed("a team's tracked day"),
]

private let groups = [
  teamCommands, siteCommands, policyCommands, employeeCommands, deviceCommands, shiftCommands,
  plannedShiftCommands, absenceCommands, clockActionCommands, overrideCommands, incidentCommands,
  notificationCommands, quarantineCommands, accountCommands, adminCommands, sessionCommands,
  tokenCommands,
  auditCommands, retentionCommands, privacyNoticeCommands, privacyCommands, backupCommands,
  configCommands,
]

private let installation = [
  statusCommand.listed("counts and schema"), doctorCommand.listed("what needs attention"),
  migrateCommand.listed("update the schema"),
  completionCommand.listed("shell scripts, manual"),
]
