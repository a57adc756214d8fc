import Cryptography
import HTTPSending
import JSONText
import Lifecycle
import ShiftDomain

package struct APNsSettings: Sendable {
  /// The id of the developer account: 10 characters.
  package var teamID: String
  /// The id of the key: 10 characters.
  package var keyID: String
  package var key: EllipticPrivateKey
  /// The app's bundle id.
  package var topic: String
  /// The server for phones with the App Store build; without a trailing slash.
  package var origin: String
  /// The server for phones with a development build.
  package var sandboxOrigin: String
  /// From the request to the end of the response.
  package var deadline = Duration.seconds(10)

  package init(
    teamID: String, keyID: String, key: EllipticPrivateKey, topic: String,
    origin: String = "https://api.push.apple.com",
    sandboxOrigin: String = "https://api.sandbox.push.apple.com"
  ) {
    self.teamID = teamID
    self.keyID = keyID
    self.key = key
    self.topic = topic
    self.origin = origin
    self.sandboxOrigin = sandboxOrigin
  }
}

package struct APNsAddress: Hashable, Sendable {
  /// Hexadecimal, of any length; either case.
  package var deviceToken: String
  package var isSandbox: Bool

  package init(deviceToken: String, isSandbox: Bool = false) {
    self.deviceToken = deviceToken
    self.isSandbox = isSandbox
  }
}

