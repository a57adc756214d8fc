import Cryptography
import HTTPSending
import JSONText
import ShiftDomain

package struct FCMSettings: Sendable {
  package var projectID: String
  /// The service account: `client_email` of its key file.
  package var account: String
  /// `private_key_id` of the key file.
  package var keyID: String
  /// `private_key` of the key file.
  package var key: RSAPrivateKey
  /// The notification channel of the Android app in which notifications are shown.
  package var androidChannel = "shift_alerts"
  /// The server for messages; without a trailing slash.
  package var origin = "https://fcm.googleapis.com"
  package var tokenURL = "https://oauth2.googleapis.com/token"
  /// From a request to the end of the response.
  package var deadline = Duration.seconds(10)

  package init(projectID: String, account: String, keyID: String, key: RSAPrivateKey) {
    self.projectID = projectID
    self.account = account
    self.keyID = keyID
    self.key = key
  }

  /// Reads the key file of a service account (JSON), or `nil` if it is not one.
  package init?(keyFile: [UInt8]) {
    guard let value = try? JSONValue(parsing: keyFile), let fields = try? JSONFields(value),
      let project = try? fields.text("project_id", min: 1, max: 100),
      let account = try? fields.text("client_email", min: 1, max: 200),
      let keyID = try? fields.text("private_key_id", min: 1, max: 100),
      let pem = try? fields.text("private_key", max: 10_000), let key = RSAPrivateKey(pem: pem),
      isName(project, lengthMax: 100)
    else { return nil }
    self.init(projectID: project, account: account, keyID: keyID, key: key)
  }
}

package struct FCMAddress: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case token
    /// A Firebase installation id, used instead of the token.
    case installation = "fid"
  }

  package var kind: Kind
  package var name: String

  package init(_ kind: Kind = .token, _ name: String) {
    self.kind = kind
    self.name = name
  }
}

/// Firebase Cloud Messaging, HTTP v1.
/// - Source: https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
package final class FCMChannel: Sendable {
  package static let retryCurve = RetryCurve(
    RetryCurve.doubling(.seconds(10), .seconds(3_600)), chance: 0.5, delayMax: .seconds(3_600))

  private let settings: FCMSettings
  private let sender: HTTPSender
  private let clock: SendingClock
  private let token: AccessToken

  private static let bytesMax = 4_096
  private static let responseMax = 1 << 16
  /// The maximum time that Firebase stores a message: four weeks.
  private static let secondsMax: Int64 = 2_419_200

  package init(_ settings: FCMSettings, sender: HTTPSender, clock: SendingClock) {
    self.settings = settings
    self.sender = sender
    self.clock = clock
    token = AccessToken(clock: clock) {
      await accessToken(for: settings, from: sender, at: clock.now())
    }
  }

  /// Sends the notification once; once more if Firebase asks for another access token.
  package func send(_ notification: OutgoingNotification, to address: FCMAddress) async
    -> SendOutcome
  {
    let now = clock.now()
    if let refusal = notification.refusal(at: now) { return refusal }
    guard (1...4_096).contains(address.name.utf8.count) else {
      return .addressGone(reason: "no registration", at: nil)
    }
    let seconds = min(notification.secondsLeft(at: now), Self.secondsMax)
    let body = notification.fitted(to: Self.bytesMax + address.name.utf8.count) { notification in
      payload(notification, to: address, seconds: seconds)
    }
    guard let body else { return .refused(reason: "the title is too long") }
    var response: IncomingResponse?
    var shown: String?
    do throws(SendingError) {
      repeat {
        let before = shown
        switch await token.answer(insteadOf: before) {
        case .none(let outcome): return outcome
        case .token(let text): shown = text
        }
        // A new token is not replaced again, so that this loop ends.
        guard let shown, shown != before else { break }
        response = try await sender.send(request(body, token: shown))
      } while response?.status == 401
    } catch {
      return SendOutcome(error)
    }
    return response.map { outcome($0) } ?? .unknown(reason: "no response")
  }

  private func payload(
    _ notification: OutgoingNotification, to address: FCMAddress, seconds: Int64
  ) -> [UInt8] {
    JSONValue.object([
      "message": [
        address.kind.rawValue: .string(address.name),
        "notification": ["title": .string(notification.title), "body": .string(notification.body)],
        // Firebase accepts only strings.
        "data": [
          "event": .string(notification.event), "action": .string(notification.actionCode),
          "steps": .string(notification.steps.joined(separator: "\n")),
          "subject": .string(
            String(decoding: JSONValue.object(notification.subject).bytes, as: UTF8.self)),
        ],
        "android": [
          "collapse_key": .string(notification.collapseKey),
          "priority": notification.isUrgent ? "HIGH" : "NORMAL", "ttl": .string("\(seconds)s"),
          "notification": [
            "tag": .string(notification.collapseKey),
            "channel_id": .string(settings.androidChannel),
          ],
        ],
      ]
    ]).bytes
  }

  private func request(_ body: [UInt8], token: String) -> OutgoingRequest {
    OutgoingRequest(
      "POST", "\(settings.origin)/v1/projects/\(settings.projectID)/messages:send",
      headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
      body: body, deadline: settings.deadline, responseMax: Self.responseMax, cutsResponse: true)
  }

  private func outcome(_ response: IncomingResponse) -> SendOutcome {
    let answer = (try? JSONValue(parsing: response.body)).flatMap { try? JSONFields($0) }
    let word = answer.map { errorCode($0) } ?? ""
    let reason = "status \(response.status)" + (word.isEmpty ? "" : " \(showable(word))")
    let asked = response.retryAfter(now: clock.now())
    switch (response.status, word) {
    case (200, _):
      let name = (try? answer?.text("name", max: 500)) ?? ""
      return .accepted(reference: reference(name.split(separator: "/").last.map { String($0) }))
    case (404, "UNREGISTERED"), (403, "SENDER_ID_MISMATCH"):
      return .addressGone(reason: reason, at: nil)
    case (400, "INVALID_ARGUMENT") where answer.map { blamesAddress($0) } ?? false:
      return .addressGone(reason: reason, at: nil)
    case (401, _), (403, _), (404, _): return .misconfigured(reason: reason)
    // The pause that Firebase asks for by default: a minute.
    case (429, _): return .retry(reason: reason, after: asked ?? .seconds(60))
    case (500..., _): return .retry(reason: reason, after: asked)
    default: return .refused(reason: reason)
    }
  }

  /// Whether only the address is at fault: either every named field is the address, or none is
  /// named and the text is the one for an invalid registration. `validate_only` would need another
  /// recipient's address, counts against the quota, and says no more.
  /// - Source: https://firebase.google.com/docs/cloud-messaging/error-codes
  private func blamesAddress(_ answer: JSONFields) -> Bool {
    guard let error = try? answer.object("error") else { return false }
    var fields: [String] = []
    var namesFields = false
    for detail in (try? error.elements("details")) ?? [] {
      guard let detail = try? JSONFields(detail),
        (try? detail.text("@type", max: 100))?.hasSuffix("/google.rpc.BadRequest") == true
      else { continue }
      namesFields = true
      for violation in (try? detail.elements("fieldViolations")) ?? [] {
        let field = try? (try? JSONFields(violation))?.text("field", max: 200)
        fields.append(field ?? "")
      }
    }
    guard namesFields else {
      let words = (try? error.text("message", max: 500)) ?? ""
      return words == "The registration token is not a valid FCM registration token"
    }
    return !fields.isEmpty && fields.allSatisfy { ["message.token", "message.fid"].contains($0) }
  }

  /// Firebase's error code, or Google's for its kind; empty if there is none.
  private func errorCode(_ answer: JSONFields) -> String {
    guard let error = try? answer.object("error") else { return "" }
    for detail in (try? error.elements("details")) ?? [] {
      if let fields = try? JSONFields(detail), let code = try? fields.text("errorCode", max: 64) {
        return code
      }
    }
    return (try? error.text("status", max: 64)) ?? ""
  }
}

