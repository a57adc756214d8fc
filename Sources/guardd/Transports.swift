import BackgroundOperations
import Cryptography
import HTTPSending
import Lifecycle
import NotificationDelivery
import NotificationSending
import ReadModels
import ServiceSettings
import ShiftDomain

/// The transports in use. A change replaces all; what is being sent finishes with the old ones.
final class TransportSwitch: Sendable {
  private let clock: SendingClock
  /// Where the pages are, if the file of channels does not say so.
  private let publicURL: String?
  private let current: Lock<Transports>

  init(_ settings: ChannelSettings, publicURL: String? = nil, clock: SendingClock) {
    self.clock = clock
    self.publicURL = publicURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    current = Lock(Transports(settings, clock: clock))
  }

  func change(to settings: ChannelSettings) {
    let new = Transports(settings, clock: clock)
    current.withLock { $0 = new }
  }

  /// The channels that can be used.
  var setUp: Set<Channel> { current.withLock(\.setUp) }

  var setup: ChannelSetup { current.withLock(\.setup) }

  func sendTestMail(to address: String) async -> TestMailResult {
    await current.withLock(\.self).sendTestMail(to: address, at: clock.now())
  }

  var channels: Channels {
    var channels = Channels(
      retryDelay: {
        Transports.retryCurve(of: $0).delay(attempt: $1, retryAfter: $2, random: $3)
      },
      send: { [self] in await current.withLock(\.self).send($0, to: $1) })
    channels.pages = { [self] in current.withLock(\.pages) ?? publicURL }
    return channels
  }
}

/// The transports to external services, as far as they are set up.
final class Transports: Sendable {
  let setUp: Set<Channel>
  let setup: ChannelSetup
  /// The address of the pages, for links in mails.
  let pages: String?
  private let apns: APNsChannel?
  private let fcm: FCMChannel?
  private let webPush: WebPushChannel?
  private let mail: MailChannel?
  /// For tests, whose sender waits for the reply.
  private let quickMail: MailChannel?
  private let webhooks: WebhookChannel

  init(_ settings: ChannelSettings, clock: SendingClock) {
    setUp = settings.setUp
    setup = settings.setup
    pages = settings.mail?.pages
    let sender = HTTPSender(connectionsMax: 16)
    // `guarded` is for URLs from phones, `trusted` for URLs from administrators.
    let guarded = HTTPSender(connectionsMax: 16, reach: .publicAddresses(besides: []))
    let trusted = HTTPSender(
      connectionsMax: 16, reach: .publicAddresses(besides: settings.webhooks.reach),
      authorities: settings.webhooks.authorities)
    apns = settings.apns.map { APNsChannel($0, sender: sender, clock: clock) }
    fcm = settings.fcm.map { FCMChannel($0, sender: sender, clock: clock) }
    webPush = settings.webPush.map { WebPushChannel($0, sender: guarded, clock: clock) }
    mail = settings.mail.map { MailChannel($0, sender: MailSender(mailsMax: 8), clock: clock) }
    quickMail = settings.mail.map { settings in
      var settings = settings
      settings.deadline = .seconds(10)
      return MailChannel(settings, sender: MailSender(mailsMax: 2), clock: clock)
    }
    webhooks = WebhookChannel(sender: trusted, clock: clock)
  }

  static func retryCurve(of channel: Channel) -> RetryCurve {
    switch channel {
    case .apns: APNsChannel.retryCurve
    case .fcm: FCMChannel.retryCurve
    case .webPush: WebPushChannel.retryCurve
    case .email: MailChannel.retryCurve
    case .webhook, .chat: WebhookChannel.retryCurve
    }
  }

  func send(_ outgoing: OutgoingNotification, to address: Address) async -> SendOutcome {
    let outcome: SendOutcome?
    switch address {
    case .push(let target): outcome = await push(outgoing, to: target)
    case .other(.email, let address, _): outcome = await mail?.send(outgoing, to: address)
    case .other(.webhook, let url, let secrets):
      outcome = await webhooks.send(
        outgoing,
        to: WebhookAddress(
          url: url,
          secrets: secrets.compactMap { WebhookSecret(text: "whsec_" + Base64.encode($0)) }))
    case .other(.chat, let url, _): outcome = await webhooks.send(outgoing, toChat: url)
    case .other(.apns, _, _), .other(.fcm, _, _), .other(.webPush, _, _): outcome = nil
    }
    return outcome ?? .misconfigured(reason: "\(address.channel.code) is not set up")
  }

  /// Sends one mail at once, past the outbox, which has only what is about employees.
  func sendTestMail(to address: String, at now: Instant) async -> TestMailResult {
    guard let quickMail else { return .failed(reason: "e-mail is not set up") }
    return switch await quickMail.send(.managersTest(at: now), to: address) {
    case .accepted: .accepted
    case .retry(let reason, _), .unknown(let reason), .addressGone(let reason, _),
      .refused(let reason), .misconfigured(let reason):
      .failed(reason: reason)
    }
  }

  private func push(_ outgoing: OutgoingNotification, to target: PushTarget) async -> SendOutcome? {
    switch target.channel {
    case .apns:
      return await apns?.send(
        outgoing, to: APNsAddress(deviceToken: target.address, isSandbox: target.isSandbox))
    case .fcm: return await fcm?.send(outgoing, to: FCMAddress(.token, target.address))
    case .webPush:
      let address = WebPushAddress(
        endpoint: target.address, p256dh: Base64URL.encode(target.publicKey ?? []),
        auth: Base64URL.encode(target.secret ?? []))
      return await webPush?.send(outgoing, to: address)
    case .email, .webhook, .chat: return nil
    }
  }
}
