import Foundation
import Testing

@testable import guardctl

@Suite("The settings on the command line") struct ConfigCommandTests {
  private static func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).conf")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await body(file.path)
  }

  @Test("each setting has its value and source, and no secret is shown")
  func sources() async throws {
    let text = """
      database = postgresql://anna:hunter2@db.example/shiftguard
      log-level = warning
      traces = https://collector.example/key/hunter2
      """
    try await Self.withFile(text) { path in
      let run = try await bash(
        "guardctl config show --json",
        variables: ["SHIFTGUARD_CONFIG": path, "SHIFTGUARD_WORKERS": "3"])
      #expect(run.status == 0 && !run.output.contains("hunter2"), "\(run)")
      let rows = try #require(try run.json() as? [[String: Any]])
      let settings = Dictionary(
        uniqueKeysWithValues: rows.map { row in
          let words = ["value", "source"].map { row[$0] as? String ?? "" }
          return (row["setting"] as? String ?? "", words)
        })
      #expect(settings["log-level"] == ["warning", "\(path):2"])
      #expect(settings["workers"] == ["3", "$SHIFTGUARD_WORKERS"])
      #expect(settings["connections"] == ["8", "default"])
      #expect(settings["traces"] == ["(set)", "\(path):3"])
      #expect(settings["database"]?.first == "host=db.example dbname=shiftguard user=anna")
    }
  }

  @Test("what is wrong is said, with 64")
  func faults() async throws {
    try await Self.withFile("database = x://y\nworkers = 99\ncolour = red\n") { path in
      let run = try await bash("guardctl config show", variables: ["SHIFTGUARD_CONFIG": path])
      #expect(run.status == 64 && run.output.contains("database\t(set)\t"), "\(run)")
      #expect(run.errors.contains("\(path):2: `workers` cannot be `99`"), "\(run)")
      #expect(run.errors.contains("unknown setting `colour`"), "\(run)")
    }
    let nowhere = try await bash(
      "guardctl config show", variables: ["SHIFTGUARD_CONFIG": "/nowhere"])
    #expect(nowhere.errors.contains("/nowhere cannot be read"), "\(nowhere)")
  }

  @Test("what guardd refuses at its start, config show and doctor refuse in the same words")
  func alike() async throws {
    let text = """
      listen = here
      metrics-listen = there
      public-url = ftp://shifts.example
      database = x://y
      listen-database = z
      traces = collector
      database-password = /nowhere/password
      channels = /nowhere/channels
      maps = /nowhere/maps
      """
    try await Self.withFile(text) { path in
      let variables = ["SHIFTGUARD_CONFIG": path]
      let service = try await bash("guardd --config \(path) --check-config")
      let faults = service.errors.split(separator: "\n").map { String($0.dropFirst(8)) }
      for line in 1...9 {
        #expect(faults.contains { $0.hasPrefix("\(path):\(line): ") }, "\(line): \(service)")
      }
      let shown = try await bash("guardctl config show", variables: variables)
      #expect(shown.status == 64, "\(shown)")
      #expect(shown.errors.split(separator: "\n").map(String.init) == faults, "\(shown)")
      let doctor = try await bash("guardctl doctor --json", variables: variables)
      let rows = try #require(try doctor.json() as? [[String: Any]])
      let settings = rows.filter { $0["check"] as? String == "settings" }
      #expect(settings.compactMap { $0["detail"] as? String } == faults, "\(doctor)")
      #expect(settings.allSatisfy { $0["result"] as? String == "fail" } && doctor.status == 2)
    }
  }

  @Test("an enrolment shows the public address of the settings, or none")
  func publicAddress() async throws {
    try await withWorld { world in
      try await Self.withFile("public-url = https://shifts.example/\n") { path in
        let known = try await bash(
          "guardctl enrol 7", database: world.url, variables: ["SHIFTGUARD_CONFIG": path])
        #expect(known.errors.contains("curl -X POST https://shifts.example/v1/enrolments"))
        let code = known.output.trimmingCharacters(in: .newlines)
        #expect(known.errors.contains("\n  https://shifts.example/app#\(code)\n"), "\(known)")
        let picture = try await bash(
          "SHIFTGUARD_FORCE_TTY=1 guardctl enrol 7 --qr", database: world.url,
          variables: ["SHIFTGUARD_CONFIG": path])
        #expect(picture.status == 0 && picture.output.contains("▀"), "\(picture)")
      }
      try await Self.withFile("public-url = https://shifts.example/?a=b\n") { path in
        let wrong = try await bash(
          "guardctl enrol 7", database: world.url, variables: ["SHIFTGUARD_CONFIG": path])
        #expect(
          wrong.status == 64 && wrong.errors.contains("\(path):1: `public-url`: must be"),
          "\(wrong)")
        let given = try await bash(
          "guardctl enrol 7 --server https://other.example", database: world.url,
          variables: ["SHIFTGUARD_CONFIG": path])
        #expect(given.status == 0, "\(given)")
      }
      let variables = ["SHIFTGUARD_CONFIG": "/nowhere"]
      let unknown = try await bash(
        "guardctl enrol 7", database: world.url, variables: variables)
      #expect(unknown.status == 0 && unknown.errors.contains("open `/app` at"))
      #expect(!unknown.errors.contains("http"), "\(unknown)")
      #expect(unknown.errors.contains("set `public-url` in /nowhere"), "\(unknown)")
      let none = try await bash(
        "guardctl enrol 7 --qr", database: world.url, variables: variables)
      #expect(none.status == 64 && none.errors.contains("public-url"), "\(none)")
    }
  }
}
