import Cryptography
import HTTPSending
import JSONText
import Lifecycle
import ShiftDomain

package struct WebPushSettings: Sendable {
  /// Subscriptions are bound to this key: another key invalidates all of them.
  package var key: EllipticPrivateKey
  /// Our contact for a service's operator: `mailto:` or `https:`.
  package var contact: String
  /// From the request to the end of the response.
  package var deadline = Duration.seconds(15)

  package init(key: EllipticPrivateKey, contact: String) {
    self.key = key
    self.contact = contact
  }
}

package struct WebPushAddress: Hashable, Sendable {
  package var endpoint: String
  /// The browser's public key, in base64url.
  package var p256dh: String
  /// Its secret of 16 bytes, in base64url.
  package var auth: String

  package init(endpoint: String, p256dh: String, auth: String) {
    self.endpoint = endpoint
    self.p256dh = p256dh
    self.auth = auth
  }
}

/// Push messages to browsers.
/// - Source: RFC 8030, 8291 and 8292.
package final class WebPushChannel: Sendable {
  package static let retryCurve = RetryCurve(
    RetryCurve.doubling(.seconds(30), .seconds(3_600)), chance: 0.5, delayMax: .seconds(3_600))

  private let settings: WebPushSettings
  private let sender: HTTPSender
  private let clock: SendingClock
  private let tokens = Lock<[String: ProviderToken]>([:])

  private static let responseMax = 1 << 16
  /// There are four or five services; unknown ones must not fill our memory.
  private static let tokensMax = 64
  /// Services accept tokens for up to a day, if the clocks agree.
  private static let tokenLife = TimeSpan.hours(12)
  /// The maximum time that services store a message: four weeks.
  private static let secondsMax: Int64 = 2_419_200

  /// - Parameter sender: One with a ``Reach`` suitable for URLs from others.
  package init(_ settings: WebPushSettings, sender: HTTPSender, clock: SendingClock) {
    self.settings = settings
    self.sender = sender
    self.clock = clock
  }

  package func send(_ notification: OutgoingNotification, to address: WebPushAddress) async
    -> SendOutcome
  {
    let now = clock.now()
    if let refusal = notification.refusal(at: now) { return refusal }
    guard let point = Base64URL.decode(address.p256dh), let secret = Base64URL.decode(address.auth),
      let browser = EllipticPublicKey(point: point), secret.count == 16,
      let origin = origin(of: address.endpoint)
    else { return .addressGone(reason: "no subscription", at: nil) }
    guard let text = notification.fitted(to: webPushBytesMax, encode: payload) else {
      return .refused(reason: "the title is too long")
    }
    let key = Base64URL.encode(settings.key.publicKey.point)
    let request = OutgoingRequest(
      "POST", address.endpoint,
      headers: [
        ("Authorization", "vapid t=\(token(for: origin).text), k=\(key)"),
        ("Content-Encoding", "aes128gcm"), ("Content-Type", "application/octet-stream"),
        ("TTL", "\(min(notification.secondsLeft(at: now), Self.secondsMax))"),
        ("Urgency", notification.isUrgent ? "high" : "normal"), ("Topic", notification.collapseKey),
      ], body: webPushBody(text, to: browser, secret: secret), deadline: settings.deadline,
      responseMax: Self.responseMax, cutsResponse: true)
    do throws(SendingError) {
      return outcome(try await sender.send(request))
    } catch {
      return SendOutcome(error)
    }
  }

  private func payload(_ notification: OutgoingNotification) -> [UInt8] {
    // Managers get no more than the subject of an e-mail, and find the rest on the page.
    if let page = notification.page {
      return JSONValue.object([
        "title": .string(notification.title), "language": .string(notification.language),
        "tag": .string(notification.collapseKey), "page": .string(page),
      ]).bytes
    }
    return JSONValue.object([
      "title": .string(notification.title), "body": .string(notification.body),
      "steps": .array(notification.steps.map { .string($0) }),
      "action": .string(notification.actionCode),
      "language": .string(notification.language), "tag": .string(notification.collapseKey),
      "event": .string(notification.event), "subject": .object(notification.subject),
    ]).bytes
  }

  private func token(for origin: String) -> ProviderToken {
    tokens.withLock { tokens in
      if let token = tokens[origin] { return token }
      if tokens.count >= Self.tokensMax { tokens = [:] }
      let settings = settings
      let token = ProviderToken(clock: clock) { now in
        signedToken(
          header: ["typ": "JWT", "alg": "ES256"],
          claims: [
            "aud": .string(origin),
            "exp": .integer((now + Self.tokenLife).milliseconds / 1_000),
            "sub": .string(settings.contact),
          ]
        ) { settings.key.signature(of: $0) }
      }
      tokens[origin] = token
      return token
    }
  }

  private func outcome(_ response: IncomingResponse) -> SendOutcome {
    let reason = "status \(response.status)"
    switch response.status {
    case 200..<300: return .accepted(reference: nil)
    case 404, 410: return .addressGone(reason: reason, at: nil)
    case 408, 429, 500...:
      return .retry(reason: reason, after: response.retryAfter(now: clock.now()))
    // Never the fault of our settings: otherwise a malicious endpoint could stop all notifications.
    default: return .refused(reason: reason)
    }
  }
}

/// Scheme, host and port of a URL in lower case, or `nil` if it has none.
private func origin(of url: String) -> String? {
  let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
  guard parts.count == 4, parts[1].isEmpty, !parts[2].isEmpty, !parts[2].contains("@"),
    ["https:", "http:"].contains(parts[0].lowercased()),
    url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), url.utf8.count <= 2_000
  else { return nil }
  let host = parts[2].hasSuffix(":443") ? parts[2].dropLast(4) : parts[2]
  return "\(parts[0])//\(host)".lowercased()
}
