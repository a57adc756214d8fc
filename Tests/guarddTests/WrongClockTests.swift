import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import TestPrograms
import Testing

/// guardd on a database whose clock is set apart from this machine's: a function of the same name
/// is found before Postgres' own.
@Suite("guardd with a wrong clock") struct WrongClockTests {
  // R: W18
  @Test("measures it, then answers nothing and is not ready, until the clock is right again")
  func daemon() async throws {
    try await withTestDatabase { database in
      let pool = Pool(database.configuration, size: 1, waitersMax: 4)
      try await pool.script(
        """
        CREATE TABLE public.clock (behind interval NOT NULL);
        INSERT INTO public.clock VALUES ('0');
        CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql AS
        $$ SELECT pg_catalog.clock_timestamp() - behind FROM public.clock $$;
        DO $$ BEGIN
          EXECUTE format(
            'ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
        END $$;
        """)
      try await Service.run(on: database.configuration) { service in
        let phone = try await service.phones()[0]
        func set(behind span: String) async throws {
          try await pool.script("UPDATE public.clock SET behind = '\(span)'")
        }
        func ahead() async throws -> Double? {
          let text = try await phone.request("GET", "/metrics", "").text
          let name = "shiftguard_clock_ahead_seconds "
          let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
          return line?.split(separator: " ").last.flatMap { Double($0) }
        }

        try await phone.clockIn(at: wallClock() - .hours(1))
        // A heartbeat compares once a second.
        try await set(behind: "1 s")
        try await until { (try await ahead() ?? 0) > 0.5 }
        try await until { try await phone.readiness().status == 200 }
        #expect(try await phone.upload([wallClock()]).status == 200)

        try await set(behind: "1 h")
        try await until { try await phone.readiness().text.contains("clock: ") }
        #expect(try await phone.readiness().status == 503)
        for path in ["/v1/pings", "/v1/permission-reports", "/v1/clock-out"] {
          let answer = try await phone.post(path, "{}")
          #expect(answer.status == 503 && answer.text.contains("clock_wrong"), "\(answer.text)")
        }
        #expect(try await phone.request("GET", "/v1/me", "").status == 503)
        #expect(try await phone.request("GET", "/healthz", "").status == 200)

        try await set(behind: "0")
        try await until { try await phone.readiness().status == 200 }
        #expect(try await phone.upload([wallClock()]).status == 200)
      }
      await pool.close()
    }
  }
}
