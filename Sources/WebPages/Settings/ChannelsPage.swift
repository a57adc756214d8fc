import Guidance
import HTTPAPI
import NotificationOperations
import PeopleOperations
import ReadModels
import ShiftDomain

/// How the channels have done in the last seven days.
struct ChannelsView: FormView {
  var health: DeliveryHealth
  /// `nil`: this process does not know.
  var setup: ChannelSetup?
  /// Whether a test e-mail can be sent.
  var canTest = false
  var done: HTML?
  var fault: HTML?
  var clock: TeamClock
  var now: Instant
  /// How many due notifications have no way on which they can be sent.
  var withoutWay: Int

  var page: Page {
    Page(
      setting: "Channels", line: "<p>How notifications were delivered in the last seven days</p>",
      done: done, fault: fault,
      """
      <section class="card" aria-labelledby="outbox"><h2 id="outbox">Outbox</h2>
      <dl class="statistics">
      <div><dt>Pending<dd>\(health.load.waiting)</div>
      <div><dt>Oldest pending<dd>\(health.waitingSince.map { age($0) } ?? "–")</div>
      <div\(" class=\"bad\"", if: health.load.lag >= .minutes(1))><dt>Overdue for\
      <dd>\(health.load.lag > .zero ? "\(health.load.lag.words)" : "–")</div>
      <div\(" class=\"bad\"", if: withoutWay > 0)><dt>No way to deliver<dd>\(withoutWay)</div>
      <div\(" class=\"bad\"", if: health.load.dead > 0)><dt>Failed<dd>\(health.load.dead)\
      </div></dl>
      <p class="aside">Many notifications are pending on purpose: they wait for the next step of \
      the escalation. <a href="/notifications?dead=true">All that were not delivered</a></p>
      </section>
      <section class="card" aria-labelledby="channels"><h2 id="channels">Channels</h2>
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="channels">
      <table><thead><tr><th scope="col">Channel<th scope="col">Set up\
      <th scope="col">Last success<th scope="col">Last failure\
      <th scope="col">To be retried<th scope="col">Failed</thead>\
      \(health.channels.map { line($0) })</table></div>
      \(untried)
      <p class="aside">Last success and failure are those of the newest 1,000 attempts. A \
      notification counts for the channel that was tried last.</p></section>
      <section class="card" aria-labelledby="set-up"><h2 id="set-up">Set-up</h2>
      \(place)\(test)</section>
      """)
  }

  /// Only the operator can change it: it names servers and keys.
  private var place: HTML {
    guard let file = setup?.file else {
      return """
        <p class="aside">No file of channels is set, so e-mails and push messages to apps are not \
        sent. The operator writes one and names it by the setting <code>channels</code> of \
        <code>guardd</code>: in its settings file, as <code>--channels FILE</code>, or as \
        <code>SHIFTGUARD_CHANNELS</code>. Webhooks need no settings. Push messages to browsers \
        need only the setting <code>public-url</code>. For e-mail the file is, for example:</p>
        <pre><code>{"email": {"host": "mail.example.com", "port": 587, "protection": "start_tls",
           "user": "shifts", "passwordFile": "/etc/shiftguard/mail",
           "from": "shifts@example.com"}}</code></pre>
        """
    }
    return """
      <p class="aside">The operator sets the channels in <code>\(file)</code>\
      \(setup?.namedBy.map { ", which is named by: \($0)" as HTML }). After a change, reload \
      <code>guardd</code>.</p>
      """
  }

  private var test: HTML? {
    guard canTest else { return nil }
    return """
      <form class="stack" method="post" action="/settings/channels/test"><div class="row">\
      <button class="quiet">Send a test e-mail to my account</button></div></form>
      <p class="aside">Push messages are tested on the page of an employee’s phone, and contacts \
      on the page of their team.</p>
      """
  }

  private var untried: HTML? {
    let causes = health.deadLettersWithoutAttempt
    guard !causes.isEmpty else { return nil }
    return "<h3>Failed without any attempt</h3>\(list(causes))"
  }

