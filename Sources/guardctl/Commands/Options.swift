import CommandParsing
import ManagerOperations
import ReadModels
import ShiftDomain

// Options that several commands share.

/// The numbers that employees, teams and tokens may have.
let numbers = 1...Int(Int32.max)

let databaseOption = Option.text(
  "database", "database URL", environment: "SHIFTGUARD_DATABASE")

let jsonOption = Option.flag("json", "print JSON")

let openOption = Option.flag("open", "only those still open")

let limitOption = Option.integer("limit", "maximum number of rows", in: 1...10_000, default: 50)

let teamOption = Option.integer("team", "the team's number", in: numbers, required: true)

func employeeOption(_ summary: String) -> Option {
  .integer("employee", summary, in: numbers)
}

let byOption = Option.text("by", "name to record; by default the current user", placeholder: "NAME")

func reasonOption(required: Bool = true) -> Option {
  .text("reason", "the reason, visible to the employee", required: required)
}

let roleOption = Option.choice(
  "role", "what the holder may do", among: AccessRole.allCases.map(\.code), required: true)

let teamsOption = Option.texts(
  "team", "a team and the rights for it: `3` or `3:coverage,track`", placeholder: "TEAM:RIGHTS")

func presetOption(_ name: String, _ summary: String, default preset: Preset? = nil) -> Option {
  .choice(name, summary, among: Preset.allCases.map(\.code), default: preset?.code)
}

/// A command that lists; the output format is the same for all.
func listCommand(_ summary: String, options: [Option] = []) -> Command {
  Command(
    "list", summary, options: options,
    footer: "In a pipe: tab-separated, absolute times, no heading. JSON names every value.")
}
