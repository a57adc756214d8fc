import HTTPSending
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
        "--slow-after", "1",
      ])
      let line = try await guardd.line(with: "event=listening")
      let address = String(try #require(line.split(separator: "address=").last))
      let sender = HTTPSender(connectionsMax: 1)
      func login(_ traceparent: [String]) async throws -> String? {
        let answer = try await sender.send(
          OutgoingRequest(
            "POST", "http://\(address)/v1/sessions",
            headers: traceparent.map { ("traceparent", $0) },
            body: Array(#"{"email":"zoe@example.org","password":"hunter2 hunter2"}"#.utf8)))
        #expect(answer.status == 401)
        return answer.header("traceresponse")
      }
      let valid = "00-\(Self.traceID)-00f067aa0ba902b7-01"
      let continued = try #require(try await login([valid]))
      #expect(continued.hasPrefix("00-\(Self.traceID)-") && continued.hasSuffix("-01"))
      #expect(!continued.contains("00f067aa0ba902b7"))
      for ignored in [[], ["00-nonsense"], [valid, valid]] {
        let begun = try #require(try await login(ignored))
        #expect(begun.count == 55 && !begun.contains(Self.traceID))
      }
      guardd.terminate()
      let (lines, status) = await guardd.rest()
      #expect(status == 0)
      // Checking a password takes much longer than a millisecond.
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
}
