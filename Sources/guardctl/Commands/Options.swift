import CommandParsing
import ShiftDomain
import ShiftOperations

// Options that several commands share, so that they read alike everywhere.

/// Numbers of employees, teams and tokens.
let numbers = 1...Int(Int32.max)

let databaseOption = Option.text(
  "database", "where the database is", environment: "SHIFTGUARD_DATABASE")

let jsonOption = Option.flag("json", "answer as JSON")

let openOption = Option.flag("open", "only those still open")

let limitOption = Option.integer("limit", "how many at most", in: 1...10_000, default: 50)

func employeeOption(_ summary: String) -> Option {
  .integer("employee", summary, in: numbers)
}

let byOption = Option.text("by", "who acts; else the user that runs this", placeholder: "NAME")

func reasonOption(required: Bool = true) -> Option {
  .text("reason", "why; the employee reads it", required: required)
}

let roleOption = Option.choice(
  "role", "what it may do", among: AccessRole.allCases.map(\.code), required: true)

let teamsOption = Option.texts(
  "team", "what a manager sees: `3`, or `3:coverage,track`", placeholder: "TEAM:RIGHTS")

func presetOption(_ name: String, _ summary: String, default preset: Preset? = nil) -> Option {
  .choice(name, summary, among: Preset.allCases.map(\.code), default: preset?.code)
}

/// A command that lists; they all answer alike.
func listCommand(_ summary: String, options: [Option] = []) -> Command {
  Command(
    "list", summary, options: options,
    footer: "In a pipe: tab-separated, absolute times, no heading. JSON names every value.")
}
