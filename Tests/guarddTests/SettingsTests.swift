import Foundation
import HTTPSending
import Postgres
import ShiftTestKit
import TestKit
import TestPrograms
import Testing

@Suite("The settings of guardd") struct SettingsTests {
  /// A folder for files of one test.
  private struct Folder {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func write(_ text: String, to name: String) throws {
      try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test("are shown with their sources and without secrets")
  func shown() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.write(
      "database = postgresql://guard:hunter2@db.example/shifts\nlog-level = debug\n"
        + "listen-database = postgresql://guard:hunter2@direct.example/shifts\npooler = yes\n",
      to: "guardd.conf")
    try folder.write("s3cret\n", to: "mail")
    try folder.write("pa55word\n", to: "database-password")
    try folder.write(
      #"{"email":{"host":"h","from":"a@b","user":"u","passwordFile":"mail"}}"#, to: "channels")
    let guardd = try RunningProgram(
      guardd: ["--config", "\(folder.path)/guardd.conf", "--check-config", "--workers", "3"],
      environment: ["SHIFTGUARD_CONNECTIONS": "9", "CREDENTIALS_DIRECTORY": folder.path])
    let (lines, status) = await guardd.rest()
    #expect(status == 0)
    let rows = lines.map { $0.split(separator: " ").joined(separator: " ") }
    for row in [
      "workers 3 command line", "connections 9 $SHIFTGUARD_CONNECTIONS",
      "log-level debug \(folder.path)/guardd.conf:2", "ping-writers 2 default",
      "database host=db.example dbname=shifts user=guard \(folder.path)/guardd.conf:1",
      "listen-database host=direct.example dbname=shifts user=guard \(folder.path)/guardd.conf:3",
      "pooler yes \(folder.path)/guardd.conf:4",
      "channels \(folder.path)/channels email \(folder.path)/channels",
    ] { #expect(rows.contains(row), "\(row) is not in \(rows)") }
    for secret in ["hunter2", "s3cret", "pa55word"] {
      #expect(!lines.joined().contains(secret))
    }
  }

  @Test("checked by hand, keys among the service's credentials are not missing")
  func byHand() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.write(
      #"{"email":{"host":"h","from":"a@b","user":"u","passwordFile":"mail"}}"#, to: "channels")
    let arguments = [
      "--database", "postgresql:///shifts", "--channels", "\(folder.path)/channels",
      "--check-config",
    ]
    let (lines, status) = await (try RunningProgram(guardd: arguments)).rest()
    #expect(status == 0)
    #expect(lines.contains { $0.contains("email (key not visible here)") }, "\(lines)")
    let none = ["CREDENTIALS_DIRECTORY": "/nowhere"]
    let guardd = try RunningProgram(guardd: arguments, environment: none)
    let (faults, refusal) = await guardd.rest()
    #expect(refusal == 64 && faults.first?.contains("cannot be read") == true, "\(faults)")
  }

  @Test("are refused together, with their places and without secrets")
  func refused() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.write(
      """
      database = postgresql://guard:hunter2@@/%%
      listen = here
      channels = \(folder.path)/channels.json
      maps = /nowhere
      """, to: "guardd.conf")
    try folder.write(#"{"sms":{},"apns":{"team":"T"},"email":{"host":"h"}}"#, to: "channels.json")
    let file = "\(folder.path)/guardd.conf"
    let guardd = try RunningProgram(guardd: ["--config", file, "--check-config", "--workers", "0"])
    let (lines, status) = await guardd.rest()
    #expect(status == 64)
    #expect(
      lines == [
        "guardd: `--workers` cannot be `0`: it must be a whole number from 1 to 64",
        "guardd: \(file):2: `listen`: `here` is not an address;"
          + " use `127.0.0.1:8080`, `[::1]:8080` or `unix:/path`",
        "guardd: \(file):1: `database`: is not a database URL: write `postgresql://HOST/DATABASE`",
        "guardd: \(file):3: `channels`: `/sms` is not a channel",
        "guardd: \(file):3: `channels`: `/apns/keyId` is missing",
        "guardd: \(file):3: `channels`: `/email/from` is missing",
        "guardd: \(file):4: `maps`: `/nowhere` cannot be read, or is not JSON",
      ])
  }

  @Test("change on SIGHUP where that is safe; faults change nothing")
  func reloaded() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try await withTestDatabase { database in
      let fixed = """
        database = \(database.configuration.description)
        migrate = yes
        listen = 127.0.0.1:0

        """
      try folder.write(fixed, to: "guardd.conf")
      let guardd = try RunningProgram(guardd: ["--config", "\(folder.path)/guardd.conf"])
      let address = try await guardd.address()
      let pool = Pool(database.configuration, size: 1, waitersMax: 1)
      try await waitForAnHour(in: pool)

      try folder.write(fixed + "log-level = loud\n", to: "guardd.conf")
      guardd.hangUp()
      let refusal = try await guardd.line(with: #"event="settings not reloaded""#)
      #expect(refusal.contains("guardd.conf:4: `log-level` cannot be `loud`"))

      try folder.write(#"{"email":{"host":"h","from":"a@b"}}"#, to: "channels.json")
      try folder.write(
        fixed + """
          log-level = debug
          connections = 9
          channels = \(folder.path)/channels.json
          """, to: "guardd.conf")
      guardd.hangUp()
      let later = try await guardd.line(with: "takes effect after a restart")
      #expect(later.hasSuffix("setting=connections"))
      let done = try await guardd.line(with: #"event="settings reloaded""#)
      #expect(done.hasSuffix("channels=email"))
      #expect(
        try await waiting(in: pool) == 0, "what failed by the earlier settings is tried again")
      await pool.close()

      let sender = HTTPSender(connectionsMax: 1)
      let answer = try await sender.ask(OutgoingRequest("GET", "http://\(address)/login"))
      #expect(answer.status == 200)
      _ = try await guardd.line(with: "level=debug event=request")
      guardd.terminate()
      #expect(await guardd.rest().status == 0)
    }
  }
  /// How many notifications have their next attempt after more than half an hour.
  private func waiting(in pool: Pool) async throws -> Int64 {
    try await pool.read { (session) throws(PostgresError) in
      try session.run("SELECT count(*) FROM notification WHERE due_at > now() + interval '30 min'")
        .value(0, 0)
    }
  }

  /// Queues a notification whose next attempt is in an hour.
  private func waitForAnHour(in pool: Pool) async throws {
    let operations = TestOperations(pool: pool, now: wallClock)
    _ = try await Service(address: "", operations: operations).phones()
    try await pool.script(
      """
      INSERT INTO notification (employee_id, topic, subject, ordinal, urgent, due_at, first_due_at)
      VALUES (1, 0, 1, 1, true, now() + interval '1 hour', now())
      """)
  }

  @Test("are read again once it serves if SIGHUP came while it waited for its schema")
  func reloadedLater() async throws {
    try await withTestDatabase(template: "template1") { database in
      let order = [
        "--database", database.configuration.description, "--listen", "127.0.0.1:0",
      ]
      let guardd = try RunningProgram(guardd: order)
      _ = try await guardd.line(with: "event=waiting")
      guardd.hangUp()
      let migrating = try RunningProgram(guardd: order + ["--migrate"])
      for program in [guardd, migrating] {
        var awaited = ["event=listening"]
        // Before or after it listens.
        if program === guardd { awaited.append(#"event="settings reloaded""#) }
        for await line in program.lines {
          awaited.removeAll { line.contains($0) }
          if awaited.isEmpty { break }
        }
        program.terminate()
        #expect(await program.rest().status == 0)
      }
    }
  }
}
