import DeviceOperations
import HTTPServing
import InstallationOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("One phone over HTTP") struct DeviceRouteTests {
  @Test("is described with its refused requests, and without token, push address or coordinate")
  func support() async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      let token = try #require(all.phones[7])
      let phone: HTTPHeaders = ["Authorization": "Bearer \(token)"]
      let target = #"{"channel":"fcm","token":"s3cret:address"}"#
      #expect(try await all.send(.put, "/v1/me/push-target", target, phone).status == 204)
      let ping = """
        {"pings":[{"recordedAt":"\(all.now.rfc3339)","latitude":45.815,"longitude":15.9819}]}
        """
      #expect(try await all.send(.post, "/v1/pings", ping, phone).status == 200)
      #expect(try await all.send(.post, "/v1/pings", #"{"pings":7}"#, phone).status == 422)
      let answer = try await all.send(.get, "/v1/employees/7/devices/1", "", page)
      #expect(answer.status == 200, "\(answer.text)")
      for text in [
        #""push":{"isSet":true,"channel":"fcm","sandbox":false"#, #""pingCount":1"#,
        #""clockIn":{"answer":"already_open","shift":1}"#, #""instance":"test""#,
        #""route":"POST /v1/pings","status":422,"code":"invalid_body""#,
        #""outcome":"clocked_in""#, #""outcome":"blocked""#, #""authorization":"denied""#,
      ] {
        #expect(answer.text.contains(text), "\(text) in \(answer.text)")
      }
      for secret in ["s3cret", "45.815", "45815", "15.9819", "159819", String(token.suffix(12))] {
        #expect(!answer.text.contains(secret), "\(secret)")
      }
      #expect(try await all.send(.get, "/v1/employees/7/devices/9", "", page).status == 404)
    }
  }

  @Test("gets a test message through the outbox, in the audit log")
  func test() async throws {
    try await TwoTeamsWorld.withBoss { all, page in
      let path = "/v1/employees/7/devices/1/tests"
      let refused = try await all.send(.post, path, "", page)
      #expect(refused.status == 409 && refused.text.contains("no_push_address"))
      let phone: HTTPHeaders = ["Authorization": "Bearer \(try #require(all.phones[7]))"]
      _ = try await all.send(
        .put, "/v1/me/push-target", #"{"channel":"fcm","token":"x"}"#, phone)
      let sent = try await all.send(.post, path, "", page)
      #expect(sent.status == 202 && sent.text == #"{"test":"e7-t10-s1-o-1"}"#)
      #expect(sent.headers["Location"] == "/v1/employees/7/devices/1")
      let log = try await all.operations.installation.auditEntries(about: EmployeeID(7), limit: 5)
      #expect(log.first?.action == .testSent && log.first?.target == 1)
    }
  }
}
