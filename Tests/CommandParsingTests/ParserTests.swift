import CommandParsing
import Testing

/// A program with every kind of option, argument and subcommand.
let program = Command(
  "guardctl", "run an installation",
  subcommands: [
    Command(
      "check", "may this employee clock in",
      options: [
        .integer("employee", "whom to check", in: 1...Int(Int32.max), required: true),
        .choice("policy", "try another policy", among: ["standard", "strict", "advisory"]),
        .text("database", "where the database is", required: true, environment: "DATABASE"),
        .flag("json", "answer as JSON"),
      ], footer: "Exit status: 0 allow, 1 warn, 2 block."),
    Command(
      "team", "the teams",
      subcommands: [
        Command(
          "add", "add a team: it needs a name",
          options: [
            .text("name", "what it is called, whatever that's worth", required: true),
            .text("time-zone", "its days", default: "UTC"),
          ]),
        Command(
          "list", "list the teams",
          options: [
            .integer(
              "limit", "how many", in: 1...100, default: 50, environment: "LIMIT")
          ]),
      ]),
    Command(
      "completion", "print a script", arguments: [.choice("shell", "which", among: ["bash"])]),
    Command(
      "replay", "play a file",
      options: [.path("out", "where to")],
      arguments: [
        .path("file", "what to play"), .integer("speed", "how fast", in: -9...9, required: false),
      ]),
  ])

@Suite("Valid command lines") struct ParserTests {
  func parsed(_ line: String, _ environment: [String: String] = ["DATABASE": "here"]) throws
    -> ParsedCommand
  {
    let outcome = program.parse(
      line.split(separator: " ").map(String.init), environment: environment)
    guard case .run(let command) = outcome else {
      throw Unexpected(outcome: outcome)
    }
    return command
  }

  struct Unexpected: Error { var outcome: ParseOutcome }

  @Test(arguments: [
    "--place there --json go", "--place=there --json go", "go --json --place there",
    "-p there go --json", "-pthere go --json",
  ])
  func `a common option may come before the command`(_ line: String) throws {
    var place = Option.text("place", "where to").common
    place.letter = "p"
    let go = Command("go", "go there", options: [place, .flag("json", "as JSON").common])
    let outcome = Command("program", "a program", subcommands: [go])
      .parse(line.split(separator: " ").map(String.init))
    guard case .run(let parsed) = outcome else { throw Unexpected(outcome: outcome) }
    #expect(parsed.string("place") == "there" && parsed.flag("json") && parsed.path == ["go"])
  }

  @Test func `what has a place may be given by name, and the rest keeps its order`() throws {
    for line in ["replay a 3", "replay --file a 3", "replay 3 --file a", "replay a --speed 3"] {
      let command = try parsed(line)
      #expect(command.string("file") == "a" && command.int("speed") == 3, "\(line)")
    }
    #expect(
      program.parse(["replay", "--file", "a", "3", "4"])
        == .failure(message: "`4` is an unexpected argument; see `guardctl replay --help`"))
    #expect(
      program.parse(["replay", "--speed", "3"])
        == .failure(message: "`FILE` is missing; see `guardctl replay --help`"))
  }

  @Test(arguments: ["team ls -n 3", "team list -n3", "team ls --limit 3", "team ls --limit=3"])
  func `a command may have other names, and an option a letter`(_ line: String) throws {
    var limit = Option.integer("limit", "how many", in: 1...9)
    limit.letter = "n"
    var list = Command("list", "list", options: [limit])
    list.aliases = ["ls"]
    let tree = Command("x", "x", subcommands: [Command("team", "teams", subcommands: [list])])
    guard case .run(let command) = tree.parse(line.split(separator: " ").map(String.init)) else {
      Issue.record("\(line)")
      return
    }
    #expect(command.path == ["team", "list"] && command.int("limit") == 3)
    #expect(
      tree.parse(["team", "ls", "-x"])
        == .failure(message: "unknown option `-x`; see `x team list --help`"))
    guard case .help(let help) = tree.parse(["team", "--help"]) else { return }
    #expect(help.contains("  list, ls  list"))
    #expect(completionScript(for: tree, shell: .bash).joined().contains("'team ls'"))
  }

  @Test(arguments: [
    "check --employee 7 --policy strict --json", "check --json --policy=strict --employee=7",
  ]) func `options may come in any order and either spelling`(_ line: String) throws {
    let command = try parsed(line)
    #expect(command.path == ["check"])
    #expect(command.int("employee") == 7 && command.string("employee") == "7")
    #expect(command.string("policy") == "strict")
    #expect(command.flag("json") && !command.flag("quiet"))
  }

  @Test func `the command line overrides the environment, which overrides the default`() throws {
    #expect(try parsed("team list").int("limit") == 50)
    #expect(try parsed("team list", ["LIMIT": "7"]).int("limit") == 7)
    #expect(try parsed("team list", ["LIMIT": ""]).int("limit") == 50)
    #expect(try parsed("team list --limit 9", ["LIMIT": "7"]).int("limit") == 9)
    #expect(try parsed("team list --limit 9", ["LIMIT": "x"]).int("limit") == 9)
    #expect(try parsed("check --employee 1").string("database") == "here")
    #expect(try parsed("check --employee 1").string("policy") == nil)
  }

  @Test func `arguments go by position, with options between them`() throws {
    let command = try parsed("replay a.gpx --out b -5")
    #expect(command.path == ["replay"])
    #expect(command.string("file") == "a.gpx" && command.int("speed") == -5)
    #expect(command.string("out") == "b")
    #expect(try parsed("replay a.gpx").int("speed") == nil)
    #expect(try parsed("replay -").string("file") == "-")
    #expect(try parsed("replay -- --odd").string("file") == "--odd")
    #expect(try parsed("replay -- -h").string("file") == "-h")
  }

  @Test func `a value may contain anything after the first equals sign`() throws {
    #expect(try parsed("team add --name=a=b").string("name") == "a=b")
    #expect(try parsed("team add --name=--x").string("name") == "--x")
    #expect(try parsed("team add --name=").string("name") == "")
    #expect(try parsed("team add --name -").string("name") == "-")
  }

  @Test func `a repeatable option keeps every value in order`() throws {
    let command = Command(
      "set", "set", options: [.texts("finding", "which", placeholder: "NAME=WORD")])
    guard case .run(let parsed) = command.parse(["--finding", "a=1", "--finding=b=2"]) else {
      Issue.record("not understood")
      return
    }
    #expect(parsed.strings("finding") == ["a=1", "b=2"] && parsed.strings("other").isEmpty)
    guard case .help(let text) = command.parse(["-h"]) else { return }
    #expect(text.contains("  --finding NAME=WORD  which (may be repeated)"))
  }

  @Test func `a program without subcommands takes options itself`() {
    let plain = Command("guardd", "serve", options: [.flag("migrate", "first")])
    guard case .run(let command) = plain.parse(["--migrate"]) else {
      Issue.record("not understood")
      return
    }
    #expect(command.path.isEmpty && command.flag("migrate"))
  }
}

