import InsightOperations
import InstallationOperations
import NotificationOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@Suite("Contacts, through guardd", .disabled(if: isUnderThreadSanitizer)) struct ContactTests {
  // R: M4
  @Test("get a test by SMTP, whose result says whether the mail server took it, and why not")
  func mail() async throws {
    try await withTestDatabase { database in
      let unasked = try await Receivers.run { receivers in
        try await Service.run(
          on: database.configuration, with: ["--channels", receivers.channels]
        ) { service in
          _ = try await service.addTeam(of: 1)
          let token = try await service.operations.installation.createAPIToken(
            name: "Mira", role: .administrator, validFor: .hours(1))
          let client = SentPhone(
            employee: EmployeeID(1), address: service.address, token: token.token)
          let delivered = try await result("boss@example.com", client)
          #expect(delivered.contains(#""state":"delivered""#), "\(delivered)")
          #expect(try await receivers.next() == Arrival("e-mail", "Test notification"))
          let refused = try await result("refused@example.com", client)
          #expect(refused.contains(#""state":"not_delivered""#), "\(refused)")
          #expect(refused.contains(#""reason":""#) && refused.contains("550"), "\(refused)")
          #expect(!refused.contains("refused@"), "\(refused)")

          let health = try await client.request("GET", "/v1/channels", "").text
          let email = #""channel":"email","isSetUp":true,"lastSuccessAt""#
          #expect(health.contains(email), "\(health)")
          #expect(health.contains(#""channel":"apns","isSetUp":false"#), "\(health)")
          #expect(health.contains("550") && !health.contains("@"), "\(health)")
        }
      }
      #expect(unasked.isEmpty, "\(unasked)")
    }
  }

  // R: M4
  @Test("get the digest of a week by SMTP, once")
  func digest() async throws {
    try await withTestDatabase { database in
      let monday = try #require(Instant(rfc3339: "2099-03-02T12:00:00Z"))
      let unasked = try await Receivers.run { receivers in
        try await Service.run(
          on: database.configuration, with: ["--channels", receivers.channels]
        ) { service in
          _ = try await service.addTeam(of: 1)
          _ = try await service.operations.notifications.addContact(
            "boss@example.com", language: .polish, choices: .withDigest, to: TeamID(1),
            by: .arranger
          ).get()
          try await service.plantShift(
            of: EmployeeID(1), number: 1, from: monday, to: monday + .hours(8))
          // The clock of the instance that queues it; the one that sends it has the present time.
          let later = TestOperations(pool: service.pool, now: { monday + .hours(7 * 24) })
          for count in [1, 0] {
            #expect(try await later.background.queueDigests() == count)
          }
          #expect(try await receivers.next() == Arrival("e-mail", "Tydzień Twojego zespołu"))
        }
      }
      #expect(unasked.isEmpty, "\(unasked)")
    }
  }

  /// Adds a contact with this address, sends it a test, and waits for the result.
  private func result(_ address: String, _ client: SentPhone) async throws -> String {
    let added = try await client.post(
      "/v1/teams/1/contacts", #"{"channel":"email","address":"\#(address)"}"#)
    try #require(added.status == 201, "\(added.text)")
    let number = try #require(added.text.firstMatch(of: /"contact":(\d+)/)?.1)
    let path = "/v1/teams/1/contacts/\(number)/tests"
    let sent = try await client.post(path, "")
    try #require(sent.status == 202, "\(sent.text)")
    let test = try #require(sent.text.firstMatch(of: /"test":"([^"]+)"/)?.1)
    var answer = sent.text
    try await until {
      answer = try await client.request("GET", "\(path)/\(test)", "").text
      return !answer.contains(#""state":"queued""#)
    }
    return answer
  }
}
