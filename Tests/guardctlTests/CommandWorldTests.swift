import Foundation
import InstallationOperations
import OperationCore
import PeopleOperations
import Postgres
import ServiceSettings
import ShiftDomain
import TestKit
import Testing

@Suite("Running the commands of managers") struct CommandWorldTests {
  @Test("every list and show answers, for people and as JSON, with rows and without")
  func answers() async throws {
    try await withWorld { world in
      let lists = [
        ["team", "list"], ["employee", "list"], ["device", "list"], ["shift", "list"],
        ["incident", "list"], ["notification", "list"], ["token", "list"], ["override", "list"],
        ["clock-action", "list"],
      ]
      func all(_ commands: [[String]]) async throws -> [Run] {
        var runs: [Run] = []
        for command in commands {
          let json = try await guardctlTests.guardctl(command + ["--json"], database: world.url)
          #expect(json.status == 0, "\(command): \(json.errors)")
          _ = try json.json()
          let plain = try await guardctlTests.guardctl(command, database: world.url)
          #expect(plain.status == 0 && !plain.output.contains("\u{1B}"))
          runs.append(plain)
        }
        return runs
      }
      #expect(try await all(lists).dropFirst(2).allSatisfy { $0.output.isEmpty })

      let phone = try await world.enrol()
      try await world.report(.always, from: phone)
      try await world.clockIn(phone)
      try await world.report(.denied, from: phone)
      let made = try await world.guardctl(
        "token", "create", "--role", "admin", "--expires", "30d", "--name", "export")
      #expect(made.output.hasPrefix("sga_1_"))
      _ = try await world.guardctl(
        "override", "give", "--employee", "7", "--finding", "denied", "--reason", "r")
      #expect(try await all(lists).allSatisfy { $0.output.split(separator: "\n").count == 2 })
      let shows = try await all([
        ["team", "show", "1"], ["policy", "show", "--team", "1"], ["employee", "show", "7"],
        ["device", "show", "7/1"], ["shift", "show", "7/1"], ["incident", "show", "7/1"],
        ["status"],
      ])
      #expect(shows.allSatisfy { $0.output.contains("\t") })
      let tokens = try await world.guardctl("token", "list", "--json")
      #expect(!tokens.output.contains(made.output.trimmingCharacters(in: .newlines)))
    }
  }

  @Test("a code is alone on standard output; its life and the curl line stand beside it")
  func enrolment() async throws {
    try await withWorld { world in
      let run = try await world.guardctl("enrol", "--employee", "7", "--server", "https://g.io/")
      #expect(run.status == 0)
      #expect(run.output.wholeMatch(of: /7(-[0-9A-Z]{4}){4}\n/) != nil, "\(run.output)")
      #expect(run.errors.contains("Valid for 24 h, until "))
      #expect(run.errors.contains("curl -X POST https://g.io/v1/enrolments"))
      let unknown = try await world.guardctl("enrol", "--employee", "8")
      #expect(unknown.status == 3 && unknown.output.isEmpty)
    }
  }

  @Test("an app from a store gets its token, and a link that sets it up")
  func phoneApp() async throws {
    try await withWorld { world in
      let unsaid = try await world.guardctl(
        "enrol", "7", "--app", "owntracks", "--server", "https://g.io")
      #expect(unsaid.status == 64)
      let run = try await world.guardctl(
        "enrol", "7", "--app", "owntracks", "--server", "https://g.io", "--platform", "android",
        "--interval", "5m")
      #expect(run.status == 0)
      #expect(run.output.wholeMatch(of: /sg_7_1_[A-Za-z0-9_-]{43}\n/) != nil, "\(run.output)")
      #expect(run.errors.contains("owntracks:///config?inline="))
      #expect(run.errors.contains("URL: https://g.io/v1/apps/owntracks"))
      // Its own interval, which is longer than the team's.
      #expect(run.errors.contains("Location interval (Move mode): 300"))
      let devices = try await world.operations.people.devices(of: EmployeeID(7))
      #expect(devices.map(\.phoneApp) == [.ownTracks])
    }
  }

