import Cryptography
import HTTPSending
import JSONText
import ShiftDomain

package struct WebhookAddress: Sendable {
  package var url: String
  /// The signing secrets; several while one is being replaced.
  package var secrets: [WebhookSecret]

  package init(url: String, secrets: [WebhookSecret]) {
    self.url = url
    self.secrets = secrets
  }
}

/// A webhook's signing secret. Has no `description`, so that it is never logged by accident.
package struct WebhookSecret: Sendable {
  private let key: [UInt8]

  /// A new secret: 32 bytes.
  package static func random() -> WebhookSecret { WebhookSecret(key: randomBytes(32)) }

  private init(key: [UInt8]) { self.key = key }

  /// Reads `whsec_` and base64 of 24 to 64 bytes, or `nil`.
  package init?(text: String) {
    let prefix = "whsec_"
    guard text.hasPrefix(prefix), let key = Base64.decode(String(text.dropFirst(prefix.count))),
      (24...64).contains(key.count)
    else { return nil }
    self.key = key
  }

  package var text: String { "whsec_" + Base64.encode(key) }

  func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
    "v1," + Base64.encode(hmacSHA256(key: key, Array("\(id).\(timestamp).".utf8) + body))
  }
}

/// Webhooks, by Standard Webhooks 1.0.0.
/// - Source: https://github.com/standard-webhooks/standard-webhooks
package struct WebhookChannel: Sendable {
  /// From Standard Webhooks, over three days.
  package static let retryCurve = RetryCurve(
    [.seconds(5), .seconds(300), .seconds(1_800)]
      + [2, 5, 10, 14, 20, 24].map { .seconds($0 * 3_600) },
    chance: 0.2, delayMax: .seconds(24 * 3_600), attemptsMax: 10)

  private let sender: HTTPSender
  private let clock: SendingClock
  private let deadline: Duration

  private static let responseMax = 1 << 16

  /// `sender` has a ``Reach`` suitable for URLs from others; `deadline` is for the whole response.
  package init(sender: HTTPSender, clock: SendingClock, deadline: Duration = .seconds(15)) {
    self.sender = sender
    self.clock = clock
    self.deadline = deadline
  }

  /// Posts once. Every failure is retried, except an address that is gone (410) or out of reach.
  package func send(_ notification: OutgoingNotification, to address: WebhookAddress) async
    -> SendOutcome
  {
    let now = clock.now()
    if let refusal = notification.refusal(at: now) { return refusal }
    guard !address.secrets.isEmpty else {
      return .misconfigured(reason: "the webhook has no secret")
    }
    do throws(SendingError) {
      let response = try await sender.send(request(notification, to: address, at: now))
      return outcome(response)
    } catch {
      return SendOutcome(error)
    }
  }

  private func request(
    _ notification: OutgoingNotification, to address: WebhookAddress, at now: Instant
  ) -> OutgoingRequest {
    let body = JSONValue.object([
      "type": .string(notification.event), "timestamp": JSONValue(notification.occurredAt),
      "data": .object(
        notification.subject.adding([
          "title": .string(notification.title), "body": .string(notification.body),
          "language": .string(notification.language), "urgent": .bool(notification.isUrgent),
        ])),
    ]).bytes
    let timestamp = now.milliseconds / 1_000
    let signatures = address.secrets.map {
      $0.signature(id: notification.key, timestamp: timestamp, body: body)
    }
    return OutgoingRequest(
      "POST", address.url,
      headers: [
        ("Content-Type", "application/json"), ("User-Agent", "ShiftGuard"),
        ("webhook-id", notification.key), ("webhook-timestamp", "\(timestamp)"),
        ("webhook-signature", signatures.joined(separator: " ")),
      ], body: body, deadline: deadline, responseMax: Self.responseMax, cutsResponse: true)
  }

  /// Posts its text into a chat once: `{"text": …}`, as Slack, Mattermost and others take it. The
  /// URL is the only credential.
  package func send(_ notification: OutgoingNotification, toChat url: String) async -> SendOutcome {
    let now = clock.now()
    if let refusal = notification.refusal(at: now) { return refusal }
    let body = JSONValue.object(["text": .string(notification.chatText)]).bytes
    do throws(SendingError) {
      return outcome(
        try await sender.send(
          OutgoingRequest(
            "POST", url,
            headers: [("Content-Type", "application/json"), ("User-Agent", "ShiftGuard")],
            body: body, deadline: deadline, responseMax: Self.responseMax, cutsResponse: true)))
    } catch {
      return SendOutcome(error)
    }
  }

  private func outcome(_ response: IncomingResponse) -> SendOutcome {
    switch response.status {
    case 200..<300: .accepted(reference: nil)
    case 410: .addressGone(reason: "status 410", at: nil)
    default:
      .retry(
        reason: "status \(response.status)", after: response.retryAfter(now: clock.now()))
    }
  }
}

extension OutgoingNotification {
  /// Title, text and link, a line each. A name in it can neither make a link nor call everybody.
  fileprivate var chatText: String {
    let lines =
      ["*\(chatEscaped(title))*", chatEscaped(body)]
      + steps.map { "• \(chatEscaped($0))" }
    return (lines + [link].compactMap { $0 }).joined(separator: "\n")
  }
}

/// - Source: https://docs.slack.dev/messaging/formatting-message-text
private func chatEscaped(_ text: String) -> String {
  var escaped = ""
  for character in text.unicodeScalars {
    switch character {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    // Mattermost notifies everybody of `@channel`; with a space of no width it is only text.
    case "@": escaped += "@\u{200B}"
    default: escaped.unicodeScalars.append(character)
    }
  }
  return escaped
}