/// Apple's push notifications. A connection accepts the tokens of one team only.
/// - Source: https://developer.apple.com/documentation/usernotifications
package final class APNsChannel: Sendable {
  /// After lost connections. Apple's responses contain their own delay.
  package static let retryCurve = RetryCurve(
    RetryCurve.doubling(.seconds(1), .seconds(60)), chance: 1, delayMax: .seconds(3_600))

  private let settings: APNsSettings
  private let sender: HTTPSender
  private let clock: SendingClock
  private let token: ProviderToken
  private let scout = SingleFlight<Bool, Void, Never>()
  private let answeredAt = Lock<Duration?>(nil)

  private static let bytesMax = 4_096
  private static let responseMax = 1 << 16
  /// After this long without a response the connection may be lost.
  private static let connectionAgeMax = Duration.seconds(60)
  /// Distinguishes our notifications among all name-based UUIDs. Random, and must never change.
  private static let namespace: [UInt8] = [
    0x8D, 0x2C, 0x61, 0xF0, 0x4B, 0x7E, 0x4A, 0x39, 0x9E, 0x55, 0x13, 0xA6, 0xC8, 0x70, 0x2D,
    0xB4,
  ]

  /// - Parameter sender: Keeps connections open, as Apple requires.
  package init(_ settings: APNsSettings, sender: HTTPSender, clock: SendingClock) {
    self.settings = settings
    self.sender = sender
    self.clock = clock
    token = ProviderToken(clock: clock) { now in
      signedToken(
        header: ["alg": "ES256", "kid": .string(settings.keyID)],
        claims: [
          "iss": .string(settings.teamID), "iat": .integer(now.milliseconds / 1_000),
        ]
      ) { settings.key.signature(of: $0) }
    }
  }

  /// Sends the notification once; once more if Apple asks for another token.
  package func send(_ notification: OutgoingNotification, to address: APNsAddress) async
    -> SendOutcome
  {
    let now = clock.now()
    if let refusal = notification.refusal(at: now) { return refusal }
    guard (2...400).contains(address.deviceToken.utf8.count),
      address.deviceToken.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return .addressGone(reason: "no device token", at: nil) }
    guard let body = notification.fitted(to: Self.bytesMax, encode: payload) else {
      return .refused(reason: "the title is too long")
    }
    do throws(SendingError) {
      let first = token.text
      var response = try await send(request(notification, body, to: address, first))
      if response.status == 403, reason(of: response).hasSuffix("ProviderToken") {
        let second = token.token(insteadOf: first)
        if second != first {
          response = try await send(request(notification, body, to: address, second))
        }
      }
      return outcome(response)
    } catch {
      return SendOutcome(error)
    }
  }

  /// On a new connection Apple refuses all but one notification until it knows the token.
  private func send(_ request: OutgoingRequest) async throws(SendingError) -> IncomingResponse {
    var own: Result<IncomingResponse, SendingError>?
    if isNew {
      await scout.value {
        // Another may have just been answered.
        guard isNew else { return }
        do throws(SendingError) {
          own = .success(try await sendNow(request))
        } catch {
          own = .failure(error)
        }
      }
    }
    if let own { return try own.get() }
    return try await sendNow(request)
  }

  private var isNew: Bool {
    let age = answeredAt.withLock { $0 }.map { clock.uptime() - $0 }
    return age.map { $0 > Self.connectionAgeMax } ?? true
  }

  private func sendNow(_ request: OutgoingRequest) async throws(SendingError) -> IncomingResponse {
    let response = try await sender.send(request)
    answeredAt.withLock { $0 = clock.uptime() }
    return response
  }

  private func payload(_ notification: OutgoingNotification) -> [UInt8] {
    JSONValue.object([
      "aps": [
        "alert": ["title": .string(notification.title), "body": .string(notification.body)],
        "sound": "default", "thread-id": .string(notification.collapseKey),
        "interruption-level": notification.isUrgent ? "time-sensitive" : "active",
      ],
      "event": .string(notification.event), "action": .string(notification.actionCode),
      "steps": .array(notification.steps.map { .string($0) }),
      "subject": .object(notification.subject),
    ]).bytes
  }

  private func request(
    _ notification: OutgoingNotification, _ body: [UInt8], to address: APNsAddress, _ token: String
  ) -> OutgoingRequest {
    let origin = address.isSandbox ? settings.sandboxOrigin : settings.origin
    return OutgoingRequest(
      "POST", "\(origin)/3/device/\(address.deviceToken.lowercased())",
      headers: [
        ("authorization", "bearer \(token)"), ("apns-topic", settings.topic),
        ("apns-push-type", "alert"), ("apns-id", nameUUID(notification.key, in: Self.namespace)),
        ("apns-expiration", "\(notification.expiresAt.milliseconds / 1_000)"),
        ("apns-priority", notification.isUrgent ? "10" : "5"),
        ("apns-collapse-id", notification.collapseKey),
      ], body: body, deadline: settings.deadline, responseMax: Self.responseMax, cutsResponse: true)
  }

  /// Apple's reason; empty if there is none.
  private func reason(of response: IncomingResponse) -> String {
    guard let value = try? JSONValue(parsing: response.body), let fields = try? JSONFields(value)
    else { return "" }
    return (try? fields.text("reason", max: 64)) ?? ""
  }

  private func outcome(_ response: IncomingResponse) -> SendOutcome {
    let word = reason(of: response)
    let reason = "status \(response.status)" + (word.isEmpty ? "" : " \(showable(word))")
    let asked = response.retryAfter(now: clock.now())
    switch (response.status, word) {
    case (200, _): return .accepted(reference: reference(response.header("apns-id")))
    case (410, _): return .addressGone(reason: reason, at: timestamp(of: response))
    case (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"):
      return .addressGone(reason: reason, at: nil)
    case (400, "IdleTimeout"): return .retry(reason: reason, after: nil)
    // A fault of our settings, the same for every notification.
    case (400, "BadTopic"), (400, "MissingTopic"), (400, "TopicDisallowed"), (403, _):
      return .misconfigured(reason: reason)
    case (429, "TooManyProviderTokenUpdates"):
      return .retry(reason: reason, after: asked ?? .seconds(20 * 60))
    case (429, _): return .retry(reason: reason, after: asked ?? .seconds(60))
    // Apple asks for a quarter of an hour after its own errors.
    case (500..., _): return .retry(reason: reason, after: asked ?? .seconds(15 * 60))
    default: return .refused(reason: reason)
    }
  }

  private func timestamp(of response: IncomingResponse) -> Instant? {
    guard let value = try? JSONValue(parsing: response.body), let fields = try? JSONFields(value),
      let milliseconds = try? fields.integer("timestamp", in: 0...Int64.max)
    else { return nil }
    return Instant(milliseconds: milliseconds)
  }
}