  private func age(_ instant: Instant) -> HTML { "\((now - instant).words)" }

  private func line(_ channel: ChannelHealth) -> HTML {
    let failure = channel.lastFailure.map { failure -> HTML in
      """
      \(clock.short(failure.at))<p class="aside">\(failure.outcome.name)\
      \(failure.reason.map { ": \($0)" as HTML })</p>
      """
    }
    let waiting: HTML =
      channel.waiting == 0
      ? "0" : "\(channel.waiting), oldest \(channel.waitingSince.map { age($0) })"
    return """
      <tr><th scope="row">\(channel.name)<td>\(channel.isSetUp.map { $0 ? "Yes" : "No" })\
      \(details(of: channel))\
      <td>\(channel.lastSuccessAt.map { "\(clock.short($0))" } ?? "None")\
      <td>\(failure ?? "None")<td>\(waiting)<td>\(list(channel.deadLetters))

      """
  }

  private func details(of channel: ChannelHealth) -> HTML? {
    channel.channel.flatMap { setup?.details[$0] }.map { "<p class=\"aside\">\($0)</p>" }
  }

  private func list(_ causes: [DeadLetterCause]) -> HTML {
    guard !causes.isEmpty else { return "0" }
    let rows = causes.prefix(Self.causesMax).map { "<li>\($0.count) × \($0.reason)" as HTML }
    let rest = causes.dropFirst(Self.causesMax).reduce(0) { $0 + $1.count }
    return "<ul>\(Array(rows))\(rest > 0 ? "<li>\(rest) for other reasons" : nil)</ul>"
  }

  private static let causesMax = 5
}

extension ChannelHealth {
  fileprivate var name: HTML { channel.map { "\($0.name)" } ?? "Open app" }
}

extension DeliveryOutcome {
  fileprivate var name: HTML {
    switch self {
    case .accepted: "Accepted"
    case .retry: "Will be retried"
    case .unknown: "Unknown whether it arrived"
    case .addressGone: "The address no longer exists"
    case .refused: "Refused"
    case .misconfigured: "Our settings are at fault"
    case .inDigest: "Sent together with others"
    }
  }
}

extension PageController {
  var channelRoutes: [AccessRoute] {
    [
      page("/settings/channels", .administrator) { _, _ in .page(try await channelsView().page) },
      form("/settings/channels/test", .administrator) { _, _, principal in
        var view = try await channelsView()
        guard let send = settings.sendTestMail, principal.account != nil else {
          return view.refused("A test needs an account with an e-mail address, and e-mail set up.")
        }
        let (address, result) = try await operations.notifications.sendTest(
          toAccountOf: principal, by: send)
        switch result {
        case .accepted: view.done = "Test accepted for \(address). See whether it arrives."
        case .failed(let reason):
          return view.refused("Test to \(address) not delivered: \(reason).")
        }
        return .page(view.page)
      },
    ]
  }

  private func channelsView() async throws -> ChannelsView {
    let zone = try await operations.people.teams().first?.timeZone ?? "UTC"
    let now = settings.now()
    var view = ChannelsView(
      health: try await operations.notifications.deliveryHealth(setUp: settings.setUpChannels()),
      clock: try TeamClock(zone: zone, now: now), now: now, withoutWay: try await dueWithoutWay(now)
    )
    view.setup = settings.channelSetup()
    view.canTest =
      settings.sendTestMail != nil && settings.setUpChannels()?.contains(.email) == true
    return view
  }

  /// Among the 1,000 that wait longest.
  private func dueWithoutWay(_ now: Instant) async throws -> Int {
    let due = try await operations.notifications.notifications(of: nil, limit: 1_000)
      .filter { $0.ending == nil && $0.notification.dueAt <= now }
    let ways = try await operations.notifications.notificationWays(of: Set(due.map(\.employee)))
    return due.count { row in
      ways[row.employee].map { usable($0).serve(row.notification.topic) } == false
    }
  }
}
