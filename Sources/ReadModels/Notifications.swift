import ShiftDomain

/// The key of a notification in the outbox.
package struct NotificationID: Hashable, Sendable {
  /// The employee it is about.
  package var employee: EmployeeID
  package var topic: NotificationTopic
  /// The number of its subject.
  package var subject: Int32
  /// Its ordinal among the notifications of that subject.
  package var ordinal: Int16

  package init(employee: EmployeeID, topic: NotificationTopic, subject: Int32, ordinal: Int16) {
    self.employee = employee
    self.topic = topic
    self.subject = subject
    self.ordinal = ordinal
  }

  /// The key of `notification`.
  package init(_ notification: ShiftNotification, of employee: EmployeeID) {
    self.init(
      employee: employee, topic: notification.topic, subject: notification.subject,
      ordinal: notification.ordinal)
  }

  /// For a test of one contact: the contact's number.
  package var testedContact: Int16? { undated.testedContact }

  /// For a test of one device: the device's number.
  package var testedDevice: Int16? { undated.testedDevice }

  private var undated: ShiftNotification {
    ShiftNotification(
      topic, subject: subject, ordinal: ordinal, dueAt: Instant(milliseconds: 0))
  }

  /// The minute in which the planned shift starts that it is about; `nil` for all others.
  package var plannedStart: Instant? { undated.plannedStart }

  /// The number of the contact to which alone it goes; `nil` if it goes to others.
  package var onlyContact: Int16? { undated.onlyContact }

  package var isDigestCopy: Bool { undated.isDigestCopy }

  /// Its external name: `e7-t0-s3-o1`.
  package var key: String { "e\(employee.rawValue)-t\(topic.rawValue)-s\(subject)-o\(ordinal)" }

  /// Reads `key`; `nil` if it is invalid.
  package init?(key: String) {
    // A negative ordinal has a sign.
    let parts = key.split(separator: "-", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, zip(parts, "etso").allSatisfy({ $0.first == $1 }),
      let employee = Int32(parts[0].dropFirst()), let raw = UInt8(parts[1].dropFirst()),
      let topic = NotificationTopic(rawValue: raw), let subject = Int32(parts[2].dropFirst()),
      let ordinal = Int16(parts[3].dropFirst())
    else { return nil }
    self.init(
      employee: EmployeeID(employee), topic: topic, subject: subject, ordinal: ordinal)
  }
}

/// The employees with due notifications.
package struct DueNotifications: Hashable, Sendable {
  /// Each once, the longest waiting first.
  package var employees: [EmployeeID]
  /// When the last of them was due: where the next query may begin.
  package var last: Instant?
  /// From now to the next notification that is not due yet; `nil` if none is near.
  package var next: TimeSpan?

  package init(employees: [EmployeeID] = [], last: Instant? = nil, next: TimeSpan? = nil) {
    (self.employees, self.last, self.next) = (employees, last, next)
  }
}

/// The number of pending notifications, and how long the oldest due one has been due; also dead
/// letters.
package struct OutboxLoad: Hashable, Sendable {
  /// Unfinished notifications, whether due or not.
  package var waiting: Int64
  /// How long the oldest due one has been due; zero if none is. A leased notification is not due.
  package var lag: TimeSpan
  /// Dead letters of the last seven days.
  package var dead: Int64

  package init(waiting: Int64, lag: TimeSpan, dead: Int64) {
    (self.waiting, self.lag, self.dead) = (waiting, lag, dead)
  }
}

/// A notification in the outbox or in history.
package struct NotificationRow: Hashable, Sendable {
  /// The employee it is about: it goes to them or, by its topic, to the managers of their team.
  package var employee: EmployeeID
  /// The notification as it was queued; due when it was first due.
  package var notification: ShiftNotification
  package var queuedAt: Instant
  /// The number of delivery attempts.
  package var attempts: Int16
  /// When it is processed next; `nil` once it has left the outbox.
  package var nextAt: Instant?
  /// When it left the outbox; `nil` while it is pending.
  package var finishedAt: Instant?
  /// Why it left; `nil` while it is pending.
  package var ending: NotificationEnding?
  /// Why a dead letter could not be delivered.
  package var reason: String?

  package init(
    employee: EmployeeID, notification: ShiftNotification, queuedAt: Instant, attempts: Int16,
    nextAt: Instant? = nil, finishedAt: Instant? = nil, ending: NotificationEnding? = nil,
    reason: String? = nil
  ) {
    self.employee = employee
    self.notification = notification
    self.queuedAt = queuedAt
    self.attempts = attempts
    self.nextAt = nextAt
    self.finishedAt = finishedAt
    self.ending = ending
    self.reason = reason
  }
}

/// A delivery attempt at one escalation step.
package struct DeliveryAttempt: Hashable, Sendable {
  package var id: NotificationID
  /// Its number within the notification, from 1; 0: the notification was part of another one.
  package var number: Int16
  package var step: EscalationStep
  /// The recipient at that step: a device or a contact; 0 is the employee. Negative: the number of
  /// a browser of a contact's account.
  package var recipient: Int16
  /// The transport; `nil`: the open app, or unknown.
  package var channel: Channel?
  /// What impaired tracking, as written in the notification.
  package var kind: IncidentKind?
  /// Of the end of an alarm: what held then.
  package var held: IncidentKindSet?
  /// Milder kinds that it covers, because the same debounce brought them.
  package var covered: IncidentKindSet = []
  /// If it was part of another one: the contacts that got that; `nil`: all.
  package var contacts: [Int16]?
  /// When it began. Database time.
  package var begunAt: Instant
  /// The outcome; `nil`: unknown.
  package var outcome: DeliveryOutcome?
  /// The earliest time of the next attempt; `nil`: at once.
  package var retryAt: Instant?
  /// Why it failed, safe to show; at most 500 characters.
  package var reason: String?
  /// The provider's id for it; at most 200 characters.
  package var reference: String?

  /// Whether it is one to notify this contact of the team, or this browser.
  package func reaches(_ contact: Int16) -> Bool {
    number == 0 ? contacts?.contains(contact) ?? true : recipient == contact
  }

  /// An attempt that begins.
  package init(
    of id: NotificationID, number: Int16, step: EscalationStep, recipient: Int16,
    channel: Channel? = nil, kind: IncidentKind?, begunAt: Instant
  ) {
    self.id = id
    self.number = number
    self.step = step
    self.recipient = recipient
    self.channel = channel
    self.kind = kind
    self.begunAt = begunAt
  }
}

/// A device's push target.
package struct PushTarget: Hashable, Sendable {
  /// APNs, FCM or Web Push.
  package var channel: Channel
  /// APNs: whether it is a development build.
  package var isSandbox: Bool
  /// The provider's token, or a browser's endpoint; 1…2,048 characters.
  package var address: String
  /// Web Push: the browser's key, 65 bytes; `nil` for others.
  package var publicKey: [UInt8]?
  /// Web Push: its authentication secret, 16 bytes; `nil` for others.
  package var secret: [UInt8]?
  /// When it was registered. Server time.
  package var registeredAt: Instant

  package init(
    _ channel: Channel, address: String, isSandbox: Bool = false, publicKey: [UInt8]? = nil,
    secret: [UInt8]? = nil, registeredAt: Instant
  ) {
    self.channel = channel
    self.isSandbox = isSandbox
    self.address = address
    self.publicKey = publicKey
    self.secret = secret
    self.registeredAt = registeredAt
  }
}

/// A contact of a team: a manager or a program.
package struct TeamContact: Hashable, Sendable {
  /// Its number within the team, from 1; never another contact's.
  package var number: Int16
  package var channel: Channel
  /// An e-mail address or a URL.
  package var address: String
  /// The code of its language.
  package var language: String
  /// They sign what is sent: the current one, and the previous one until the receiver knows the new
  /// one; each 24…64 bytes. Empty if the channel has none.
  package var secrets: [[UInt8]]
  package var choices: ContactChoices

  package init(
    number: Int16, channel: Channel, address: String, language: String, secrets: [[UInt8]],
    choices: ContactChoices = ContactChoices()
  ) {
    (self.number, self.channel, self.address) = (number, channel, address)
    (self.language, self.secrets, self.choices) = (language, secrets, choices)
  }

  package func gets(_ topic: ContactTopic) -> Bool {
    choices.topics.contains(ContactTopics(topic))
  }

  /// Whether it is the mailbox of the account that logs in with `email`.
  package func isMailbox(of email: String) -> Bool {
    channel == .email && address.lowercased() == email
  }

  /// For the audit log, which keeps no address.
  package var named: String { Self.named(number, by: channel) }

  package static func named(_ number: Int16, by channel: Channel) -> String {
    "contact \(number), by \(channel.code)"
  }
}

/// What a contact is notified of, and when not.
package struct ContactChoices: Hashable, Sendable {
  package var topics: ContactTopics
  /// `nil`: it is notified at any time.
  package var quiet: QuietHours?
  /// Of a contact by e-mail that is an account; all for any other.
  package var ways: ContactWays

  package init(
    topics: ContactTopics = .standard, quiet: QuietHours? = nil, ways: ContactWays = .all
  ) {
    (self.topics, self.quiet, self.ways) = (topics, quiet, ways)
  }
}

/// A browser in which an account has switched alerts on.
package struct AccountBrowser: Hashable, Sendable {
  package var number: Int16
  /// In which it was last switched on.
  package var session: SessionID
  package var addedAt: Instant
  /// The endpoint of its push service.
  package var address: String
  /// Up to 300 characters.
  package var userAgent: String

  package init(
    number: Int16, session: SessionID, addedAt: Instant, address: String, userAgent: String
  ) {
    (self.number, self.session, self.addedAt) = (number, session, addedAt)
    (self.address, self.userAgent) = (address, userAgent)
  }
}

/// A test notification to one contact of a team, and its result so far.
package struct ContactTest: Hashable, Sendable {
  package enum State: UInt8, Coded {
    /// It waits, or is tried again.
    case queued = 0
    /// The mail server or the webhook accepted it.
    case delivered = 1
    case notDelivered = 2

    package var code: String {
      switch self {
      case .queued: "queued"
      case .delivered: "delivered"
      case .notDelivered: "not_delivered"
      }
    }
  }

  package var id: NotificationID
  package var contact: TeamContact
  package var state: State
  /// Why it was not delivered, or not yet; safe to show.
  package var reason: String?

  package init(
    id: NotificationID, contact: TeamContact, state: State, reason: String? = nil
  ) {
    (self.id, self.contact, self.state, self.reason) = (id, contact, state, reason)
  }
}
