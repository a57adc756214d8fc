import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

/// Requests that are answered while no ping can be stored must not hide that. In real time, because
/// an outage takes over 5 s.
@Suite("An outage is recorded in spite of", .timeLimit(.minutes(10))) struct HiddenOutageTests {
  enum Answered: String, CaseIterable {
    case check, clockInAgain, reportAgain

    fileprivate var request: (path: String, body: String) {
      let report = #""authorization":"always","accuracy":"full","services":"on","sequence":7"#
      return switch self {
      case .check: ("/v1/guard/check", "{}")
      case .clockInAgain: ("/v1/clock-in", #"{"actionId":"in","report":{\#(report)}}"#)
      case .reportAgain: ("/v1/permission-reports", "{\(report)}")
      }
    }
  }

  // R: W8
  @Test("answers of a database that only reads", arguments: Answered.allCases)
  func onlyReads(_ answered: Answered) async throws {
    try await withTestDatabase { database in
      try await Service.run(on: database.configuration) { service in
        let phones = try await service.phones(2)
        for answered in [Answered.clockInAgain, .reportAgain] {
          let (path, body) = answered.request
          let status = try await phones[0].post(path, body).status
          #expect((200..<300).contains(status))
        }
        let (path, body) = answered.request
        try await service.onlyRead(database, true)
        try await until { try await phones[1].upload([wallClock()]).status == 503 }
        let end = ContinuousClock.now + .seconds(7)
        var answers = 0
        while ContinuousClock.now < end || answers <= 10 {
          let status = try await phones[0].post(path, body).status
          if (200..<300).contains(status) { answers += 1 }
          try await Task.sleep(for: .milliseconds(200))
        }
        try await service.onlyRead(database, false)
        try await until { try await service.outages() > 0 }
      }
    }
  }

  // R: W8
  @Test("heartbeats that can be stored, while a phone is answered")
  func pingsRefused() async throws {
    try await withTestDatabase { database in
      try await Service.run(on: database.configuration) { service in
        let phones = try await service.phones(2)
        try await phones[1].clockIn(at: wallClock() - .hours(1))
        #expect(try await phones[1].upload([wallClock()]).status == 200)
        try await service.pool.script(
          """
          CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$;
          CREATE TRIGGER full_disk BEFORE INSERT ON ping FOR EACH ROW EXECUTE FUNCTION refuse();
          """)
        #expect(try await phones[1].upload([wallClock()]).status == 503)
        let end = ContinuousClock.now + .seconds(8)
        var sequence = 0
        while ContinuousClock.now < end {
          sequence += 1
          let report = #""authorization":"always","accuracy":"full","services":"on""#
          let answer = try await phones[0].post(
            "/v1/permission-reports", #"{\#(report),"sequence":\#(sequence)}"#)
          #expect((200..<300).contains(answer.status), "\(answer.text)")
          try await Task.sleep(for: .milliseconds(200))
        }
        try await service.pool.script("DROP FUNCTION refuse CASCADE")
        try await until { try await service.outages() > 0 }
      }
    }
  }
}

extension Service {
  fileprivate func outages() async throws -> Int64 {
    try await pool.value("SELECT count(*) FROM outage")
  }

  /// Lets the sessions of the database only read, or write again, and ends guardd's old ones.
  fileprivate func onlyRead(_ database: TestDatabase, _ isOn: Bool) async throws {
    try await pool.script(
      """
      SET TRANSACTION READ WRITE;
      ALTER DATABASE \(database.name) SET default_transaction_read_only = \(isOn ? "on" : "off");
      """)
    // This one keeps its own setting.
    try await pool.script(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'guardd%'
      """)
  }
}
