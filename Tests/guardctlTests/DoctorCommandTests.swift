import CommandParsing
import Foundation
import ReadModels
import ShiftDomain
import ShiftStore
import SystemCalls
import Testing

@testable import guardctl

@Suite("Examining the installation") struct DoctorCommandTests {
  static let now = Instant(milliseconds: 1_795_187_045_000)

  static func health(_ edit: (inout InstallationHealth) -> Void = { _ in }) -> InstallationHealth {
    var health = InstallationHealth(
      postgresVersion: "15.8", schemaVersion: schemaVersionWanted, now: now,
      beats: [.init(instance: 1, at: now - .milliseconds(400))],
      weeksUntil: now + .hours(24 * 56), databaseBytes: 3 << 29)
    health.lastBackup = .init(finishedAt: now - .hours(20), method: "pg_dump")
    edit(&health)
    return health
  }

  static func levels(
    ahead: TimeSpan = .zero, _ edit: (inout InstallationHealth) -> Void = { _ in }
  ) -> [String: [HealthCheck.Level]] {
    let checks = DatabaseChecks(health: health(edit), ahead: ahead).checks
    return Dictionary(grouping: checks, by: \.subject).mapValues { $0.map(\.level) }
  }

  @Test("each check has its limits, and says what to do unless all is well")
  func limits() {
    #expect(Self.levels().values.allSatisfy { $0 == [.ok] }, "\(Self.levels())")
    #expect(Self.levels { $0.schemaVersion -= 1 }["schema"] == [.fail])
    #expect(Self.levels { $0.schemaVersion -= 1 }["guardd"] == nil)
    #expect(Self.levels { $0.schemaVersion += 1 }["schema"] == [.warn])
    #expect(Self.levels { $0.isReadOnly = true }["database"] == [.fail])
    #expect(Self.levels { $0.isReadOnly = true }["guardd"] == nil)
    #expect(Self.levels { $0.beats = [] }["guardd"] == [.fail])
    #expect(Self.levels { $0.beats[0].at = Self.now - .seconds(6) }["guardd"] == [.fail])
    for (lag, levels) in [
      (TimeSpan.seconds(5), [HealthCheck.Level.ok, .ok]), (.seconds(6), [.ok, .warn]),
      (.minutes(11), [.ok]),
    ] {
      let found = Self.levels { $0.beats.append(.init(instance: 2, at: Self.now - lag)) }
      #expect(found["guardd"] == levels, "\(lag)")
    }
    let stopped = Self.levels {
      $0.beats.append(.init(instance: 2, at: Self.now - .seconds(60), isStopped: true))
    }
    #expect(stopped["guardd"] == [.ok], "an instance that was asked to stop is no fault")
    #expect(Self.levels { $0.beats[0].isStopped = true }["guardd"] == [.fail])
    for (ahead, level) in [
      (Int64(500), HealthCheck.Level.ok), (501, .warn), (-2_000, .warn), (2_001, .fail),
      (-2_001, .fail),
    ] {
      #expect(Self.levels(ahead: .milliseconds(ahead))["clock"] == [level], "\(ahead)")
    }
    #expect(Self.levels { $0.weeksUntil = nil }["partitions"] == [.warn])
    #expect(Self.levels { $0.weeksUntil = Self.now + .hours(24 * 13) }["partitions"] == [.warn])
    let archived = InstallationHealth.Archive(lastAt: Self.now - .hours(1), failedAt: nil)
    #expect(Self.levels { $0.archive = archived }["backups"] == [.ok])
    let failing = InstallationHealth.Archive(lastAt: Self.now - .hours(1), failedAt: Self.now)
    #expect(Self.levels { $0.archive = failing }["backups"] == [.fail])
    let none = InstallationHealth.Archive(lastAt: nil, failedAt: nil)
    #expect(Self.levels { $0.archive = none }["backups"] == [.warn])
    #expect(Self.levels { $0.lastBackup = nil }["backups"] == [.warn])
    #expect(Self.levels { $0.lastBackup?.finishedAt = Self.now - .hours(49) }["backups"] == [.fail])
    #expect(Self.levels { $0.hasPrivacyNotice = false }["privacy"] == [.warn])
    #expect(Self.levels { $0.teamsWithoutContact = [TeamID(3)] }["contacts"] == [.warn])
    let unwatched = DatabaseChecks(
      health: Self.health { $0.lastBackup = nil }, ahead: .zero, backupAgeMax: .zero)
    #expect(unwatched.backups.level == .ok)
    let broken = DatabaseChecks(
      health: Self.health {
        ($0.beats, $0.schemaVersion, $0.weeksUntil, $0.archive) = ([], 1, nil, failing)
      }, ahead: .seconds(3))
    #expect(broken.checks.allSatisfy { ($0.level == .ok) == ($0.remedy == nil) })
  }

