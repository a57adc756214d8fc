public import JSONText
public import ShiftDomain

/// A message, ready to leave: the same for every channel. Holds no location.
public struct OutgoingMessage: Hashable, Sendable {
  /// Names the message; the same for every try, so that who got it twice can tell. 1 to 64 bytes of
  /// ASCII letters, digits, hyphens and underscores, such as `e7-t0-s3-o1`.
  public var key: String
  /// What the message is about: a newer one with the same key replaces an older one that waits or
  /// is shown. 1 to 32 characters of base 64 for URLs.
  public var collapseKey: String
  /// As `Guidance.NoticeText` has it; may stand on a locked screen, like the body.
  public var title: String
  /// As `Guidance.NoticeText` has it.
  public var body: String
  /// What to do, in order; may be empty.
  public var steps: [String]
  /// What pressing the message does, a code of `Guidance.ActionCode`.
  public var actionCode: String
  /// The texts' language, such as `en`.
  public var language: String
  /// Whether it may interrupt.
  public var isUrgent: Bool
  /// When what it tells happened.
  public var occurredAt: Instant
  /// Nothing is sent from here on.
  public var expiresAt: Instant
  /// What happened, for programs, such as `shift.tracking_impaired`.
  public var event: String
  /// Whom and what it is about, for programs: ids only.
  public var subject: JSONObject

  /// A message of these parts.
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
