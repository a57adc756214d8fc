import HTTPServing
import PolicyOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("A draft policy over HTTP") struct PolicyTrialRouteTests {
  // R: M2, A8
  @Test("is tried on stored clock-ins, and not saved")
  func tries() async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      let path = "/v1/teams/1/policies/try"
      let same = try await all.send(.post, path, "", page)
      #expect(same.status == 200, "\(same.text)")
      #expect(
        same.text.contains(
          #""clockIns":2,"complete":true,"then":{"allow":0,"warn":1,"block":1},"#
            + #""now":{"allow":0,"warn":1,"block":1},"overridden":1,"byOtherVersions":0,"#
            + #""uncertain":0,"differenceCount":0,"differences":[]}"#))
      let advisory = try await all.send(
        .post, path + "?weeks=4", #"{"severities":{"denied":"advice"}}"#, page)
      #expect(advisory.text.contains(#""now":{"allow":2,"warn":0,"block":0}"#))
      #expect(
        advisory.text.contains(
          #""now":{"verdict":"allow","findings":[{"code":"denied","severity":"advice"}"#))
      for (query, body) in [
        ("?weeks=3", "{}"), ("?weeks=x", "{}"), ("", #"{"preset":"odd"}"#),
        ("", #"{"freshFor":0}"#), ("", #"{"x":1}"#),
      ] {
        let refused = try await all.send(.post, path + query, body, page)
        #expect(refused.status == 422, "\(query) \(body): \(refused.text)")
      }
      #expect(try await all.operations.policies.policies(of: TeamID(1), limit: 9).count == 1)
    }
  }
}
