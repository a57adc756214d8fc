import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@Suite("Readiness on a full disk") struct ReadinessTests {
  // R: M1, M4
  @Test(
    "is lost when pings or messages cannot be written, and comes back even if nobody sends any",
    arguments: ["ping", "notification"])
  func comesBack(table: String) async throws {
    try await withTestDatabase { database in
      try await Service.run(on: database.configuration) { service in
        let phone = try await service.phones()[0]
        let start = wallClock() - .hours(1)
        try await phone.clockIn(at: start)
        func send() async throws -> Answer {
          try await table == "ping" ? phone.upload([start + .seconds(1)]) : phone.deny()
        }
        try await until { try await phone.readiness().status == 200 }

        try await service.pool.script(
          """
          CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$;
          CREATE TRIGGER full_disk BEFORE INSERT ON \(table) FOR EACH ROW EXECUTE FUNCTION refuse();
          """)
        #expect(try await send().status == 503)
        try await until { try await phone.readiness().text.contains("(53100)") }
        // It does not come back while the disk is full: each look lasts a second.
        for _ in 0..<3 {
          try await Task.sleep(for: .milliseconds(1_100))
          let answer = try await phone.readiness()
          #expect(answer.status == 503)
          #expect(answer.text.contains("server's disk is full (53100)"), "\(answer.text)")
          #expect(!answer.text.contains("detail:"), "\(answer.text)")
        }

        try await service.pool.script("DROP FUNCTION refuse CASCADE")
        try await until { try await phone.readiness().status == 200 }
        let sent = try await send()
        #expect((200..<300).contains(sent.status), "\(sent.text)")
      }
    }
  }

  // R: M4
  @Test("is lost when no heartbeat can be written, which phones do not notice")
  func heartbeat() async throws {
    try await withTestDatabase { database in
      try await Service.run(on: database.configuration) { service in
        let phone = try await service.phones()[0]
        try await service.pool.script(
          """
          CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$;
          CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON heartbeat
          FOR EACH ROW EXECUTE FUNCTION refuse();
          """)
        try await until { try await phone.readiness().text.contains("heartbeat: not written for") }
        #expect(try await phone.readiness().status == 503)
        try await service.pool.script("DROP FUNCTION refuse CASCADE")
        try await until { try await phone.readiness().status == 200 }
      }
    }
  }
}

extension SentPhone {
  /// Reports that location is denied.
  fileprivate func deny() async throws -> Answer {
    try await post(
      "/v1/permission-reports",
      """
      {"sentAt":"\(wallClock().rfc3339)","recordedAt":"\(wallClock().rfc3339)","accuracy":"full",
       "authorization":"denied","services":"on"}
      """)
  }
}
