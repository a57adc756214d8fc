import CommandParsing
import Testing

@Suite("Help") struct HelpTests {
  func help(_ words: String...) -> String {
    guard case .help(let text) = program.parse(words) else { return "" }
    return text
  }

  @Test func `a command group lists its commands`() {
    #expect(
      help("--help") == """
        guardctl: run an installation

        Usage: guardctl COMMAND …

          check       may this employee clock in
          team        the teams
          completion  print a script
          replay      play a file

        Help for a command: guardctl COMMAND --help
        """)
  }

  @Test func `a command lists its options, limits, defaults and variables`() {
    #expect(
      help("check", "-h") == """
        guardctl check: may this employee clock in

        Usage: guardctl check --employee N [options]

        Options:
          --employee N         whom to check
          --policy POLICY      try another policy (standard, strict, advisory)
          --database DATABASE  where the database is (or $DATABASE)
          --json               answer as JSON
          -h, --help           show this help

        Exit status: 0 allow, 1 warn, 2 block.
        """)
    #expect(
      help("team", "list", "--help").contains("how many (from 1 to 100; default 50; or $LIMIT)"))
    #expect(help("replay", "--help").contains("Usage: guardctl replay [options] FILE [SPEED]"))
    #expect(help("completion", "--help").contains("  SHELL  which (bash)"))
  }

  @Test func `help is shown wherever it is requested`() {
    #expect(help("check", "--employee", "7", "--help") == help("check", "--help"))
    #expect(help("check", "--bogus", "-h") == help("-h", "check"))
    #expect(help("team", "-h", "list") == help("team", "list", "-h"))
  }

  @Test func `the word help works too, and detects unknown commands`() {
    #expect(help("help") == help("--help"))
    #expect(help("help", "team", "list") == help("team", "list", "--help"))
    #expect(
      program.parse(["help", "teem"])
        == .failure(message: "unknown command `teem`; did you mean `team`?"))
    #expect(
      program.parse(["help", "check", "7"])
        == .failure(message: "unknown command `7`; see `guardctl check --help`"))
  }

  @Test func `a program with a version shows it`() {
    let versioned = Command(
      "guardctl", "run", subcommands: [Command("show", "show")], version: "1.2.3")
    #expect(versioned.parse(["--version"]) == .help("guardctl 1.2.3"))
    guard case .help(let text) = versioned.parse(["help"]) else {
      Issue.record("no help")
      return
    }
    #expect(text.contains("version: guardctl --version"))
    #expect(
      versioned.parse(["--versoin"])
        == .failure(message: "unknown option `--versoin`; did you mean `--version`?"))
    #expect(
      program.parse(["--version"])
        == .failure(message: "unknown option `--version`; see `guardctl --help`"))
  }

  @Test func `long texts wrap at 80 columns and stay aligned`() {
    let long = "words " + String(repeating: "that go on ", count: 20)
    let command = Command(
      "guardd", long,
      options: [.text("listen", long), .flag(String(repeating: "x", count: 90), "y")],
      footer: long + "\n  indented\n" + long)
    guard case .help(let text) = command.parse(["-h"]) else {
      Issue.record("no help")
      return
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.filter { $0.count > 80 && !$0.contains("xxxx") }.isEmpty)
    #expect(lines.contains("  indented"))
    #expect(text.split(whereSeparator: { " \n".contains($0) }).filter { $0 == "that" }.count == 80)
  }
}

@Suite("Tables and colours") struct OutputTests {
  @Test func `columns are aligned, with numbers to the right`() {
    var table = TextTable(columns: ["no", "name", "since"])
    #expect(table.lines == ["no  name  since"])
    table.append(["7", "Zoë", "2026"])
    table.append(["12", "Anna Kowalska", "-"])
    #expect(
      table.lines == [
        "no  name           since",
        " 7  Zoë            2026",
        "12  Anna Kowalska  -",
      ])
  }

  @Test func `an empty last cell leaves no trailing spaces`() {
    var table = TextTable(columns: ["a", "b"])
    table.append(["x", ""])
    #expect(table.lines == ["a  b", "x"])
  }

  @Test func `text is styled only where styling is wanted`() {
    #expect(Styling(isOn: true).apply(.bold, .red, to: "no") == "\u{1B}[1;31mno\u{1B}[0m")
    #expect(Styling(isOn: true).apply(.bold, to: "") == "")
    #expect(Styling(isOn: false).apply(.bold, to: "no") == "no")
    #expect(Styling(isTerminal: true, environment: [:]).isOn)
    #expect(!Styling(isTerminal: false, environment: [:]).isOn)
    #expect(!Styling(isTerminal: true, environment: ["NO_COLOR": "1"]).isOn)
    #expect(!Styling(isTerminal: true, environment: ["TERM": "dumb"]).isOn)
    #expect(Styling(isTerminal: true, environment: ["NO_COLOR": ""]).isOn)
  }
}
