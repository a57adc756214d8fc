import Foundation
import Testing

@testable import HTTPServing

@Suite("Problem") struct ProblemTests {
  @Test("has the members of RFC 9457 and our own") func members() throws {
    let problem = Problem(
      status: 422, code: "bad_fields", detail: "a \"quoted\" \\ line\nand \u{1}, é 🧭",
      extensions: ["retryAfterSeconds": .integer(7), "findings": []],
      headers: ["Retry-After": "7"])
    let response = problem.response()
    #expect(response.status == 422)
    #expect(response.headers["content-type"] == "application/problem+json")
    #expect(response.headers["Retry-After"] == "7")
    guard case .bytes(let bytes) = response.body else {
      Issue.record("no bytes")
      return
    }
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    #expect(object?["type"] as? String == "about:blank")
    #expect(object?["title"] as? String == "Unprocessable Content")
    #expect(object?["status"] as? Int == 422)
    #expect(object?["code"] as? String == "bad_fields")
    #expect(object?["detail"] as? String == problem.detail)
    #expect(object?["retryAfterSeconds"] as? Int == 7)
    #expect((object?["findings"] as? [Any])?.isEmpty == true)
  }

  @Test("omits members without a value") func short() {
    let json = String(decoding: Problem(status: 404, code: "not_found").json, as: UTF8.self)
    #expect(
      json == #"{"type":"about:blank","title":"Not Found","status":404,"code":"not_found"}"#)
  }
}
