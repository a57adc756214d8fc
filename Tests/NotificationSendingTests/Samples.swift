import Foundation
import HTTPSending
import JSONText
import NotificationSending
import ShiftDomain

extension OutgoingNotification {
  /// A notification as the outbox makes it, from an hour ago, that expires in an hour. Each has its
  /// own key.
  static func sample(_ key: String = "m-\(UUID().uuidString)") -> OutgoingNotification {
    let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    return OutgoingNotification(
      key: key, collapseKey: "i-7-3", title: "Location is off",
      body: "Your shift – since 14:05 – is not tracked. Tracking stops when your shift ends.",
      steps: ["Open Settings.", "Tap Location.", "Choose Always."], actionCode: "open_app_settings",
      language: "en", isUrgent: true, occurredAt: now - .hours(1), expiresAt: now + .hours(1),
      event: "shift.tracking_impaired", subject: ["employee": .integer(7), "shift": .integer(3)])
  }
}

extension SendingClock {
  /// The machine's clock.
  static let system = SendingClock(now: {
    Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
  })
}

extension JSONFields {
  /// The string at the end of `path`, or `nil`.
  func text(at path: String...) throws -> String? {
    var fields = self
    for name in path.dropLast() {
      guard let inner = try fields.object(name) else { return nil }
      fields = inner
    }
    return try fields.text(path.last ?? "", max: 1 << 20)
  }
}

extension JSONFields {
  /// The JSON body that arrived.
  func body() throws -> JSONFields {
    let text = try text(at: "body") ?? ""
    return try JSONFields(JSONValue(parsing: Array(text.utf8)))
  }
}

extension SendOutcome {
  /// The name of the outcome, without its values.
  var kind: String { String(describing: self).prefix { $0 != "(" }.description }
}
