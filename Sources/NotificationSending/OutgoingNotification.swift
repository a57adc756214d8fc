public import JSONText
public import ShiftDomain

/// A notification, ready to be sent: the same for every channel. Contains no position.
public struct OutgoingNotification: Hashable, Sendable {
  /// Identifies the notification; the same for every attempt, so that duplicates can be recognised.
  /// 1 to 64 ASCII letters, digits, hyphens and underscores, such as `e7-t0-s3-o1`.
  public var key: String
  /// A newer notification with the same key replaces an older one that is pending or shown. 1 to 32
  /// characters of base64url.
  public var collapseKey: String
  /// From `Guidance.NotificationText`; like the body, it may appear on a locked screen.
  public var title: String
  /// From `Guidance.NotificationText`.
  public var body: String
  /// What to do, in order; may be empty.
  public var steps: [String]
  /// The action when the notification is tapped, a code of `Guidance.ActionCode`.
  public var actionCode: String
  /// The texts' language, such as `en`.
  public var language: String
  /// Whether it may interrupt.
  public var isUrgent: Bool
  /// When its cause happened.
  public var occurredAt: Instant
  /// Not sent after this time.
  public var expiresAt: Instant
  /// The event for programs, such as `shift.tracking_impaired`.
  public var event: String
  /// The subject for programs: only ids.
  public var subject: JSONObject

  /// A notification of these parts.
  public init(
    key: String, collapseKey: String, title: String, body: String, steps: [String],
    actionCode: String, language: String, isUrgent: Bool, occurredAt: Instant, expiresAt: Instant,
    event: String, subject: JSONObject
  ) {
    self.key = key
    self.collapseKey = collapseKey
    self.title = title
    self.body = body
    self.steps = steps
    self.actionCode = actionCode
    self.language = language
    self.isUrgent = isUrgent
    self.occurredAt = occurredAt
    self.expiresAt = expiresAt
    self.event = event
    self.subject = subject
  }
}