  @Test("less than a fifth of the disk is a warning, less than a twentieth a failure")
  func disk() {
    func check(_ free: Int, of total: Int) -> HealthCheck {
      DatabaseChecks(
        health: Self.health(), ahead: .zero, space: FileSpace(free: free << 30, total: total << 30)
      ).disk
    }
    for (free, level) in [
      (100, HealthCheck.Level.ok), (20, .ok), (19, .warn), (5, .warn), (4, .fail), (0, .fail),
    ] {
      #expect(check(free, of: 100).level == level, "\(free)")
    }
    #expect(check(19, of: 100).detail == "the database has 1.5 GiB; 19.0 GiB free, 19 %")
    #expect(check(19, of: 100).remedy?.contains("guardctl retention") == true)
    #expect(check(0, of: 0).level == .ok && check(0, of: 0).detail.hasSuffix("not known here"))
  }

  @Test("the exit status is that of the worst check, and each line fits the screen")
  func report() {
    let checks: [HealthCheck] = [
      .ok("a", "well"), .warn("bb", String(repeating: "words ", count: 30), "do this"),
      .fail("ccc", "broken", "do that"),
    ]
    #expect(
      (1...3).map { HealthReport(checks: Array(checks.prefix($0))).exitStatus.rawValue }
        == [0, 1, 2])
    let surface = Surface(isTable: true, styling: Styling(isOn: false), now: Self.now)
    let lines = HealthReport(checks: checks).lines(on: surface)
    #expect(lines.first == "OK    a    well" && lines.allSatisfy { $0.count <= 80 })
    #expect(lines.suffix(2) == ["FAIL  ccc  broken", "           → do that"])
  }

  private static func rows(_ run: Run) throws -> [String: [[String: Any]]] {
    let rows = try #require(try run.json() as? [[String: Any]])
    return Dictionary(grouping: rows) { $0["check"] as? String ?? "" }
  }

  static let remedies: [(message: String, remedy: String)] = [
    (#"FATAL:  role "root" does not exist"#, "sudo -u shiftguard"),
    (#"FATAL:  Peer authentication failed for user "guard""#, "sudo -u shiftguard"),
    (#"FATAL:  password authentication failed for user "guard""#, "database-password"),
    ("fe_sendauth: no password supplied", "database-password"),
    (#"FATAL:  database "shiftguard" does not exist"#, "createdb"),
    ("connection to server at \"::1\", port 1 failed: Connection refused", "start PostgreSQL"),
    (#"could not translate host name "db" to address"#, "host name"),
    (#"server certificate for "a" does not match host name "b""#, "sslmode"),
    (#"FATAL:  no pg_hba.conf entry for host "10.0.0.7""#, "pg_hba.conf"),
  ]

  @Test("each cause has its remedy", arguments: remedies)
  func causes(_ message: String, _ remedy: String) {
    #expect(DatabaseCause(message)?.remedy.contains(remedy) == true)
    #expect(DatabaseCause("connection lost") == nil)
  }

  @Test("every command names the role, password, database or address that is wrong")
  func reasons() async throws {
    let here = try #require(ProcessInfo.processInfo.environment["SHIFTGUARD_TEST_POSTGRES"])
    var components = try #require(URLComponents(string: here))
    components.queryItems = (components.queryItems ?? []) + [.init(name: "user", value: "nobody7")]
    components.path = "/nowhere7"
    let noRole = try #require(components.string)
    for command in [["status"], ["team", "list"], ["check", "7"], ["migrate"], ["doctor"]] {
      let run = try await guardctl(command, database: noRole)
      #expect((run.errors + run.output).contains(#"role "nobody7" does not exist"#), "\(run)")
      #expect((run.errors + run.output).contains("sudo -u shiftguard"), "\(run)")
      let refused = try await guardctl(command, database: "postgresql://127.0.0.1:1/shiftguard")
      #expect((refused.errors + refused.output).contains("Connection refused"), "\(refused)")
    }
    let before = try await guardctl(["--database", noRole, "status"])
    #expect(before.errors.contains("nobody7"), "an option before the command: \(before)")
  }

  @Test("a database that is away is one failure, and the rest is examined all the same")
  func away() async throws {
    let run = try await guardctl(
      "doctor", "--json", database: "postgresql://anna:hunter2@127.0.0.1:1/shiftguard")
    #expect(run.status == 2 && !run.output.contains("hunter2"))
    let rows = try Self.rows(run)
    #expect(rows["database"]?.first?["result"] as? String == "fail", "\(run)")
    #expect(rows["schema"] == nil && rows["channels"]?.count == 1)
  }

  @Test("without a database set it says so, and examines the rest all the same")
  func unset() async throws {
    let run = try await bash(
      "guardctl doctor --json", variables: ["SHIFTGUARD_CONFIG": "/nowhere"])
    let rows = try Self.rows(run)
    #expect(run.status == 2 && rows["database"]?.count == 1, "\(run)")
    #expect(rows["database"]?.first?["detail"] as? String == "no database given")
    #expect((rows["database"]?.first?["remedy"] as? String)?.hasPrefix("use `--database") == true)
    #expect(rows["settings"]?.count == 1 && rows["channels"]?.count == 1)
    let wrong = try await guardctl("doctor", "--json", database: "nonsense://hunter2")
    #expect(wrong.status == 2 && !wrong.output.contains("hunter2"), "\(wrong)")
    #expect(try Self.rows(wrong)["channels"]?.count == 1)
  }

  @Test("without guardd it fails, with a heartbeat it does not; settings and keys are read")
  func world() async throws {
    try await withWorld { world in
      let idle = try await world.guardctl("doctor", "--json")
      let rows = try Self.rows(idle)
      #expect(idle.status == 2 && rows["guardd"]?.first?["result"] as? String == "fail")
      for name in ["database", "schema", "clock", "disk"] {
        #expect(rows[name]?.first?["result"] as? String == "ok", "\(name): \(idle.output)")
      }
      #expect(rows["backups"]?.first?["result"] as? String == "warn", "\(idle.output)")
      #expect(try await world.guardctl("backup", "record", "pg_dump").status == 0)
      // The partitions are made by guardd.
      _ = try await world.operations.background.makePingWeeks()
      _ = try await world.operations.background.beat(as: 7, version: "0.1.9")
      let alive = try Self.rows(try await world.guardctl("doctor", "--json"))
      #expect(alive["guardd"]?.first?["result"] as? String == "ok", "\(alive)")
      let instance = try #require(alive["guardd"]?.first?["detail"] as? String)
      #expect(instance.hasPrefix("instance 7 of 0.1.9 is alive"), "\(instance)")
      #expect(alive["backups"]?.first?["result"] as? String == "ok", "\(alive)")
      #expect(alive["partitions"]?.first?["result"] as? String == "ok", "\(alive)")
      for (name, detail) in [("privacy", "no privacy notice"), ("contacts", "team 1 has none")] {
        #expect(alive[name]?.first?["result"] as? String == "warn", "\(alive)")
        #expect((alive[name]?.first?["detail"] as? String)?.contains(detail) == true, "\(alive)")
      }
      _ = try await world.operations.notifications.addContact("boss@example.com", to: TeamID(1))
      _ = try await world.operations.installation.setPrivacyNotice("Read this.", by: .arranger)
      let told = try Self.rows(try await world.guardctl("doctor", "--json"))
      let results = ["privacy", "contacts"].map { told[$0]?.first?["result"] as? String }
      #expect(results == ["ok", "ok"], "\(told)")

      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      func doctor(_ channels: String) async throws -> Run {
        let file = folder.appending(path: "channels.json")
        try Data(channels.utf8).write(to: file)
        return try await bash(
          "guardctl doctor --json", database: world.url,
          variables: ["SHIFTGUARD_CHANNELS": file.path])
      }
      let missing = try await doctor(
        #"{"apns":{"team":"T","keyId":"K","keyFile":"/nowhere/apns.p8","topic":"t"}}"#)
      #expect(missing.status == 2, "\(missing)")
      #expect(missing.output.contains("names a file that cannot be read"), "\(missing)")
      let closed = try await doctor(
        #"{"email":{"host":"127.0.0.1","port":1,"protection":"none","from":"a@b.c"}}"#)
      let mail = try Self.rows(closed)["e-mail"]?.first
      #expect(mail?["result"] as? String == "fail", "\(closed)")
      #expect((mail?["detail"] as? String)?.contains("127.0.0.1:1") == true)
    }
  }

  /// Answers as a mail server does, and prints each command that it was sent.
  private static let mailServer = """
    import socket, sys
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], flush=True)
    peer, _ = server.accept()
    peer.sendall(b"220 here\\r\\n")
    for line in peer.makefile("rb"):
        print(line.decode().split()[0], flush=True)
        peer.sendall(b"221 bye\\r\\n" if line.startswith(b"QUIT") else b"250 well\\r\\n")
    """

  @Test("the mail server is greeted, and nothing is sent to anybody")
  func greeting() async throws {
    try await withWorld { world in
      let run = try await bash(
        """
        cd "$(mktemp --directory)"
        python3 -c "$SERVER" > said & server=$!
        until [[ -s said ]]; do read -rt 0.1 <> <(:) || :; done
        printf '{"email":{"host":"127.0.0.1","port":%s,"protection":"none","from":"a@b.c"}}' \
          "$(head -n 1 said)" > channels.json
        guardctl doctor -o tsv | grep e-mail
        wait "$server"
        tail -n +2 said
        """, database: world.url,
        variables: ["SERVER": Self.mailServer, "SHIFTGUARD_CHANNELS": "channels.json"])
      let lines = run.output.split(separator: "\n")
      #expect(lines.first?.hasPrefix("ok\te-mail\t127.0.0.1:") == true, "\(run)")
      #expect(lines.dropFirst().first == "EHLO" && lines.contains("NOOP"), "\(run)")
      #expect(!lines.contains("MAIL") && !lines.contains("RCPT") && !lines.contains("DATA"))
    }
  }
}
