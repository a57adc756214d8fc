import HTTPServing
import InstallationOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The quarantine over HTTP") struct QuarantineRouteTests {
  /// Messages of both employees' phones, the first of which can be read today.
  private static func plant(in all: TwoTeamsWorld) async throws {
    for number in 0..<6 {
      let body: String? =
        switch number {
        case 0: #"{"_type":"steps","secret":52.5}"#
        case 1: "{"
        default: nil
        }
      try await all.write(
        """
        INSERT INTO quarantined_message (
          employee_id, device_no, received_at, phone_app, body_hash, reason, byte_count, body)
        VALUES (\(number < 3 ? Int32(7) : 8), 1, \(all.now - .minutes(Int64(number / 2))),
          \(Int16(number % 2)), \([UInt8](repeating: UInt8(number), count: 32)),
          \(number < 4 ? "unreadable tst" : "syntax"), \(Int32(100 + number)), \(body))
        """)
    }
  }

  // R: M1, W11
  @Test("lists every message once, page by page, and never what it contains")
  func lists() async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      try await Self.plant(in: all)
      func list(_ query: String) async throws -> String {
        let answer = try await all.send(.get, "/v1/quarantined-messages\(query)", "", page)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(!answer.text.contains("secret") && !answer.text.contains("steps"))
        return answer.text
      }
      func bytes(_ text: String) -> [Int] {
        text.matches(of: #/"bytes":(\d+)/#).compactMap { Int($0.1) }
      }
      let first = try await list("")
      #expect(bytes(first) == [100, 101, 102, 103, 104, 105])
      #expect(
        first.hasPrefix(
          #"{"messages":[{"employee":7,"name":"Person 7","device":1,"app":"owntracks","#
            + #""receivedAt":"\#(all.now.rfc3339)","reason":"unreadable tst","bytes":100,"#
            + #""hasContents":true},"#), "\(first)")
      #expect(
        first.contains(
          #""counts":[{"app":"owntracks","reason":"unreadable tst","count":2,"kept":1},"#
            + #"{"app":"overland","reason":"unreadable tst","count":2,"kept":1},"#
            + #"{"app":"owntracks","reason":"syntax","count":1,"kept":0},"#
            + #"{"app":"overland","reason":"syntax","count":1,"kept":0}]}"#), "\(first)")
      for limit in 1...4 {
        var (seen, query): ([Int], String?) = ([], "?limit=\(limit)")
        while let next = query {
          let text = try await list(next)
          seen += bytes(text)
          query = text.firstMatch(of: #/"next":"([^"]+)"/#)
            .map { "?limit=\(limit)&cursor=\($0.1)" }
        }
        #expect(seen == [100, 101, 102, 103, 104, 105], "\(limit)")
      }
      for (query, found) in [
        ("?employee=7", [100, 101, 102]), ("?app=overland", [101, 103, 105]),
        ("?reason=syntax", [104, 105]), ("?reason=none", []),
        ("?employee=8&app=owntracks&reason=syntax", [104]),
      ] { #expect(bytes(try await list(query)) == found, "\(query)") }
      for (query, status) in [
        ("?employee=99", 404), ("?app=ours", 422), ("?reason=", 422),
        ("?cursor=1.7.1.00", 422), ("?cursor=x", 422), ("?limit=0", 422),
        ("?cursor=1.7.1.\(String(repeating: "g", count: 64))", 422),
      ] {
        let refused = try await all.send(.get, "/v1/quarantined-messages\(query)", "", page)
        #expect(refused.status == status, "\(query) \(refused.text)")
      }
    }
  }

  // R: M1
  @Test("reads them again for an administrator, of one employee or all")
  func replays() async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      try await Self.plant(in: all)
      let path = "/v1/quarantined-messages/replay"
      /// The counts, of as many answers as it takes.
      func replay(_ body: String) async throws -> [Int] {
        let replayed = try await all.send(.post, path, body, page)
        #expect(replayed.status == 200, "\(replayed.text)")
        let names: [JSONStep] = ["read", "unreadable", "waiting", "withoutContents", "stored"]
        let counts = names.map { name in
          if case .integer(let count) = replayed[name] { Int(count) } else { -1 }
        }
        guard case .string(let next) = replayed["next"] else { return counts }
        return zip(counts, try await replay(#"{"cursor":"\#(next)"}"#)).map { $0 + $1 }
      }
      #expect(try await replay(#"{"employee":8}"#) == [0, 0, 0, 3, 0])
      #expect(try await replay(#"{"cursor":"7.1"}"#) == [0, 0, 0, 3, 0])
      #expect(try await replay("{}") == [1, 1, 0, 4, 0])
      #expect(try await replay("{}") == [0, 1, 0, 4, 0])
      for (body, status) in [
        (#"{"employee":99}"#, 404), (#"{"employee":0}"#, 422), (#"{"cursor":"7"}"#, 422),
        (#"{"cursor":"7.0"}"#, 422), (#"{"all":true}"#, 422), ("", 400),
      ] {
        let refused = try await all.send(.post, path, body, page)
        #expect(refused.status == status, "\(body) \(refused.text)")
      }
      let log = try await all.operations.installation.auditEntries(AuditFilter(), limit: 20)
        .filter { $0.action == .quarantineReplayed }
      #expect(log.map(\.actor) == ["boss"] && log.map(\.employee) == [EmployeeID(7)])
    }
  }
}
