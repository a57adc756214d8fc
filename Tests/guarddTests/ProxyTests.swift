import NotificationOperations
import ShiftDomain
import TestKit
import Testing

@Suite("Proxies that the environment names", .disabled(if: isUnderThreadSanitizer))
struct ProxyTests {
  /// Where nobody listens.
  private static let nowhere = "http://127.0.0.1:1"
  private static let environment = Dictionary(
    uniqueKeysWithValues: [
      "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
    ].map { ($0, nowhere) })

  /// A proxy would look the name up by itself, and connect to what nobody judged.
  @Test("are not asked for what leads to URLs that others give, but for our providers")
  func ignored() async throws {
    try await withTestDatabase { database in
      let unasked = try await Receivers.run { receivers in
        try await Service.run(
          on: database.configuration, with: ["--channels", receivers.channels],
          environment: Self.environment
        ) { service in
          let phone = try #require(try await service.phones().first)
          let operations = service.operations
          let secret = try await operations.notifications.addContact(
            receivers.webhook(), by: .webhook, to: TeamID(1))
          try receivers.trust(#require(secret))
          let webhook = try await operations.notifications.sendTest(toManagersOf: TeamID(1))
          #expect(try await receivers.next() == Arrival("webhook", "Test notification"))
          #expect(try await answer(webhook, service) == .accepted)

          let target = #"{"channel":"fcm","token":"phone-1"}"#
          #expect(try await phone.request("PUT", "/v1/me/push-target", target).status < 300)
          let push = try await operations.notifications.sendTest(to: phone.employee, at: [.push])
          #expect(try await answer(push, service) == .retry)
        }
      }
      #expect(unasked.isEmpty, "\(unasked)")
    }
  }

  /// What became of a test.
  private func answer(_ test: TestNotification, _ service: Service) async throws -> DeliveryOutcome?
  {
    var outcome: DeliveryOutcome?
    try await until {
      let answer = try #require(try await service.operations.notifications.answers(to: test).first)
      outcome = answer.outcome
      return answer.isFinal
    }
    return outcome
  }
}
