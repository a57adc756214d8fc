import HTTPServing
import PeopleOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Removing a team, by the API") struct TeamRemovalRouteTests {
  // R: W25
  @Test("takes one without employees, names what is in the way, and gives its number to no other")
  func removal() async throws {
    try await TwoTeamsWorld.run { world in
      try await world.hire("boss", .administrator)
      try await world.hire("mate", teams: [1: .all])
      let (boss, mate) = (try await world.page(of: "boss"), try await world.page(of: "mate"))
      let new = #"{"name":"Empty","timeZone":"UTC"}"#
      let made = try await world.send(.post, "/v1/teams", new, boss)
      #expect(made.headers["Location"] == "/v1/teams/3", "\(made)")
      #expect(try await world.send(.delete, "/v1/teams/3", "", mate).status == 403)
      let kept = try await world.send(.delete, "/v1/teams/1", "", boss)
      #expect(kept.status == 409 && kept.text.contains(#""code":"team_has_employees""#), "\(kept)")
      #expect(try await world.send(.delete, "/v1/teams/3", "", boss).status == 204)
      for path in ["/v1/teams/3", "/v1/teams/99"] {
        #expect(try await world.send(.delete, path, "", boss).status == 404, "\(path)")
      }
      let next = try await world.send(.post, "/v1/teams", new, boss)
      #expect(next.headers["Location"] == "/v1/teams/4")
    }
  }
}
