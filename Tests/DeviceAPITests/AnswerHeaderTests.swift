import ShiftDomain
import Testing

@Suite("Every response to a phone") struct AnswerHeaderTests {
  private static func expectPrivate(_ answer: Answer) {
    #expect(answer.headers["Cache-Control"] == "no-store", "\(answer.text)")
    #expect(answer.headers["X-Content-Type-Options"] == "nosniff", "\(answer.text)")
  }

  // R: W11
  @Test("forbids caching and content sniffing")
  func headers() async throws {
    try await DeviceWorld.run { world in
      let code = try await world.code()
      let body = #"{"code":"\#(code)","platform":"ios"}"#
      for status in [201, 201, 404] {
        let answer = try await world.post("/v1/enrolments", body)
        #expect(answer.status == status)
        Self.expectPrivate(answer)
      }
      let phone = try await world.phone()
      Self.expectPrivate(try await phone.report("always"))
      Self.expectPrivate(try await phone.clockIn())
      Self.expectPrivate(try await phone.ping())
      for path in [
        "/v1/me", "/v1/me/shifts", "/v1/me/shifts/1", "/v1/me/shifts/2", "/v1/me/audit",
        "/v1/me/privacy-notice", "/v1/me/events", "/v1/me/sites",
      ] {
        Self.expectPrivate(try await phone.get(path))
        Self.expectPrivate(try await world.send(.get, path))
      }
    }
  }
}
