import Guidance
import ShiftDomain

// What support sees of one device. It contains no coordinates, no token and no push address.

/// A request of a device that was refused, or the refused items of one that was answered with 200.
package struct RefusedRequest: Hashable, Sendable {
  /// When it was received. Server time.
  package var at: Instant
  /// Method and pattern of its route, such as `POST /v1/pings`.
  package var route: String
  package var status: Int
  /// The code of the problem, or the reason why the items were refused.
  package var code: String
  /// The number of refused items; `nil`: the whole request was refused.
  package var items: Int?

  package init(at: Instant, route: String, status: Int, code: String, items: Int? = nil) {
    (self.at, self.route, self.status) = (at, route, status)
    (self.code, self.items) = (code, items)
  }
}

/// A permission report of a device: what the phone said, and what it means in our codes.
package struct DeviceReport: Hashable, Sendable {
  package var report: PermissionReport
  package var receivedAt: Instant
  /// The shift that it is stored with; `nil`: off shift.
  package var shift: Int32?
  /// What made the phone report.
  package var trigger: String?
  /// The source of the raw values, with its version; `nil`: the phone used our codes.
  package var source: String?
  /// The raw values as JSON; `nil`: none were sent, or they were too long.
  package var raw: String?

  package init(
    _ report: PermissionReport, receivedAt: Instant, shift: Int32?, trigger: String?,
    source: String?, raw: String?
  ) {
    (self.report, self.receivedAt, self.shift) = (report, receivedAt, shift)
    (self.trigger, self.source, self.raw) = (trigger, source, raw)
  }
}

/// A clock action that a device sent.
package struct DeviceClockAction: Hashable, Sendable {
  /// Its number within the employee; `nil` for one stored before numbering.
  package var number: Int32?
  package var at: Instant
  package var receivedAt: Instant
  package var outcome: ClockActionResult
  /// The shift begun, ended or in conflict.
  package var shift: Int32?
  package var decision: Decision
  package var policyVersion: Int32
  /// Why it was kept for review; `nil`: it was answered at once.
  package var kept: KeptReason?
  package var review: ReviewDecision?

  package init(
    number: Int32?, at: Instant, receivedAt: Instant, outcome: ClockActionResult, shift: Int32?,
    decision: Decision, policyVersion: Int32, kept: KeptReason?, review: ReviewDecision?
  ) {
    (self.number, self.at, self.receivedAt) = (number, at, receivedAt)
    (self.outcome, self.shift, self.decision) = (outcome, shift, decision)
    (self.policyVersion, self.kept, self.review) = (policyVersion, kept, review)
  }
}

/// The stored pings of one upload: their number and times only.
package struct PingUploadRow: Hashable, Sendable {
  package var receivedAt: Instant
  package var pings: Int64
  /// How many of them have a position.
  package var positions: Int64
  /// The earliest and the latest time of its pings.
  package var first: Instant, last: Instant

  package init(
    receivedAt: Instant, pings: Int64, positions: Int64, first: Instant, last: Instant
  ) {
    self.receivedAt = receivedAt
    (self.pings, self.positions) = (pings, positions)
    (self.first, self.last) = (first, last)
  }
}

/// A device's push address without the address.
package struct PushAddressKind: Hashable, Sendable {
  package var channel: Channel
  /// APNs: whether it is a development build.
  package var isSandbox: Bool
  package var registeredAt: Instant

  package init(_ channel: Channel, isSandbox: Bool, registeredAt: Instant) {
    (self.channel, self.isSandbox, self.registeredAt) = (channel, isSandbox, registeredAt)
  }
}

/// What is stored of a device in its shift: the open one, or the last one in which it took part.
package struct DeviceHistory: Hashable, Sendable {
  /// `nil`: it has taken part in none, or none is stored any more.
  package var shift: DeviceShift?
  /// The newest first, as in all lists here.
  package var reports: [DeviceReport] = []
  package var reportCount: Int64 = 0
  /// Also those from up to a day before the shift, and after it.
  package var clockActions: [DeviceClockAction] = []
  package var pingUploads: [PingUploadRow] = []
  package var pingUploadCount: Int64 = 0
  package var pingCount: Int64 = 0
  /// Of a phone app, whether on shift or not.
  package var quarantine: [QuarantinedMessage] = []

  package init() {}
}

/// A shift of a device's employee.
package struct DeviceShift: Hashable, Sendable {
  package var number: Int32
  package var startedAt: Instant
  /// `nil`: it is open.
  package var endedAt: Instant?
  /// The device that it began on; `nil`: it waits for confirmation, or was never confirmed.
  package var device: Int16?

  package init(number: Int32, startedAt: Instant, endedAt: Instant?, device: Int16?) {
    (self.number, self.startedAt) = (number, startedAt)
    (self.endedAt, self.device) = (endedAt, device)
  }
}

/// What is known of one device, for support. It contains no coordinates, no token and no push
/// address.
package struct DeviceSupport: Hashable, Sendable {
  package var asOf: Instant
  package var row: DeviceRow
  package var history: DeviceHistory
  package var push: PushAddressKind?
  /// Attempts to notify this device since a day before its shift, the newest first.
  package var deliveries: [DeliveryAttempt]
  /// Whether older attempts were left off.
  package var hasMoreDeliveries: Bool
  /// What a clock-in would be answered now.
  package var clockIn: ClockInPreview
  /// `nil`: this program serves no phones.
  package var refusals: RememberedRefusals?

  package init(
    asOf: Instant, row: DeviceRow, history: DeviceHistory, push: PushAddressKind?,
    deliveries: [DeliveryAttempt], hasMoreDeliveries: Bool, clockIn: ClockInPreview
  ) {
    (self.asOf, self.row, self.history, self.push) = (asOf, row, history, push)
    (self.deliveries, self.hasMoreDeliveries) = (deliveries, hasMoreDeliveries)
    self.clockIn = clockIn
  }
}

/// The last refused requests of a device, as one instance remembers them.
package struct RememberedRefusals: Hashable, Sendable {
  /// The name of the instance.
  package var instance: String
  /// Since when it remembers.
  package var since: Instant
  /// The newest first.
  package var requests: [RefusedRequest]

  package init(instance: String, since: Instant, requests: [RefusedRequest]) {
    (self.instance, self.since, self.requests) = (instance, since, requests)
  }
}

/// What a clock-in from a device would be answered now, with the device's newest report.
package enum ClockInPreview: Hashable, Sendable {
  /// Its token is revoked: every request is refused with 401.
  case revoked
  /// A shift is open on this device, which makes no decision necessary.
  case alreadyOpen(shift: Int32)
  case openElsewhere(shift: Int32, device: Int16)
  /// It would be decided like this.
  case decided(Decision, Guidance, policyVersion: Int32, override: OverrideRow?)
}
