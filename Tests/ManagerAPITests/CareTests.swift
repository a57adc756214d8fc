import HTTPServing
import ShiftDomain
import Testing

/// What the API answers to requests that are almost valid.
@Suite("Responses to almost valid requests") struct CareTests {
  // R: W11
  @Test(
    "an account rejects an unknown team or employee, whether disabled or not",
    arguments: [#""disabled":true,"#, #""disabled":false,"#, ""])
  func accounts(disabled: String) async throws {
    try await TwoTeamsWorld.run { all in
      try await all.hire("boss", .administrator)
      let number = try await all.hire("mira", teams: [1: .coverage]).rawValue
      let page = try await all.page(of: "boss")
      for input in [#""teams":[{"team":40404,"rights":["coverage"]}]"#, #""employee":40404"#] {
        let answer = try await all.send(
          .patch, "/v1/accounts/\(number)", "{\(disabled)\(input)}", page)
        #expect((400..<500).contains(answer.status), "\(input): \(answer.status) \(answer.text)")
        let now = try await all.send(.get, "/v1/accounts/\(number)", "", page).text
        #expect(!now.contains("40404"), "\(now)")
      }
      if disabled == #""disabled":true,"# {
        let answer = try await all.send(
          .patch, "/v1/accounts/\(number)", #"{"disabled":true}"#, page)
        #expect(answer.status == 200)
      }
    }
  }

}
