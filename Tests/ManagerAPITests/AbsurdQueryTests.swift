import HTTPServing
import ShiftDomain
import Testing

/// Requests every route of the router, including routes that are added later.
@Suite("Absurd requests") struct AbsurdQueryTests {
  private static let keys = [
    "team", "employee", "employees", "from", "to", "date", "state", "by", "after", "cursor",
    "limit", "purpose", "name", "format",
  ]
  private static let values = [
    "", "-1", "0", "99999999999999999999", "0001-01-01", "9999-12-31", "2026-02-30",
    "9999-12-31T23:59:59Z", "253402300799999.2147483647.2147483647", "'--",
  ]

  @Test("for an impossible employee number get 404, even where nothing is looked up")
  func noEmployee() async throws {
    try await TwoTeamsWorld.withBoss { (all, page) async throws in
      for number in ["0", "-1", "2147483648", "x"] {
        let path = "/v1/employees/\(number)/planned-shifts/1"
        #expect(try await all.send(.delete, path, "", page).status == 404, "\(number)")
      }
      // A route of its own, not the number of an employee.
      #expect(try await all.send(.patch, "/v1/employees/import", "{}", page).status == 405)
    }
  }

  @Test("are answered or refused and never cause a server error") func answered() async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      let routes = all.router.routes.filter { $0.method == .get && !$0.pattern.contains("/me") }
      #expect(routes.count >= 25)
      for route in routes {
        for number in ["7", "0", "-1", "2147483648"] {
          let path = route.pattern.split(separator: "/").map { part in
            part.hasPrefix("{") ? number : String(part)
          }.joined(separator: "/")
          let queries =
            number == "7"
            ? Self.keys.flatMap { key in Self.values.map { "?\(key)=\($0)" } } : ["?team=1"]
          for query in queries {
            let answer = try await all.send(.get, "/\(path)\(query)", "", page)
            #expect(answer.status < 500, "/\(path)\(query): \(answer.text)")
          }
        }
      }
    }
  }
}
