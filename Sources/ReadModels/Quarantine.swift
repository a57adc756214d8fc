import ShiftDomain

/// What a phone app sent and could not be read, kept for administrators.
package struct QuarantinedMessage: Hashable, Sendable {
  /// Of one device; older ones are deleted.
  package static let keptMax: Int32 = 100

  package var receivedAt: Instant
  package var app: PhoneApp
  /// Why it could not be read, without anything that it contains; 1…200 characters.
  package var reason: String
  /// Of the whole body.
  package var byteCount: Int32

  package init(receivedAt: Instant, app: PhoneApp, reason: String, byteCount: Int32) {
    self.receivedAt = receivedAt
    self.app = app
    self.reason = reason
    self.byteCount = byteCount
  }
}

/// A quarantined message in the list of all phones. What it contains is not shown: there may be
/// positions in it.
package struct QuarantinedRow: Hashable, Sendable {
  package var message: QuarantinedMessage
  package var place: QuarantinePlace
  /// The employee's name.
  package var name: String
  /// Whether its contents are kept, so that it can be read again.
  package var hasContents: Bool

  package init(
    _ message: QuarantinedMessage, at place: QuarantinePlace, name: String, hasContents: Bool
  ) {
    (self.message, self.place) = (message, place)
    (self.name, self.hasContents) = (name, hasContents)
  }
}

/// The place of a message in that list, which identifies it.
package struct QuarantinePlace: Hashable, Sendable {
  package var receivedAt: Instant
  package var device: DeviceID
  /// SHA-256 of the whole body.
  package var hash: [UInt8]

  package init(receivedAt: Instant, device: DeviceID, hash: [UInt8]) {
    (self.receivedAt, self.device, self.hash) = (receivedAt, device, hash)
  }
}

/// Which quarantined messages are wanted; all, as long as nothing is set.
package struct QuarantineFilter: Hashable, Sendable {
  package var scope = TeamScope()
  /// Only this employee's.
  package var employee: EmployeeID?
  package var app: PhoneApp?
  /// Only those with exactly this reason.
  package var reason: String?
  /// Only those received at this time or later.
  package var from: Instant?
  /// Only those after this one, in the order of the list.
  package var after: QuarantinePlace?

  package init(of employee: EmployeeID? = nil) { self.employee = employee }
}

/// How many messages of an app could not be read for the same reason.
package struct QuarantineCount: Hashable, Sendable {
  /// Only so many of the newest messages are counted.
  package static let countedMax: Int32 = 10_000

  package var app: PhoneApp
  package var reason: String
  package var count: Int64
  /// Of these, those whose contents are kept.
  package var kept: Int64

  package init(_ app: PhoneApp, _ reason: String, count: Int64, kept: Int64) {
    (self.app, self.reason, self.count, self.kept) = (app, reason, count, kept)
  }
}

/// A quarantined message as it is read again.
package struct QuarantinedContents: Hashable, Sendable {
  package var message: QuarantinedMessage
  /// SHA-256 of the whole body.
  package var hash: [UInt8]
  /// `nil`: it was not stored.
  package var body: String?

  package init(_ message: QuarantinedMessage, hash: [UInt8], body: String?) {
    (self.message, self.hash, self.body) = (message, hash, body)
  }
}

/// What became of messages that were read again.
package struct QuarantineReplay: Hashable, Sendable {
  /// Wholly understood now; they have left the quarantine.
  package var read = 0
  /// At least a part is still not understood; they stay.
  package var unreadable = 0
  /// They stay until the open shift that they report about has ended.
  package var waiting = 0
  /// They stay, because their contents were not kept.
  package var withoutContents = 0
  /// How many pings and reports were new.
  package var stored = 0
  /// Those of the phones after this one were not read, because time was up; `nil`: all were.
  package var next: DeviceID?

  package init() {}

  /// Adds what became of further messages.
  package static func += (sum: inout QuarantineReplay, other: QuarantineReplay) {
    sum.read += other.read
    sum.unreadable += other.unreadable
    sum.waiting += other.waiting
    sum.withoutContents += other.withoutContents
    sum.stored += other.stored
    sum.next = other.next
  }
}