  @Test("what is revoked stays so, and revoking it again finds nothing")
  func revoking() async throws {
    try await withWorld { world in
      _ = try await world.enrol()
      #expect(try await world.guardctl("device", "revoke", "7/1").status == 0)
      #expect(try await world.guardctl("device", "revoke", "7/1").status == 3)
      #expect(try await world.guardctl("check", "--employee", "7").status == 2)
      let revoked = try await world.guardctl("check", "--employee", "7", "--device", "1")
      #expect(revoked.status == 3 && revoked.output.isEmpty)
      let made = try await world.guardctl(
        "token", "create", "--name", "board", "--role", "admin", "--expires", "1h")
      #expect(made.status == 0)
      #expect(try await world.guardctl("token", "revoke", "1").status == 0)
      #expect(try await world.guardctl("token", "revoke", "1").status == 3)
      let token = made.output.trimmingCharacters(in: .newlines)
      await #expect(throws: OperationError.unauthorized) {
        try await world.operations.installation.authenticate(apiToken: token)
      }
    }
  }

  @Test("what is there already is a conflict, and what cannot be is refused")
  func conflicts() async throws {
    try await withWorld { world in
      #expect(try await world.guardctl("team", "add", "--name", "North").status == 65)
      let taken = try await world.guardctl(
        "employee", "add", "--name", "B", "--team", "1", "--employee", "7")
      #expect(taken.status == 65)
      let zone = try await world.guardctl("team", "add", "--name", "S", "--time-zone", "Mars/Base")
      #expect(zone.status == 64)
      #expect(
        try await world.guardctl("employee", "add", "--name", "B", "--team", "9").status == 3)
      #expect(try await world.guardctl("team", "show", "9").status == 3)
      #expect(try await world.guardctl("device", "show", "7/1").status == 3)
      #expect(try await world.guardctl("shift", "show", "7/1").status == 3)
      #expect(try await world.guardctl("incident", "show", "7/1").status == 3)
    }
  }

  @Test("a new employee gets a number after the highest possible one is taken")
  func highestNumber() async throws {
    try await withWorld { world in
      let highest = try await world.guardctl(
        "employee", "add", "--name", "Max", "--team", "1", "--employee", "2147483647")
      #expect(highest.status == 0 && highest.output == "2147483647\n", "\(highest.errors)")
      let next = try await world.guardctl("employee", "add", "--name", "Ada", "--team", "1")
      #expect(next.status == 0 && next.output == "8\n", "\(next.errors)")
    }
  }

  @Test("a list about an employee who does not exist says so")
  func nobody() async throws {
    try await withWorld { world in
      for thing in ["device", "shift", "incident", "notification"] {
        let run = try await world.guardctl(thing, "list", "--employee", "99")
        #expect(run.status == 3 && run.output.isEmpty, "\(thing)")
        #expect(run.errors == "guardctl: no employee 99: see `guardctl employee list`\n")
        let empty = try await world.guardctl(thing, "list", "--employee", "7")
        #expect(empty.status == 0 && empty.output.isEmpty, "\(thing)")
      }
      #expect(try await world.guardctl("employee", "list", "--team", "99").status == 3)
    }
  }

  @Test("a name that holds escape sequences is shown without them")
  func hostileNames() async throws {
    try await withWorld { world in
      let name = "x\u{1B}[2J\ny\tz"
      _ = try await world.guardctl("employee", "add", "--name", name, "--team", "1")
      let plain = try await world.guardctl("employee", "list")
      #expect(!plain.output.contains("\u{1B}"))
      #expect(plain.output.split(separator: "\n").count == 3)
      let json = try await world.guardctl("employee", "list", "--json")
      let rows = try #require(try json.json() as? [[String: Any]])
      #expect(rows.last?["name"] as? String == name)
    }
  }

  /// Removes the schema that the template has.
  private func empty(_ database: TestDatabase) async throws {
    try await withPool(database.configuration, size: 1) { pool in
      try await pool.read { (session) throws(PostgresError) in
        try session.script("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
      }
    }
  }

  @Test("a database without our schema fails with 69 and says how to get it; migrating fixes it")
  func migrating() async throws {
    try await withTestDatabase { database in
      try await empty(database)
      let url = try url(of: database)
      for place in TreeTests.leaves
      where !["migrate", "completion", "config", "doctor"].contains(place.path[0]) {
        let run = try await guardctl(
          place.path + TreeTests.sample(place.command), database: url)
        #expect(run.status == 69, "\(place.path): \(run.errors)")
        #expect((run.output + run.errors).contains("run `guardctl migrate`"), "\(place.path)")
      }
      let first = try await guardctl("migrate", database: url)
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.output.hasPrefix("Applied 0001_"))
      let second = try await guardctl("migrate", "--json", database: url)
      #expect(second.object["applied"] as? [String] == [])
      #expect(try await guardctl("status", database: url).status == 0)
    }
  }

  @Test("a migration that fails is named with its reason, and what came before it stays")
  func failingMigration() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sql.\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in [("0001_good", "CREATE TABLE good (a int)"), ("0002_bad", "SELEC 1")] {
      try Data(text.utf8).write(to: folder.appending(path: "\(name).sql"))
    }
    try await withTestDatabase { database in
      try await empty(database)
      let url = try url(of: database)
      let run = try await guardctl("migrate", "--migrations", folder.path, database: url)
      #expect(run.status == 70 && run.output.isEmpty)
      #expect(run.errors.contains("42601") && !run.errors.contains("run `guardctl migrate`"))
      let status = try await guardctl("status", "--json", database: url)
      #expect(status.status == 69)
      #expect(status.object["schemaVersion"] as? Int == 1)
      #expect(status.object["guardctl"] as? String == Build.text)
    }
  }
}