/// Asks Google for an access token.
/// - Source: RFC 7523; https://developers.google.com/identity/protocols/oauth2/service-account
private func accessToken(
  for settings: FCMSettings, from sender: HTTPSender, at now: Instant
) async -> (answer: AccessToken.Answer, life: Duration) {
  let seconds = now.milliseconds / 1_000
  let assertion = signedToken(
    header: ["alg": "RS256", "typ": "JWT", "kid": .string(settings.keyID)],
    claims: [
      "iss": .string(settings.account),
      "scope": "https://www.googleapis.com/auth/firebase.messaging",
      "aud": .string(settings.tokenURL), "iat": .integer(seconds),
      "exp": .integer(seconds + 3_600),
    ]
  ) { settings.key.signature(of: $0) }
  let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
  let request = OutgoingRequest(
    "POST", settings.tokenURL, headers: [("Content-Type", "application/x-www-form-urlencoded")],
    body: Array((form + assertion).utf8), deadline: settings.deadline, responseMax: 1 << 16,
    cutsResponse: true)
  do throws(SendingError) {
    let response = try await sender.send(request)
    let answer = (try? JSONValue(parsing: response.body)).flatMap { try? JSONFields($0) }
    if response.status == 200, let token = try? answer?.text("access_token", min: 1, max: 8_000),
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    {
      let life = (try? answer?.integer("expires_in", in: 0...86_400)) ?? 3_600
      return (.token(token), .seconds(life))
    }
    let word = (try? answer?.text("error", max: 64)) ?? ""
    let reason =
      "access token: status \(response.status)" + (word.isEmpty ? "" : " \(showable(word))")
    let isOurs = (400..<500).contains(response.status) && ![408, 429].contains(response.status)
    return (
      .none(
        isOurs
          ? .misconfigured(reason: reason)
          : .retry(reason: reason, after: response.retryAfter(now: now))), .zero
    )
  } catch {
    // Nothing was sent to Firebase itself.
    return (.none(.retry(reason: "access token: \(error)", after: nil)), .zero)
  }
}
