import DeviceOperations
import HTTPSending
import Postgres
import ServiceSettings
import ShiftDomain
import ShiftTestKit
import TestKit
import TestPrograms
import Testing

@Suite("guardd") struct DaemonTests {
  @Test("migrates, serves, logs the route and nothing private, and ends on SIGTERM")
  func serves() async throws {
    try await withTestDatabase { database in
      let guardd = try RunningProgram(guardd: [
        "--database", database.configuration.description, "--migrate", "--listen", "127.0.0.1:0",
      ])
      let address = try await ready(guardd)
      let sender = HTTPSender(connectionsMax: 1)
      let health = try await sender.ask(OutgoingRequest("GET", "http://\(address)/healthz"))
      #expect(health.status == 200)
      let token = "sg_7_1_" + String(repeating: "A", count: 43)
      let refused = try await sender.ask(
        OutgoingRequest(
          "POST", "http://\(address)/v1/pings?secret=42",
          headers: [("Authorization", "Bearer \(token)")],
          body: Array(#"{"recordedAt":"2026-11-20T09:30:00Z","latitude":52.12345}"#.utf8)))
      #expect(refused.status == 401)
      let large = try await sender.ask(
        OutgoingRequest(
          "POST", "http://\(address)/v1/pings", body: Array(repeating: 0x20, count: 10 << 20)))
      #expect(large.status == 413)
      let metrics = try await sender.ask(OutgoingRequest("GET", "http://\(address)/metrics"))
      let text = String(decoding: metrics.body, as: UTF8.self)
      #expect(
        text.contains(
          #"shiftguard_requests_total{method="POST",route="/v1/pings",status="401"} 1"#))
      #expect(text.contains(#"shiftguard_detection_seconds_bucket{le="5"} 0"#))

      guardd.terminate()
      let (lines, status) = await guardd.rest()
      #expect(status == 0)
      let log = lines.joined(separator: "\n")
      #expect(log.contains("event=request method=POST route=/v1/pings status=401"))
      for hidden in ["secret", "sg_7", "52.1234", "AAAA"] { #expect(!log.contains(hidden)) }
    }
  }

  @Test("instances that start at once make one Web Push key, and a later one finds it")
  func pushKey() async throws {
    try await withTestDatabase { database in
      let arguments = [
        "--database", database.configuration.description, "--listen", "127.0.0.1:0",
        "--public-url", "https://shifts.example.org",
      ]
      let migrating = try RunningProgram(guardd: arguments.dropLast(2) + ["--migrate"])
      // Without a public URL or a sender, nobody is named whom push services may contact.
      #expect(try await shownKey(of: migrating) == "")
      migrating.terminate()
      #expect(await migrating.rest().status == 0)
      let (first, second) = (
        try RunningProgram(guardd: arguments), try RunningProgram(guardd: arguments)
      )
      let keys = [try await shownKey(of: first), try await shownKey(of: second)]
      for instance in [first, second] {
        instance.terminate()
        #expect(await instance.rest().status == 0)
      }
      let third = try RunningProgram(guardd: arguments)
      #expect(try await Set(keys + [shownKey(of: third)]).count == 1 && keys[0].count == 87)
      third.hangUp()
      _ = try await third.line(with: "event=\"settings reloaded\"")
      third.terminate()
      let (lines, status) = await third.rest()
      #expect(status == 0 && !lines.contains { $0.contains("after a restart") }, "\(lines)")
    }
  }

  /// The key with which the page for employees subscribes to push messages.
  private func shownKey(of guardd: RunningProgram) async throws -> String {
    let page = try await HTTPSender(connectionsMax: 1).ask(
      OutgoingRequest("GET", "http://\(try await guardd.address())/app"))
    let text = String(decoding: page.body, as: UTF8.self)
    let key = try #require(text.firstMatch(of: /data-push-key="([^"]*)"/), "\(page.status)")
    return String(key.output.1)
  }

  @Test("serves machines at their own path and, if so configured, at an address of their own alone")
  func machineRoutes() async throws {
    try await withTestDatabase { database in
      let guardd = try RunningProgram(guardd: [
        "--database", database.configuration.description, "--migrate", "--listen", "127.0.0.1:0",
        "--metrics-listen", "127.0.0.1:0",
      ])
      let apart = try await guardd.line(with: "listening for health and metrics")
      let machine = String(try #require(apart.split(separator: "address=").last))
      let address = try await guardd.address()
      let sender = HTTPSender(connectionsMax: 1)
      try await until {
        let ready = try await sender.ask(OutgoingRequest("GET", "http://\(machine)/readyz"))
        return String(decoding: ready.body, as: UTF8.self) == "ok\nguardd \(Build.text)\n"
      }
      let metrics = try await sender.ask(OutgoingRequest("GET", "http://\(machine)/metrics"))
      let info =
        "shiftguard_build_info{version=\"\(Build.version)\",commit=\"\(Build.commit)\"} 1\n"
      #expect(String(decoding: metrics.body, as: UTF8.self).contains(info))
      for path in ["/healthz", "/readyz", "/metrics"] {
        let there = try await sender.ask(OutgoingRequest("GET", "http://\(machine)\(path)"))
        #expect(there.status == 200, "\(path)")
        let here = try await sender.ask(OutgoingRequest("GET", "http://\(address)\(path)"))
        #expect(here.status == 404, "\(path)")
      }
      for url in ["\(machine)/%6detrics", "\(machine)/v1/me", "\(address)/%6detrics"] {
        let answer = try await sender.ask(OutgoingRequest("GET", "http://\(url)"))
        #expect(answer.status == 404, "\(url)")
      }
      guardd.terminate()
      #expect(await guardd.rest().status == 0)
    }
  }

  @Test("serves on for the time of --drain after SIGTERM, but says that it is not ready")
  func drains() async throws {
    try await withTestDatabase { database in
      let arguments = [
        "--database", database.configuration.description, "--migrate", "--listen", "127.0.0.1:0",
        "--drain",
      ]
      let guardd = try RunningProgram(guardd: arguments + ["15"])
      let address = try await ready(guardd)
      let sender = HTTPSender(connectionsMax: 2)
      func status(of path: String) async throws -> Int {
        try await sender.ask(OutgoingRequest("GET", "http://\(address)\(path)")).status
      }
      guardd.terminate()
      try await until { try await status(of: "/readyz") == 503 }
      #expect(try await status(of: "/healthz") == 200)
      #expect(try await status(of: "/v1/me") == 401)
      guardd.kill()
      _ = await guardd.rest()

      let brief = try RunningProgram(guardd: arguments + ["1"])
      try await ready(brief)
      let start = ContinuousClock.now
      brief.terminate()
      #expect(await brief.rest().status == 0)
      #expect(start.duration(to: .now) >= .seconds(1))
    }
  }

  // R: M1
  @Test("stores when a phone last sent something and its own heartbeats, also the last of both")
  func pulse() async throws {
    try await withTestDatabase { database in
      let pool = Pool(database.configuration, size: 1, waitersMax: 1)
      let operations = TestOperations(pool: pool, now: { Instant(milliseconds: 0) })
      let phone = try await operations.addTeam(of: 1).phones[0]
      // The service before this one ended a minute ago.
      try await pool.write("INSERT INTO heartbeat VALUES (1, now() - interval '1 minute')")
      let guardd = try RunningProgram(guardd: [
        "--database", database.configuration.description, "--listen", "127.0.0.1:0",
      ])
      let address = try await guardd.address()
      let answer = try await HTTPSender(connectionsMax: 1).ask(
        OutgoingRequest(
          "GET", "http://\(address)/v1/me",
          headers: [("Authorization", "Bearer \(phone.token)")]))
      #expect(answer.status == 200)
      guardd.terminate()
      #expect(await guardd.rest().status == 0)
      let left: [Int64] = try await pool.read { (session) throws(PostgresError) in
        let rows = try session.run(
          """
          SELECT (SELECT count(*) FROM device_contact), (SELECT count(*) FROM heartbeat),
            (SELECT count(*) FROM outage WHERE ended_at - started_at > interval '59 s'),
            (SELECT count(*) FROM heartbeat WHERE stopped AND version = \(Build.text))
          """)
        return [
          try rows.value(0, 0), try rows.value(0, 1), try rows.value(0, 2), try rows.value(0, 3),
        ]
      }
      #expect(left == [1, 2, 1, 1])
      await pool.close()
    }
  }

  @Test("says so when another program listens there already")
  func addressInUse() async throws {
    try await withTestDatabase { database in
      let arguments = ["--database", database.configuration.description, "--migrate", "--listen"]
      let first = try RunningProgram(guardd: arguments + ["127.0.0.1:0"])
      let address = try await ready(first)
      let second = try RunningProgram(guardd: arguments + [address])
      let (lines, status) = await second.rest()
      #expect(status == 69)
      #expect(lines.contains { $0.contains("address already in use") })
      first.terminate()
      #expect(await first.rest().status == 0)
    }
  }

  @Test(
    "warns at its start if the database allows too few connections",
    arguments: [(["--connections", "40"], true), ([], false)] as [([String], Bool)])
  func connections(_ arguments: [String], isWarned: Bool) async throws {
    // A separate server, because other tests use connections of the shared one.
    try await withCluster { cluster in
      let guardd = try RunningProgram(
        guardd: [
          "--database", cluster.configuration.description, "--migrate", "--listen", "127.0.0.1:0",
        ] + arguments)
      var warnings: [String] = []
      for await line in guardd.lines {
        if line.contains("too few database connections") { warnings.append(line) }
        if line.contains("event=listening") { break }
      }
      #expect(warnings.count == (isWarned ? 1 : 0), "\(warnings)")
      // 40 for requests and 19 others; of the server's 30, three are reserved for superusers.
      for part in ["level=warning", "needed=59", "allowed=27"] where isWarned {
        #expect(warnings.first?.contains(part) == true, "\(warnings)")
      }
      // It may not hear signals yet, and so end with another status than 0.
      guardd.terminate()
      _ = await guardd.rest()
    }
  }

  @Test("waits for a database that is not there")
  func waits() async throws {
    let guardd = try RunningProgram(guardd: [
      "--database", "host=/nonexistent dbname=x password=hunter2",
    ])
    let start = try await guardd.line(with: "event=starting")
    #expect(start.hasSuffix("version=\(Build.version) commit=\(Build.commit)"), "\(start)")
    let line = try await guardd.line(with: "event=waiting")
    #expect(!line.contains("hunter2"))
    guardd.terminate()
    #expect(await guardd.rest().status == 128 + 15)
  }

  static let refusals: [(arguments: [String], message: String)] = [
    ([], "`--database` is missing"),
    (["--database", "dbname=x", "--listen", "here"], "`here` is not an address"),
    (["--database", "dbname=x", "--metrics-listen", "there"], "`there` is not an address"),
    (["--database", "dbname=x", "--workers", "0"], "`--workers`"),
    (["--databse", "dbname=x"], "did you mean `--database`"),
  ]

  @Test("refuses what it cannot follow with status 64 and one line", arguments: refusals)
  func usage(_ arguments: [String], _ message: String) async throws {
    let (lines, status) = await (try RunningProgram(guardd: arguments)).rest()
    #expect(status == 64)
    #expect(lines.count == 1)
    #expect(lines.first?.contains(message) == true, "\(lines)")
  }

  @Test("explains itself on one page")
  func help() async throws {
    let (lines, status) = await (try RunningProgram(guardd: ["--help"])).rest()
    #expect(status == 0)
    #expect(lines.count <= 37 && lines.allSatisfy { $0.count <= 80 }, "\(lines.count) lines")
  }

  /// Waits until it is ready; it hears signals by then.
  /// - Returns: Its address.
  @discardableResult
  private func ready(_ guardd: RunningProgram) async throws -> String {
    let address = try await guardd.address()
    let sender = HTTPSender(connectionsMax: 1)
    try await until {
      try await sender.ask(OutgoingRequest("GET", "http://\(address)/readyz")).status == 200
    }
    return address
  }
}
