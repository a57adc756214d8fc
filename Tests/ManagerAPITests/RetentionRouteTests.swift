import HTTPServing
import InstallationOperations
import ShiftTestKit
import Testing

@Suite("Retention periods over HTTP") struct RetentionRouteTests {
  // R: W11
  @Test("are read and changed as a whole, and invalid values are refused with their location")
  func wholes() async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      let standard = #"{"fixes":60,"coverage":365,"shifts":1830,"auditLog":365}"#
      #expect(try await all.send(.get, "/v1/retention", "", page).text == standard)
      let input = #"{"fixes":400,"coverage":500,"shifts":1000,"auditLog":30}"#
      let changed = try await all.send(.put, "/v1/retention", input, page)
      #expect(changed.status == 200 && changed.text == input, "\(changed.text)")
      #expect(try await all.send(.get, "/v1/retention", "", page).text == input)
      #expect(try await all.send(.put, "/v1/retention", input, page).text == input)
      for (body, place) in [
        (#"{"fixes":501,"coverage":500,"shifts":1000,"auditLog":30}"#, "/fixes"),
        (#"{"fixes":60,"coverage":1001,"shifts":1000,"auditLog":30}"#, "/coverage"),
        (#"{"fixes":7,"coverage":500,"shifts":1000,"auditLog":30}"#, "/fixes"),
        (#"{"fixes":60,"coverage":500,"shifts":36501,"auditLog":30}"#, "/shifts"),
        (#"{"fixes":60,"coverage":500,"shifts":1000,"auditLog":30.5}"#, "/auditLog"),
        (#"{"fixes":60,"coverage":500,"shifts":1000}"#, "/auditLog"),
        (#"{"fixes":60,"coverage":500,"shifts":1000,"auditLog":30,"pings":1}"#, "/pings"),
      ] {
        let refused = try await all.send(.put, "/v1/retention", body, page)
        #expect(refused.status == 422 && refused.text.contains(#""\#(place)""#), "\(refused.text)")
      }
      #expect(try await all.send(.get, "/v1/retention", "", page).text == input)
      let log = try await all.operations.installation.auditEntries(about: nil, limit: 20)
        .filter { $0.action == .retentionChanged }
      #expect(log.count == 4 && log.allSatisfy { $0.actor == "boss" })
    }
  }
}
