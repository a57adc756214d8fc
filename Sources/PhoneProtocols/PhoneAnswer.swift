import JSONText
import ShiftDomain

/// What the server may ask of an app. An app that does not know it is asked for nothing.
package enum PhoneCommand: Hashable, Sendable {
  /// To send its permission. To be asked for at most every `reportRequestInterval`.
  case reportPermission
  /// To send a fix at once.
  case sendFix
  case startTracking
  /// To stop until `startTracking`; only for apps that still ask whether to start.
  case stopTracking
  case sendEvery(TimeSpan)

  /// Between two requests for a permission report.
  package static let reportRequestInterval = TimeSpan.minutes(5)

  /// Whether to ask for the permission again. Before a clock-in it may be asked for at any time.
  /// - Parameter lastAskedAt: `nil`: never.
  package static func isReportDue(lastAskedAt: Instant?, now: Instant) -> Bool {
    lastAskedAt.map { now - $0 >= reportRequestInterval } ?? true
  }
}

/// The body of a success; the status is 200.
package struct PhoneAnswer: Hashable, Sendable {
  /// `nil`: there is no body.
  package var contentType: String?
  package var body: [UInt8]

  static let empty = PhoneAnswer(contentType: nil, body: [])

  static func json(_ value: JSONValue) -> PhoneAnswer {
    PhoneAnswer(contentType: "application/json", body: value.bytes)
  }
}
