import HTTPServing
import PolicyOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("A planned policy over HTTP") struct PlannedPolicyRouteTests {
  private static let policies = "/v1/teams/1/policies"
  private static let planned = "/v1/teams/1/planned-policy"

  // R: A9
  @Test("waits, is listed with what it changes, and is a version from its time on")
  func waits() async throws {
    try await TwoTeamsWorld.withBoss { all, boss in
      let later = (all.now + .hours(1)).rfc3339
      let body = #"{"severities":{"when_in_use":"block"},"validFrom":"\#(later)"}"#
      for _ in 0..<2 {
        let answer = try await all.send(.post, Self.policies, body, boss)
        #expect(answer.status == 202, "\(answer.text)")
        #expect(answer.text.hasPrefix(#"{"team":1,"formerVersion":1,"createdAt":""#))
        #expect(answer.text.contains(#","validFrom":"\#(later)","savedBy":"boss","preset":""#))
      }
      let list = try await all.send(.get, Self.policies, "", boss).text
      #expect(
        list.hasSuffix(
          #""differences":[{"setting":"/severities/when_in_use","from":"warn","to":"block"}]}}"#),
        "\(list)")
      #expect(list.matches(of: /"version":/).count == 1)

      all.clock.now = all.now + .hours(1)
      #expect(try await all.operations.background.beginPlannedPolicies() == 1)
      let after = try await all.send(.get, Self.policies, "", boss).text
      #expect(!after.contains(#""planned""#))
      #expect(after.contains(#""version":2,"inForce":true,"createdAt":"\#(later)","#))
      #expect(after.contains(#""validFrom":"\#(later)","savedBy":"boss""#))
    }
  }

  @Test("is refused beside another one and without a setting, and cannot be tried")
  func refusals() async throws {
    try await TwoTeamsWorld.withBoss { all, boss in
      let time = #""validFrom":"\#((all.now + .hours(1)).rfc3339)""#
      let past = #""validFrom":"\#((all.now - .hours(1)).rfc3339)""#
      let far = #""validFrom":"\#((all.now + .hours(367 * 24)).rfc3339)""#
      for (path, body, status, text) in [
        ("", "{\(time)}", 422, "must name at least one setting to change"),
        ("", #"{"debounce":1,"validFrom":"tomorrow"}"#, 422, #""pointer":"/validFrom""#),
        ("", #"{"debounce":1,\#(past)}"#, 409, #""code":"policy_in_the_past""#),
        ("", #"{"debounce":1,\#(far)}"#, 409, #""code":"policy_too_far_ahead""#),
        ("", #"{"debounce":2,\#(time)}"#, 409, #""code":"policy_unchanged""#),
        ("/try", #"{"debounce":1,\#(time)}"#, 422, "is not a setting of a policy"),
        ("", #"{"debounce":1,\#(time)}"#, 202, #""debounce":1"#),
        ("", #"{"debounce":3,\#(time)}"#, 409, #""code":"policy_already_planned""#),
      ] {
        let answer = try await all.send(.post, Self.policies + path, body, boss)
        #expect(answer.status == status && answer.text.contains(text), "\(body): \(answer.text)")
      }
    }
  }

  @Test("is discarded by an administrator")
  func discarding() async throws {
    try await TwoTeamsWorld.withBoss { all, boss in
      #expect(try await all.send(.delete, Self.planned, "", boss).status == 404)
      let body = #"{"debounce":1,"validFrom":"\#((all.now + .hours(1)).rfc3339)"}"#
      #expect(try await all.send(.post, Self.policies, body, boss).status == 202)
      #expect(try await all.send(.delete, Self.planned, "", boss).status == 204)
      #expect(
        try await !all.send(.get, Self.policies, "", boss).text.contains(#""planned""#))
      #expect(try await all.send(.post, Self.policies, body, boss).status == 202)
      all.clock.now = all.now + .hours(1)
      let late = try await all.send(.delete, Self.planned, "", boss)
      #expect(late.status == 409 && late.text.contains(#""code":"policy_in_force""#))
      #expect(late.text.contains("version 2 is in force"))
      #expect(try await all.send(.delete, Self.planned, "", boss).status == 404)
    }
  }
}
