import BackgroundOperations
import Guidance
import JSONText
import Lifecycle
import NotificationSending
import ShiftDomain

@testable import NotificationDelivery

/// A device, or an employee's or a contact's mailbox.
struct Recipient: Hashable, Sendable {
  var employee: Int32
  /// A device's letter, `employee` or `contact`.
  var name: String
}

/// A sent notification, as its recipient reads it.
struct SentNotification: Hashable, Sendable {
  var at: Instant
  var employee: Int32
  var words: NotificationWords
  /// The kinds that the text may be about; empty if it names none.
  var kinds: Set<String>

  /// Whether it matches `expected`: an end without a kind names nothing as left.
  func isWhat(_ expected: NotificationWords) -> Bool {
    var words = words
    words.kind = expected.kind
    guard words == expected else { return false }
    guard let kind = expected.kind else { return words.topic != "restored" || kinds.isEmpty }
    return expected.recipient == "contact" || kinds.contains(kind)
  }

  var text: String {
    let kind = kinds.sorted().joined(separator: "|")
    var words = words
    words.kind = kind.isEmpty ? nil : kind
    return words.text
  }
}

/// Records sent notifications, in place of the network.
final class RecordedPost: Sendable {
  private let now: @Sendable () -> Instant
  private let notifications = Lock<[SentNotification]>([])
  private let recipients = Lock<[String: Recipient]>([:])

  init(now: @escaping @Sendable () -> Instant) { self.now = now }

  var sent: [SentNotification] { notifications.withLock { $0 } }

  /// Notes the recipient of an address.
  func know(_ address: String, as recipient: Recipient) {
    recipients.withLock { $0[address] = recipient }
  }

  /// The channels, which accept and record every notification.
  var channels: Channels {
    Channels(retryDelay: { _, _, word, _ in word ?? .seconds(40) }) {
      [self] notification, address in
      add(notification, to: address)
      return .accepted(reference: nil)
    }
  }

  private func add(_ notification: OutgoingNotification, to address: Address) {
    let place: (String, String) =
      switch address {
      case .push(let target): ("push", target.address)
      case .other(let channel, let address, _): (channel.code, address)
      }
    let recipient =
      recipients.withLock { $0[place.1] } ?? Recipient(employee: 0, name: "?\(place.1)")
    add(
      title: notification.title, language: notification.language,
      topic: topics[notification.event] ?? notification.event,
      kind: nil, to: recipient, by: place.0)
  }

  /// Records an event of the open app.
  func add(_ event: JSONValue, to recipient: Recipient) {
    add(
      title: event["title"]?.text ?? "", language: event["language"]?.text ?? "",
      topic: event["topic"]?.text ?? "", kind: event["kind"]?.text, to: recipient, by: "in_app")
  }

  private func add(
    title: String, language: String, topic: String, kind: String?, to recipient: Recipient,
    by channel: String
  ) {
    // The title shows the language of the text and its subject.
    let known = titles[title] ?? Title()
    let isTrue = known.languages.isEmpty || known.languages.contains(language)
    let spoken = isTrue ? language : "\(known.languages.sorted().joined(separator: "|"))!"
    var words = NotificationWords(
      channel: channel, recipient: recipient.name, topic: topic, language: spoken)
    words.kind = kind
    let notification = SentNotification(
      at: now(), employee: recipient.employee, words: words,
      kinds: kind.map { [$0] } ?? (topic == "incident" ? known.kinds : []))
    notifications.withLock { $0.append(notification) }
  }
}

private let topics = [
  "shift.tracking_impaired": "incident", "shift.tracking_unstable": "unstable",
  "shift.tracking_restored": "restored", "shift.clock_out_reminder": "clock_out_reminder",
  "shift.ended_at_limit": "ended_at_limit", "shift.long_break": "long_break",
  "shift.corrected": "shift_corrected", "shift.opened": "shift_opened",
  "shift.added": "shift_added",
  "shift.times_accepted": "times_accepted",
  "clock_in.blocked": "clock_in_blocked", "clock_in.for_review": "clock_action_for_review",
  "clock_in.arrival_blocked": "arrival_blocked", "clock_in.allowed": "clock_in_allowed",
  "shift.app_took_over": "app_took_over", "shift.page_hidden": "page_hidden",
  "shift.away": "away",
]

/// The languages of a title, and the kinds of incident that it names.
private struct Title {
  var languages: Set<String> = []
  var kinds: Set<String> = []
}

/// The titles of all notifications.
private let titles: [String: Title] = {
  var titles: [String: Title] = [:]
  for language in Language.allCases {
    for platform in [Platform.android, .ios, .web] {
      let device = DeviceDescription(platform: platform)
      for kind in IncidentKind.allCases {
        let text = notificationText(for: kind, report: nil, on: device, in: language)
        titles[text.title, default: Title()].kinds.insert(kind.code)
        titles[text.title]?.languages.insert(language.code)
      }
      for topic in NotificationTopic.allCases where topic != .incident {
        let notification = ShiftNotification(topic, subject: 1, dueAt: Instant(milliseconds: 0))
        for title in [
          notificationText(for: notification, report: nil, on: device, in: language).title,
          managersText(for: notification, isEmployeeNotified: true, in: language).title,
          managersText(for: notification, several: true, isEmployeeNotified: true, in: language)
            .title,
        ] { titles[title, default: Title()].languages.insert(language.code) }
      }
    }
  }
  return titles
}()
