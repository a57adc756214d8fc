import CommandParsing
import ReadModels
import ShiftDomain

// Options that several commands share.

/// The numbers that employees, teams and tokens may have.
let numbers = 1...Int(Int32.max)

let databaseOption = Option.text(
  "database", "database URL", environment: "SHIFTGUARD_DATABASE")

let jsonOption = Option.flag("json", "the same as --output json")

let utcOption = Option.flag("utc", "show times in UTC, not in the team's time zone")

let outputOption: Option = {
  var option = Option.choice(
    "output", "format; by default table on a terminal, tsv in a pipe",
    among: OutputFormat.allCases.map(\.rawValue))
  option.letter = "o"
  option.placeholder = OutputFormat.allCases.map(\.rawValue).joined(separator: "|")
  return option
}()

let openOption = Option.flag("open", "only those still open")

let limitOption = Option.integer("limit", "maximum number of rows", in: 1...10_000, default: 50)

/// For a list that is complete unless it is limited.
let rowsOption = Option.integer("limit", "maximum number of rows", in: 1...10_000)

let onlyTeamOption = Option.integer("team", "only this team's", in: numbers)

let sinceOption = Option.text(
  "since", "only from then on: `24h`, `7d`, a day (of the team's time zone), or a time",
  placeholder: "TIME")

let teamArgument = Argument.integer("team", "the team's number", in: numbers)

let employeeArgument = Argument.integer("employee", "the employee's number", in: numbers)

/// For lists.
let onlyEmployeeArgument = Argument.integer(
  "employee", "only this employee's", in: numbers, required: false)

func employeeOption(_ summary: String) -> Option {
  .integer("employee", summary, in: numbers)
}

func waitOption(_ span: String) -> Option {
  .text("wait", "how long to wait for an answer", default: span, placeholder: "SPAN")
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
func listCommand(
  _ summary: String, options: [Option] = [], arguments: [Argument] = []
) -> Command {
  var command = Command(
    "list", summary, options: options, arguments: arguments,
    footer: """
      In a pipe: tab-separated below one line of headings, with all columns and absolute times.
      """)
  command.aliases = ["ls"]
  return command
}

/// A command that ends the life of something: it is also called `rm`.
func removeCommand(
  _ name: String, _ summary: String, options: [Option] = [], arguments: [Argument]
) -> Command {
  var command = Command(name, summary, options: options, arguments: arguments)
  command.aliases = ["rm"]
  return command
}
