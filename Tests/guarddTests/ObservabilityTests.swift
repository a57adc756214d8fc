import HTTPSending
import HTTPServing
import Lifecycle
import Postgres
import ServiceSettings
import ShiftTestKit
import TestKit
import TestPrograms
import Testing

@Suite("Traces and slow work") struct ObservabilityTests {
  static let traceID = "4bf92f3577b34da6a3ce929d0e0e4736"

  @Test("a request's trace is continued in its answer and its log lines, and slow work is logged")
  func traces() async throws {
    try await withTestDatabase { database in
      let guardd = try RunningProgram(guardd: [
        "--database", database.configuration.description, "--migrate", "--listen", "127.0.0.1:0",
        // So long that the log has room: it takes sixty slow queries a minute.
        "--slow-after", "8",
      ])
      let address = try await guardd.address()
      let sender = HTTPSender(connectionsMax: 1)
      func login(_ traceparent: [String]) async throws -> String? {
        let answer = try await sender.ask(
          OutgoingRequest(
            "POST", "http://\(address)/v1/sessions",
            headers: traceparent.map { ("traceparent", $0) },
            body: Array(#"{"email":"zoe@example.org","password":"hunter2 hunter2"}"#.utf8)))
        #expect(answer.status == 401)
        return answer.header("traceresponse")
      }
      let valid = "00-\(Self.traceID)-00f067aa0ba902b7-01"
      let pool = Pool(database.configuration, size: 1, waitersMax: 1)
      let (taken, take) = AsyncStream.makeStream(of: Never.self)
      async let held: Void = holdAccounts(in: pool, take)
      for await _ in taken {}
      let continued = try #require(try await login([valid]))
      try await held
      await pool.close()
      #expect(continued.hasPrefix("00-\(Self.traceID)-") && continued.hasSuffix("-01"))
      #expect(!continued.contains("00f067aa0ba902b7"))
      for ignored in [[], ["00-nonsense"], [valid, valid]] {
        let begun = try #require(try await login(ignored))
        #expect(begun.count == 55 && !begun.contains(Self.traceID))
      }
      guardd.terminate()
      let (lines, status) = await guardd.rest()
      #expect(status == 0)
      // Checking a password takes much longer.
      let slow = lines.filter { $0.contains("event=\"slow request\"") }
      #expect(slow.count == 4, "\(slow)")
      let spanID = continued.dropFirst(36).prefix(16)
      #expect(slow.first?.contains("method=POST route=/v1/sessions status=401") == true)
      #expect(slow.first?.hasSuffix("trace_id=\(Self.traceID) span_id=\(spanID)") == true)
      #expect(lines.contains { $0.contains("event=\"slow query\"") })
      for hidden in ["zoe", "hunter2"] {
        #expect(!lines.contains { $0.contains(hidden) }, "\(hidden)")
      }
    }
  }

  /// Keeps others from the accounts until somebody has waited for them for twenty milliseconds.
  private func holdAccounts(
    in pool: Pool, _ taken: AsyncStream<Never>.Continuation
  ) async throws {
    // Also if it fails: then nobody waits for what does not come.
    defer { taken.finish() }
    try await pool.transaction(TestDatabase.patience) { (session) throws(PostgresError) in
      try session.execute("LOCK TABLE account IN ACCESS EXCLUSIVE MODE")
      taken.finish()
      try session.execute(
        """
        DO $$BEGIN
          WHILE NOT EXISTS (
            SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
            WHERE NOT granted AND relation = 'account'::regclass AND datname = current_database())
          LOOP PERFORM pg_sleep(0.002); END LOOP;
          PERFORM pg_sleep(0.02);
        END$$
        """)
    }
  }

  @Test("spans of traced requests reach a collector, also those of the end; others do not")
  func spans() async throws {
    try await withCollector { url, received in
      try await withTestDatabase { database in
        let arguments = ["--traces", url, "--slow-after", "60000"]
        try await Service.run(on: database.configuration, with: arguments) { service in
          let sender = HTTPSender(connectionsMax: 1)
          for flags in ["01", "00"] {
            _ = try await sender.ask(
              OutgoingRequest(
                "GET", "http://\(service.address)/v1/me?appSession=secret",
                headers: [("traceparent", "00-\(Self.traceID)-00f067aa0ba902b7-\(flags)")]))
          }
        }
      }
      let text = received.withLock { $0 }.joined()
      #expect(text.ranges(of: "\"traceId\"").count == 1, "\(text)")
      for part in [
        #""traceId":"\#(Self.traceID)""#, #""parentSpanId":"00f067aa0ba902b7""#,
        #""name":"GET /v1/me""#, #""kind":2"#, #""intValue":"401""#,
        #"{"key":"service.version","value":{"stringValue":"\#(Build.text)"}}"#,
      ] { #expect(text.contains(part), "\(part) in \(text)") }
      #expect(!text.contains("secret"))
    }
  }

  @Test("spans that no collector takes are dropped and counted, and the service ends as usual")
  func noCollector() async throws {
    try await withTestDatabase { database in
      // Nobody listens on this port.
      let arguments = ["--traces", "http://127.0.0.1:9/v1/traces", "--slow-after", "60000"]
      try await Service.run(on: database.configuration, with: arguments) { service in
        let sender = HTTPSender(connectionsMax: 1)
        _ = try await sender.ask(
          OutgoingRequest(
            "GET", "http://\(service.address)/v1/me",
            headers: [("traceparent", "00-\(Self.traceID)-00f067aa0ba902b7-01")]))
        try await until {
          let answer = try await sender.ask(
            OutgoingRequest("GET", "http://\(service.address)/metrics"))
          return String(decoding: answer.body, as: UTF8.self)
            .contains(#"shiftguard_trace_spans_total{result="dropped"} 1"#)
        }
      }
    }
  }

  /// Lends `body` the URL of a collector, and the bodies that it has received.
  private func withCollector(
    _ body: (String, borrowing Lock<[String]>) async throws -> Void
  ) async throws {
    let received = Lock<[String]>([])
    let route = Route(.post, "/v1/traces", bodyMax: 1 << 20) { request in
      received.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
      return .json(Array("{}".utf8))
    }
    try await HTTPServer(.patient, router: Router([route])).serving { url in
      try await body("\(url)/v1/traces", received)
    }
  }
}
