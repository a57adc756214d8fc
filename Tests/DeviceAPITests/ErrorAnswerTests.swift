import HTTPAPI
import HTTPServing
import OperationCore
import Testing

@testable import DeviceAPI

@Suite("Error responses to a phone") struct ErrorAnswerTests {
  // R: W11
  @Test("an unknown version of the privacy notice is not reported as an enrolment code")
  func unknownPrivacyNotice() async throws {
    try await DeviceWorld.withPhone { _, phone in
      let answer = try await phone.post("/v1/me/privacy-notice", #"{"version":3}"#)
      #expect(answer.status == 404 && answer.code == "not_found", "\(answer.text)")
      #expect(answer["detail"] == "version 3 of the privacy notice does not exist")
    }
  }

  @Test("an invalid app session is refused in the query as in every body")
  func appSession() async throws {
    try await DeviceWorld.withPhone { _, phone in
      for session in ["", String(repeating: "x", count: 65)] {
        let answer = try await phone.get("/v1/me?appSession=\(session)")
        #expect(answer.status == 422 && answer.code == "invalid_query", "\(session)")
      }
      #expect(try await phone.get("/v1/me?appSession=x").status == 200)
    }
  }

  @Test("an invalid value is reported with its field, if it has one")
  func invalid() {
    let field = Answer(
      Problem(for: OperationError.invalid("must be a version", at: "/version")).response())
    #expect(field.status == 422 && field.code == "invalid_body")
    #expect(field["errors", 0, "pointer"] == "/version")
    #expect(field["detail"] == "`/version` must be a version")
    let whole = Answer(Problem(for: OperationError.invalid("this cannot be stored")).response())
    #expect(whole.status == 422 && whole.code == "invalid_request")
    #expect(whole["detail"] == "this cannot be stored")
  }
}
