import GuardRules
import ShiftDomain

/// A blocked clock-in that is not reviewed yet.
package struct BlockedClockIn: Hashable, Sendable {
  /// Its number within the employee; `nil` for one stored before numbering.
  package var clockAction: Int32?
  /// The time of the clock-in.
  package var at: Instant
  /// The blocking findings.
  package var findings: FindingSet

  package init(clockAction: Int32? = nil, at: Instant, findings: FindingSet) {
    (self.clockAction, self.at, self.findings) = (clockAction, at, findings)
  }
}

/// An open incident and its notifications.
package struct BoardIncident: Hashable, Sendable {
  package var incident: OpenIncident
  /// Its deliveries by channel, in order; empty before the first, and until the caller sets them.
  package var deliveries: [IncidentDelivery]
  /// Why nobody was notified; `nil` if somebody was, or nobody should be.
  package var undelivered: Undelivered?

  package init(
    _ incident: OpenIncident, deliveries: [IncidentDelivery] = [], undelivered: Undelivered? = nil
  ) {
    self.incident = incident
    self.deliveries = deliveries
    self.undelivered = undelivered
  }
}

/// The stored facts of one employee's line on the board.
package struct BoardRecord: Hashable, Sendable {
  package var employee: EmployeeID
  package var name: String
  /// As in `EmployeeProfile`.
  package var phoneNumber: String?
  package var team: TeamID
  /// The open shift's number.
  package var openShift: Int32?
  /// Whether the open shift waits for the employee's confirmation.
  package var waitsForConfirmation: Bool
  /// When the open shift began.
  package var startedAt: Instant?
  /// The start of the current break; `nil` outside a break.
  package var breakSince: Instant?
  /// The last contact from the tracking device.
  package var lastContactAt: Instant?
  /// Its last fix.
  package var lastFixAt: Instant?
  /// Today's blocked clock-in, if it was their last clock action; `nil` on shift.
  package var blocked: BlockedClockIn?
  /// Open incidents, in the order they began.
  package var incidents: [BoardIncident]

  package init(
    employee: EmployeeID, name: String, phoneNumber: String? = nil, team: TeamID,
    openShift: Int32? = nil, waitsForConfirmation: Bool = false, startedAt: Instant? = nil,
    breakSince: Instant? = nil, lastContactAt: Instant? = nil, lastFixAt: Instant? = nil,
    blocked: BlockedClockIn? = nil, incidents: [BoardIncident] = []
  ) {
    self.employee = employee
    self.name = name
    self.phoneNumber = phoneNumber
    self.team = team
    self.openShift = openShift
    self.waitsForConfirmation = waitsForConfirmation
    self.startedAt = startedAt
    self.breakSince = breakSince
    self.lastContactAt = lastContactAt
    self.lastFixAt = lastFixAt
    self.blocked = blocked
    self.incidents = incidents
  }

  /// The open shift; `nil` off shift.
  package var shift: ShiftID? { openShift.map { ShiftID(employee: employee, number: $0) } }
}

/// A mark of an employee's line on the board: another value whenever an event changes the line; the
/// passing of time does not change it.
package struct BoardMark: Hashable, Sendable {
  package var team: TeamID
  /// The version of their state.
  package var version: Int64
  /// Whether a position of the open shift has been received.
  package var isLocated: Bool
  /// How many notifications of their open incidents were delivered; 0 until the caller sets it.
  package var deliveryCount: Int64

  package init(team: TeamID, version: Int64, isLocated: Bool, deliveryCount: Int64 = 0) {
    self.team = team
    self.version = version
    self.isLocated = isLocated
    self.deliveryCount = deliveryCount
  }
}
