import ShiftDomain

/// The status of a sent record. Certain knowledge ranks above uncertain.
package enum SendStatus: UInt8, Comparable, Sendable {
  /// Never sent: held back to the end.
  case unsent
  /// No response: it may be stored or not.
  case unanswered
  /// Refused by the server: it must not be stored.
  case refused
  /// Acknowledged by the server: it must be stored.
  case acknowledged

  /// Whether less is known about `left`.
  package static func < (left: SendStatus, right: SendStatus) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Everything that one phone sent, and the server's responses.
package struct PhoneRecord: Sendable {
  /// The device that sent the records.
  package var device: DeviceID
  /// When the first ping was recorded.
  package var start: Instant
  /// The time from one ping to the next.
  package var spacing: TimeSpan
  /// The statuses of pings, by number.
  package private(set) var pings: [SendStatus] = []
  /// The statuses of reports, by sequence number.
  package internal(set) var reports: [Int64: SendStatus] = [:]

  /// The record of a phone that has sent nothing yet.
  package init(device: DeviceID, start: Instant, spacing: TimeSpan) {
    self.device = device
    self.start = start
    self.spacing = spacing
  }

  /// When ping `number` was recorded.
  package func recordedAt(_ number: Int) -> Instant {
    Instant(milliseconds: start.milliseconds + spacing.milliseconds * Int64(number))
  }

  /// Records the status of a ping, unless more is known already.
  package mutating func note(_ status: SendStatus, ofPing number: Int) {
    if number >= pings.count {
      pings += Array(repeating: .unsent, count: number + 1 - pings.count)
    }
    pings[number] = max(pings[number], status)
  }

  /// Records the status of a report, unless more is known already.
  package mutating func note(_ status: SendStatus, ofReport sequence: Int64) {
    reports[sequence] = max(reports[sequence] ?? .unsent, status)
  }
}
