import ShiftDomain

/// One stream of events that a phone has open.
package struct LiveStream: Hashable, Sendable {
  package var device: DeviceID
  /// Its number, from 1; unique.
  package var number: Int64

  /// A stream of `device`.
  package init(of device: DeviceID, number: Int64) {
    self.device = device
    self.number = number
  }
}

extension LiveStream: Comparable {
  /// The order of the table's key.
  package static func < (left: LiveStream, right: LiveStream) -> Bool {
    (left.device.employee.rawValue, left.device.number, left.number)
      < (right.device.employee.rawValue, right.device.number, right.number)
  }
}

/// The position of a stream in the inbox.
package struct StreamPosition: Hashable, Sendable {
  package var stream: LiveStream
  /// The number of the last notification sent on it; 0: none.
  package var last: Int32

  package init(_ stream: LiveStream, after last: Int32) {
    self.stream = stream
    self.last = last
  }
}

/// A notification for one stream.
package struct StreamEvent: Hashable, Sendable {
  package var stream: LiveStream
  /// Its number within the employee; increasing.
  package var number: Int32
  /// The notification, with the state when it was written.
  package var notification: ShiftNotification
  /// When its cause began; when it was written, if that is unknown.
  package var occurredAt: Instant

  package init(
    stream: LiveStream, number: Int32, notification: ShiftNotification, occurredAt: Instant
  ) {
    self.stream = stream
    self.number = number
    self.notification = notification
    self.occurredAt = occurredAt
  }
}
