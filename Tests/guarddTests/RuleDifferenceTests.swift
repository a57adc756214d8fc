import HTTPSending
import Postgres
import ShiftTestKit
import TestKit
import TestPrograms
import Testing

@Suite("Decisions of a phone that differ from the server's") struct RuleDifferenceTests {
  @Test("are counted without limit, and logged with a limit, by what they are made of")
  func differences() async throws {
    try await withTestDatabase { database in
      let guardd = try RunningProgram(guardd: [
        "--database", database.configuration.description, "--migrate", "--listen", "127.0.0.1:0",
      ])
      let address = try await guardd.address()
      let pool = Pool(database.configuration, size: 2, waitersMax: 8)
      let (_, phones) = try await TestOperations(pool: pool, now: wallClock).addTeam(of: 1)
      await pool.close()
      let phone = SentPhone(
        employee: phones[0].device.employee, address: address, token: phones[0].token)
      for _ in 0..<130 {
        let answer = try await phone.post(
          "/v1/me/rule-differences",
          """
          {"actionId":"a\\n1","local":{"findings":[{"code":"denied","severity":"block"}],
           "policyVersion":3},"server":{"findings":[]},"arguments":[7,8]}
          """)
        #expect(answer.status == 204)
      }
      let metrics = try await HTTPSender(connectionsMax: 1).ask(
        OutgoingRequest("GET", "http://\(address)/metrics"))
      #expect(
        String(decoding: metrics.body, as: UTF8.self)
          .contains("\nshiftguard_rule_differences_total 130\n"))
      guardd.terminate()
      let lines = await guardd.rest().lines.filter { $0.contains("rules decided differently") }
      // The requests may take place in two minutes.
      #expect((60...120).contains(lines.count))
      #expect(
        lines.first?.contains(
          #"employee=1 device=1 action="a\n1" rules=- policy=3 local="block: denied" "#
            + #"server=allow arguments="7 8""#) == true, "\(lines.first ?? "")")
    }
  }
}
