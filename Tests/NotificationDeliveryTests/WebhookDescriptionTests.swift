import Foundation
import Guidance
import HTTPSending
import HTTPServing
import JSONText
import Lifecycle
import NotificationSending
import ReadModels
import ShiftDomain
import TestKit
import Testing

@testable import BackgroundOperations
@testable import NotificationDelivery
@testable import NotificationQueue

/// Compares the `webhooks` of openapi.yaml with what is sent.
@Suite("The description of webhooks", .timeLimit(.minutes(5))) struct WebhookDescriptionTests {
  private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  /// What a webhook received.
  private struct Arrival: Sendable {
    var headers: [String: String]
    var body: [UInt8]
  }

  /// A notification of this topic to managers.
  private func outgoing(_ notification: ShiftNotification) -> OutgoingNotification {
    let attempt = DeliveryAttempt(
      of: NotificationID(notification, of: EmployeeID(7)), number: 1, step: .managers,
      recipient: 1001,
      kind: notification.kind, begunAt: notification.dueAt)
    return OutgoingNotification(
      Sending(
        attempt: attempt, lease: 1, address: .other(.webhook, "", secrets: []),
        notification: notification,
        report: nil,
        device: DeviceDescription(platform: .ios), language: .english, names: ["Ada"],
        isEmployeeNotified: true, expiresAt: morning + .hours(1)))
  }

  /// A notification of each topic that managers get.
  private var notifications: [ShiftNotification] {
    NotificationTopic.allCases.filter { $0.reachesManagers && !$0.isAlone }.map {
      ShiftNotification($0, subject: 3, kind: $0 == .restored ? nil : .denied, dueAt: morning)
    } + [.test(3, of: .managers, dueAt: morning)]
  }

  /// Sends `notifications` to a webhook on this machine, and returns what it received.
  private func sent(_ notifications: [OutgoingNotification]) async throws -> [Arrival] {
    let arrivals = Lock<[Arrival]>([])
    let server = try HTTPServer(.patient) { request in
      var headers: [String: String] = [:]
      for name in ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type"] {
        headers[name] = request.headers[name]
      }
      let arrival = Arrival(headers: headers, body: request.body)
      arrivals.withLock { $0.append(arrival) }
      return .json([])
    }
    try await server.serving { url in
      let here = try #require(AddressRange("127.0.0.1"))
      let channel = WebhookChannel(
        sender: HTTPSender(connectionsMax: 1, reach: .publicAddresses(besides: [here])),
        clock: SendingClock(now: { morning }))
      let secret = try #require(WebhookSecret(text: Self.secret))
      let address = WebhookAddress(url: "\(url)/", secrets: [secret, .random()])
      for outgoing in notifications {
        let outcome = await channel.send(outgoing, to: address)
        #expect(outcome == .accepted(reference: nil))
      }
    }
    return arrivals.withLock { $0 }
  }

  @Test("names exactly the fields, headers and events that are sent")
  func described() async throws {
    let description = try Description()
    let post = ["webhooks", "notification", "post"]
    let schema = ["components", "schemas", "WebhookNotification"]
    var (fields, events): (Set<String>, Set<String>) = ([], [])
    for arrival in try await sent(notifications.map(outgoing)) {
      for name in description.values(of: "- name", under: post + ["parameters"]) {
        let value = try #require(arrival.headers[name], "\(name)")
        let pattern = description.pattern(ofHeader: name)
        #expect(try pattern.map { try Regex($0).wholeMatch(in: value) != nil } ?? true, "\(value)")
      }
      let body = try JSONFields(try JSONValue(parsing: arrival.body))
      #expect(Set(body.names) == description.names(under: schema + ["properties"]))
      events.insert(try #require(try body.text("type", max: 100)))
      let data = try #require(try body.object("data"))
      fields.formUnion(data.names)
      let always = ["employee", "title", "body", "language", "urgent"]
      #expect(always.allSatisfy { data.names.contains($0) } && data.names.count == 6)
    }
    #expect(fields == description.names(under: schema + ["properties", "data", "properties"]))
    let listed = description.list("enum", under: schema + ["properties", "type"])
    #expect(events == Set(listed) && listed.count == events.count)
    #expect(
      description.list("required", under: schema + ["properties", "data"])
        == ["employee", "title", "body", "language", "urgent"])
  }
}

/// openapi.yaml as far as a test needs it: its names and how they are nested.
private struct Description {
  private let lines: [Substring]

  init() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../openapi.yaml").standardized
    lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
  }

  /// The lines under `path`, a list of nested names.
  private func block(_ path: [String]) -> ArraySlice<Substring> {
    var block = lines[...]
    for name in path {
      guard
        let start = block.firstIndex(where: { $0.trimmingPrefix(while: \.isSpace) == "\(name):" })
      else { return [] }
      let depth = lines[start].depth
      let end = block[(start + 1)...].firstIndex { $0.depth <= depth } ?? block.endIndex
      block = block[(start + 1)..<end]
    }
    return block
  }

  /// The names directly under `path`.
  func names(under path: [String]) -> Set<String> {
    let block = block(path)
    let depth = block.first?.depth
    return Set(
      block.filter { $0.depth == depth }.compactMap {
        $0.trimmingPrefix(while: \.isSpace).split(separator: ":").first.map { String($0) }
      })
  }

  /// The values of all `name: value` under `path`.
  func values(of name: String, under path: [String]) -> [String] {
    block(path).map { $0.trimmingPrefix(while: \.isSpace) }.filter { $0.hasPrefix("\(name): ") }
      .map { String($0.dropFirst(name.count + 2)) }
  }

  /// The words of `name: [a, b]` under `path`.
  func list(_ name: String, under path: [String]) -> [String] {
    values(of: name, under: path).first.map { value in
      value.dropFirst().dropLast().split(separator: ", ").map { String($0) }
    } ?? []
  }

  /// The pattern that a header of the webhook must match.
  func pattern(ofHeader name: String) -> String? {
    let block = block(["webhooks", "notification", "post", "parameters"])
    guard let start = block.firstIndex(where: { $0.hasSuffix("- name: \(name)") }) else {
      return nil
    }
    let schema = block[start...].first { $0.contains("schema:") }
    return schema?.firstMatch(of: /pattern: '(.*)'/).map { String($0.1) }
  }
}

extension Character {
  fileprivate var isSpace: Bool { self == " " }
}

extension Substring {
  /// The number of leading spaces.
  fileprivate var depth: Int { prefix { $0 == " " }.count }
}
