import JSONText
import ShiftDomain

/// A notification, ready to be sent: the same for every channel. Contains no position.
package struct OutgoingNotification: Hashable, Sendable {
  /// Identifies the notification; the same for every attempt, so that duplicates can be recognised.
  /// 1 to 64 ASCII letters, digits, hyphens and underscores, such as `e7-t0-s3-o1`.
  package var key: String
  /// A newer notification replaces an older one with this key. 1 to 32 characters of base64url.
  package var collapseKey: String
  /// From `Guidance.NotificationText`; like the body, it may appear on a locked screen.
  package var title: String
  package var body: String
  package var steps: [String]
  /// The action when the notification is tapped, a code of `Guidance.ActionCode`.
  package var actionCode: String
  /// The texts' language, such as `en`.
  package var language: String
  package var isUrgent: Bool
  package var occurredAt: Instant
  /// Not sent after this time.
  package var expiresAt: Instant
  package var event: String
  /// The subject for programs: only ids.
  package var subject: JSONObject
  /// The page for managers about it; `nil`: it has none, or its address is not known.
  package var link: String?
  /// For managers: the path of that page, which their browser opens.
  package var page: String?

  package init(
    key: String, collapseKey: String, title: String, body: String, steps: [String],
    actionCode: String, language: String, isUrgent: Bool, occurredAt: Instant, expiresAt: Instant,
    event: String, subject: JSONObject, link: String? = nil, page: String? = nil
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
    self.link = link
    self.page = page
  }
}
