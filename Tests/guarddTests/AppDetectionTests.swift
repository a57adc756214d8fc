import DeviceOperations
import HTTPSending
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import TestPrograms
import Testing

@Suite("A shift that an app from a store tracks, through guardd") struct AppDetectionTests {
  // R: M3, A11
  @Test("a downgrade that OwnTracks reports opens the incident and queues its message within 5 s")
  func downgrade() async throws {
    try await withTestDatabase { database in
      try await Service.run(on: database.configuration) { service in
        let page = try #require(
          try await service.addTeam(of: 1, on: NewDevice(platform: .web)).phones.first)
        let employee = page.device.employee
        try await SentPhone(employee: employee, address: service.address, token: page.token)
          .clockIn(at: wallClock() - .seconds(30))
        let new = try await service.operations.people.enrol(
          PhoneAppRequest(.ownTracks, on: .android), for: employee, by: .arranger)
        let phone = SentPhone(employee: employee, address: service.address, token: new.token)
        func send(_ body: String) async throws -> String {
          let answer = try await phone.post(PhoneApp.ownTracks.path, body)
          try #require(answer.status == 200, "\(answer.text)")
          return answer.text
        }
        // It is asked for its permission when it takes over the shift.
        let position = #""lat":52.5,"lon":13.4,"tst":\#(wallClock().milliseconds / 1_000)"#
        let asked = try await send(#"{"_type":"location",\#(position)}"#)
        #expect(asked == #"[{"_type":"cmd","action":"status"}]"#)
        #expect(try await send(#"{"_type":"status","android":{"loc":0,"wifi":1}}"#) == "[]")
        #expect(try await service.count("SELECT count(*) FROM incident") == 0)
        #expect(try await send(#"{"_type":"status","android":{"loc":-4,"wifi":1}}"#) == "[]")

        // Opened and queued before the answer.
        #expect(
          try await service.count(
            """
            SELECT count(*) FROM detection
            JOIN incident USING (employee_id, incident_no)
            JOIN (
              SELECT employee_id, topic, queued_at FROM notification
              UNION ALL SELECT employee_id, topic, queued_at FROM notification_history) AS message
              USING (employee_id)
            WHERE closed_at IS NULL AND topic = \(NotificationTopic.incident.column)
              AND queued_at - received_at <= interval '5 s'
            """) == 1)
        // As guardd has measured it.
        try await until {
          try await service.count("SELECT count(elapsed_ms) FROM detection") == 1
        }
        #expect(try await service.count("SELECT max(elapsed_ms)::bigint FROM detection") <= 5_000)
      }
    }
  }

  // R: M1
  @Test("no token is in a log, wherever an app has it, and no position")
  func logs() async throws {
    try await withTestDatabase { database in
      let guardd = try RunningProgram(guardd: [
        "--database", database.configuration.description, "--migrate", "--listen", "127.0.0.1:0",
        "--log-level", "debug", "--slow-after", "1",
      ])
      let address = try await guardd.address()
      let pool = Pool(database.configuration, size: 1, waitersMax: 8)
      let operations = TestOperations(pool: pool, now: wallClock)
      let team = try await operations.people.addTeam(name: "Field", timeZone: "UTC")
      let employee = try await operations.people.addEmployee(nil, name: "Ada", team: team)
      let token = try await operations.people.enrol(
        PhoneAppRequest(.traccar, on: .android), for: employee, by: .arranger
      ).token
      let sender = HTTPSender(connectionsMax: 1)
      func send(_ query: String, _ body: String = "") async throws -> Int {
        try await sender.ask(
          OutgoingRequest(
            "POST", "http://\(address)/v1/apps/traccar\(query)", body: Array(body.utf8))
        ).status
      }
      let record = "&timestamp=yesterday&lat=52.123456&lon=13.4"
      // A lock makes one of them slow.
      async let lock: Void = pool.script(
        "LOCK TABLE guard_state IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(0.2)")
      #expect(try await send("?id=\(token)\(record)") == 200)
      try await lock
      #expect(try await send("", "id=\(token)\(record)") == 200)
      #expect(try await send("", #"{"device_id":"\#(token)","lat":52.123456}"#) == 200)
      #expect(try await send("?id=\(token)AAAA\(record)") == 401)
      #expect(try await send("?id=\(token)%zz\(record)") == 401)
      await pool.close()
      guardd.terminate()
      let (lines, status) = await guardd.rest()
      #expect(status == 0)
      let ours = lines.filter { $0.contains("route=/v1/apps/traccar") }
      #expect(ours.contains { $0.contains("event=\"slow request\"") }, "\(ours)")
      // A busy machine makes any of them slow. Each that has a route has a line, under either name.
      let statuses = ours.compactMap { line in
        ["200", "401"].first { line.contains("status=\($0)") }
      }
      #expect(statuses == ["200", "200", "200", "401", "401"], "\(ours)")
      for hidden in [String(token.suffix(20)), "sg_", "52.1234", "yesterday"] {
        #expect(!lines.contains { $0.contains(hidden) }, "\(hidden)")
      }
    }
  }
}