@Suite("Invalid command lines") struct ParseFailureTests {
  static let failures: [(line: String, message: String)] = [
    ("", "a command is missing: check, team, completion or replay; see `guardctl --help`"),
    ("team", "a command is missing: add or list; see `guardctl team --help`"),
    ("tema list", "unknown command `tema`; did you mean `team`?"),
    ("complet bash", "unknown command `complet`; did you mean `completion`?"),
    ("xyzzy", "unknown command `xyzzy`; see `guardctl --help`"),
    ("--json check", "unknown option `--json`; see `guardctl --help`"),
    ("team remove", "unknown command `remove`; see `guardctl team --help`"),
    ("check --employe 7", "unknown option `--employe`; did you mean `--employee`?"),
    ("check --emp 7", "unknown option `--emp`; did you mean `--employee`?"),
    ("check -e 7", "unknown option `-e`; see `guardctl check --help`"),
    ("check", "`--employee` is missing; see `guardctl check --help`"),
    ("check --employee", "`--employee` needs a value; see `guardctl check --help`"),
    ("check --employee --json", "`--employee` needs a value; see `guardctl check --help`"),
    ("check --employee 1 --employee 2", "`--employee` is given twice; see `guardctl check --help`"),
    ("check --json --json", "`--json` is given twice; see `guardctl check --help`"),
    ("check --json=yes", "`--json` takes no value; see `guardctl check --help`"),
    ("check --employee x", "`--employee` cannot be `x`: it must be a whole number of at least 1"),
    ("check --employee 0", "`--employee` cannot be `0`: it must be a whole number of at least 1"),
    (
      "check --employee 9999999999999999999999",
      "`--employee` cannot be `9999999999999999999999`: it must be a whole number of at least 1"
    ),
    ("team list --limit 101", "`--limit` cannot be `101`: it must be a whole number from 1 to 100"),
    (
      "check --employee 1 --policy stict",
      "`--policy` cannot be `stict`: it must be one of standard, strict, advisory; "
        + "did you mean `strict`?"
    ),
    (
      "check --employee 1",
      "`--database` is missing and `DATABASE` is not set; see `guardctl check --help`"
    ),
    ("completion", "`SHELL` is missing; see `guardctl completion --help`"),
    ("completion tcsh", "`SHELL` cannot be `tcsh`: it must be one of bash"),
    ("completion bash zsh", "`zsh` is an unexpected argument; see `guardctl completion --help`"),
  ]

  @Test(arguments: failures) func `are refused with advice`(_ line: String, _ message: String) {
    #expect(
      program.parse(line.split(separator: " ").map(String.init)) == .failure(message: message))
  }

  @Test func `an invalid environment variable is named`() {
    #expect(
      program.parse(["team", "list"], environment: ["LIMIT": "many"])
        == .failure(message: "`LIMIT` cannot be `many`: it must be a whole number from 1 to 100"))
  }

  @Test func `a very long word is refused at once`() {
    let word = String(repeating: "team", count: 100_000)
    #expect(
      program.parse([word])
        == .failure(message: "unknown command `\(word)`; see `guardctl --help`"))
  }
}
