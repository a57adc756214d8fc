import CommandParsing
import Testing

@Suite("Settings from several sources") struct SettingsReadingTests {
  static let program: Command = {
    var program = Command(
      "served", "serve",
      options: [
        .path("config", "file of settings").once,
        .text("database", "where the data is", required: true),
        .integer("workers", "threads", in: 1...8, default: 2),
        .path("keys", "file of keys"),
        .flag("migrate", "migrate first"),
      ])
    program.environmentPrefix = "SERVED_"
    return program
  }()

  private func read(
    _ words: [String], _ environment: [String: String] = [:], _ files: [String: String] = [:]
  ) throws -> ReadSettings {
    let outcome = Self.program.readSettings(words, environment: environment) { files[$0] }
    guard case .read(let settings) = outcome else {
      throw Unexpected()
    }
    return settings
  }

  private struct Unexpected: Error {}

  @Test func `each source overrides those after it`() throws {
    let all: [(words: [String], environment: [String: String], value: Int, text: String)] = [
      (["--workers", "5"], ["SERVED_WORKERS": "4"], 5, "command line"),
      ([], ["SERVED_WORKERS": "4"], 4, "$SERVED_WORKERS"),
      ([], ["SERVED_WORKERS": ""], 3, "/cred/workers"),
    ]
    let files = ["/cred/workers": "3\n", "/f": "workers = 7\ndatabase = x"]
    for row in all {
      let environment = row.environment.merging(["CREDENTIALS_DIRECTORY": "/cred"]) { $1 }
      let settings = try read(["--config", "/f"] + row.words, environment, files)
      #expect(settings.values.int("workers") == row.value)
      #expect(settings.sources["workers"]?.text == row.text)
      #expect(settings.faults.isEmpty)
    }
    let fromFile = try read([], ["SERVED_CONFIG": "/f"], files)
    #expect(fromFile.values.int("workers") == 7)
    #expect(fromFile.sources["workers"] == .file("/f", line: 1))
    let standard = try read(["--database", "x"])
    #expect(standard.values.int("workers") == 2 && standard.sources["workers"] == .standard)
  }

  @Test func `a credential of a path is the file itself`() throws {
    let settings = try read(
      ["--database", "x"], ["CREDENTIALS_DIRECTORY": "/cred"], ["/cred/keys": "secret"])
    #expect(settings.values.string("keys") == "/cred/keys")
  }

  @Test func `flags are yes or no`() throws {
    #expect(try read([], [:], [:]).values.flag("migrate") == false)
    let file = ["/f": "migrate = yes"]
    #expect(try read(["--config", "/f"], [:], file).values.flag("migrate"))
    let refused = try read(["--config", "/f"], ["SERVED_MIGRATE": "no"], file)
    #expect(!refused.values.flag("migrate"))
    #expect(try read(["--migrate"], ["SERVED_MIGRATE": "no"]).values.flag("migrate"))
  }

  @Test func `all faults are found at once, each with its place`() throws {
    let file = """
      # A comment.
      wrkers = 3
      keys = /k

      keys = /l
      nothing
      database =
      config = /g
      """
    let settings = try read(
      ["--config", "/f", "--workers", "0"], ["SERVED_MIGRATE": "maybe"], ["/f": file])
    #expect(
      settings.faults == [
        "`--workers` cannot be `0`: it must be a whole number from 1 to 8",
        "`SERVED_MIGRATE` must be `yes` or `no`",
        "/f:5: `keys` was already set in line 3",
        "/f:6: this line is not `name = value`",
        "/f:7: `database` has no value",
        "/f:2: unknown setting `wrkers`; did you mean `workers`?",
        "/f:8: unknown setting `config`; see `served --help`",
        "`--database` is missing, `SERVED_DATABASE` is not set, and no file sets it; "
          + "see `served --help`",
      ])
  }

  @Test func `after a word that is not understood, nothing counts as missing`() throws {
    #expect(
      try read(["--databse", "x"]).faults
        == ["unknown option `--databse`; did you mean `--database`?"])
    #expect(
      try read(["--config", "/away", "--database", "x"]).faults
        == ["/away: the file cannot be read"])
  }

  @Test func `a value that is refused later is named with its place`() throws {
    var settings = try read(["--config", "/f"], [:], ["/f": "\n database = x = y \r\n"])
    #expect(settings.values.string("database") == "x = y")
    settings.refuse("database", "is wrong")
    #expect(settings.faults == ["/f:2: `database`: is wrong"])
  }
}

@Suite("Manual pages") struct ManualPageTests {
  @Test func `the page has every command and option, and no request of the formatter by accident`()
  {
    let lines = printedText(
      "man", of: program, sections: [ManualSection("FILES", ".hidden", "a\\b")])
    #expect(lines.first?.hasPrefix(".TH GUARDCTL 8 ") == true)
    for part in [
      ".SS team add", ".B \\-\\-time\\-zone ZONE", "\\&.hidden", "a\\eb",
    ] {
      #expect(lines.contains { $0.contains(part) }, "\(part)")
    }
    let requests: Set = [".TH", ".SH", ".SS", ".B", ".TP", ".PP"]
    for line in lines where line.hasPrefix(".") {
      #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)")
    }
  }
}
