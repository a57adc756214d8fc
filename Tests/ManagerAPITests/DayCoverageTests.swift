import JSONText
import ShiftDomain
import Testing

@Suite("A team's daily coverage over HTTP") struct DayCoverageTests {
  // R: W1, W9, M6
  @Test("has a line for every employee who began a shift, and totals that add up")
  func day() async throws {
    try await Morning.run { morning in
      let response = try await morning.get("/v1/coverage?team=1&date=2026-11-20")
      #expect(response.status == 200)
      let expected = try JSONValue(
        parsing: Array(
          """
          {"team":1,"date":"2026-11-20","timeZone":"UTC","from":"2026-11-20T00:00:00.000Z",
           "to":"2026-11-21T00:00:00.000Z","asOf":"2026-11-20T09:50:00.000Z",
           "provisional":false,"trackingRate":50,"totals":{"tracked":600000,"denied":600000},
           "employees":[
             {"employee":7,"name":"Zoë \\"Z\\" Ångström","provisional":false,"trackingRate":50,
              "totals":{"tracked":600000,"denied":600000},
              "shifts":[
                {"shift":{"employee":7,"number":1},"startedAt":"2026-11-20T09:30:00.000Z",
                 "endedAt":"2026-11-20T09:50:00.000Z","provisional":false,"trackingRate":50,
                 "totals":{"tracked":600000,"denied":600000}}]}]}
          """.utf8))
      #expect(response.json.withPlainNumbers == expected.withPlainNumbers, "\(response.text)")
      let answer = try await morning.get("/v1/coverage?team=1&date=2026-11-19")
      #expect(
        answer.text.hasSuffix(#""provisional":false,"totals":{},"employees":[]}"#), "\(answer.text)"
      )
    }
  }

  static let refusals: [(query: String, status: Int, code: String)] = [
    ("", 422, "invalid_query"), ("?team=1", 422, "invalid_query"),
    ("?date=2026-11-20", 422, "invalid_query"),
    ("?team=0&date=2026-11-20", 422, "invalid_query"),
    ("?team=x&date=2026-11-20", 422, "invalid_query"),
    ("?team=1&date=2026-02-30", 422, "invalid_query"),
    ("?team=1&date=today", 422, "invalid_query"),
    ("?team=2&date=2026-11-20", 404, "not_found"),
  ]

  @Test("requires an existing team and a valid date")
  func refusals() async throws {
    try await Morning.run { morning in
      for row in Self.refusals {
        let response = try await morning.get("/v1/coverage\(row.query)")
        #expect(
          response.status == row.status && response.text.contains(row.code),
          "\(row.query): \(response.text)")
      }
      let refused = try await morning.get(
        "/v1/coverage?team=1&date=2026-11-20", token: nil)
      #expect(refused.status == 401)
    }
  }
}
