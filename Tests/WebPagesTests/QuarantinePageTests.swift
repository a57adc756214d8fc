import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The quarantine page") struct QuarantinePageTests {
  // R: M1, W11
  @Test("counts and lists messages without their contents, and reads them again after a question")
  func quarantine() async throws {
    try await withQuietServer { server in
      let path = "/settings/quarantine"
      #expect(try await server.get("/settings").1.contains(#"href="\#(path)""#))
      let (empty, nothing) = try await server.get(path)
      #expect(empty.status == 200 && nothing.contains("Every message could be read."))
      #expect(!nothing.contains("<button>Read again"))

      let day = server.day
      _ = try await day.addTeam(of: 1, name: { _ in "Eve <b>" })
      for number in 0..<103 {
        let body: String? =
          number == 0 ? #"{"_type":"steps","a":52.5}"# : number == 1 ? "{52.5" : nil
        try await day.write(
          """
          INSERT INTO quarantined_message (
            employee_id, device_no, received_at, phone_app, body_hash, reason, byte_count, body)
          SELECT employee_id, 1, \(day.now - .seconds(Int64(number))), 0,
            \([UInt8](repeating: UInt8(number), count: 32)), \(number < 3 ? "a<b" : "syntax"), 10,
            \(body)
          FROM device WHERE device_no = 1 ORDER BY employee_id LIMIT 1
          """)
      }
      let (_, text) = try await server.get(path)
      #expect(text.contains("reason=a%3Cb\">a&lt;b</a><td class=\"number\">3"), "\(text)")
      #expect(text.contains("Invalid JSON or form</a><td class=\"number\">100"))
      #expect(!text.contains("52.5") && text.contains("Eve &lt;b&gt;</a>"))
      #expect(text.matches(of: #/\/devices">/#).count == 100)
      let next = try #require(text.firstMatch(of: #/href="([^"]+cursor=[^"]+)"/#)?.1)
      let (_, older) = try await server.get(String(next))
      #expect(older.matches(of: #/\/devices">/#).count == 3 && older.contains("Show all"))
      let (_, few) = try await server.get("\(path)?app=owntracks&reason=a%3Cb")
      #expect(few.matches(of: #/\/devices">/#).count == 3)
      for query in ["?app=ours", "?cursor=x", "?reason="] {
        #expect(try await server.get(path + query).0.status == 404, "\(query)")
      }

      let (asked, question) = try await server.post("\(path)/replay", "")
      #expect(asked.status == 200 && question.contains("Read all quarantined messages again?"))
      #expect(question.contains("Nobody is notified"))
      #expect(try await day.count("SELECT count(*) FROM quarantined_message") == 103)
      let (done, _) = try await server.post("\(path)/replay", "sure=yes")
      let place = try #require(done.headers["Location"])
      #expect(done.status == 303 && place == "\(path)?read=1&unreadable=1&waiting=0&without=101")
      let (_, report) = try await server.get(place)
      #expect(
        report.contains(
          "1 message could be read. 1 message still cannot be read. "
            + "The contents of 101 messages were not kept."), "\(report)")
      #expect(try await day.count("SELECT count(*) FROM quarantined_message") == 102)
      try await day.write(
        "UPDATE quarantined_message SET reason = 'unknown_kind _type', body = NULL")
      let (_, lost) = try await server.get(path)
      #expect(lost.contains("Unknown kind: <code>_type</code></a>"), "\(lost)")
      #expect(lost.contains("none can be read again") && !lost.contains("<button>Read again"))
      try await day.write("UPDATE quarantined_message SET body = '{}'")
      let (_, stopped) = try await server.get("\(place)&next=7.1")
      #expect(stopped.contains(#"name="after" value="7.1""#) && stopped.contains("Continue"))
    }
  }
}
