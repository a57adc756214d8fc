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
  /// Since when they have been away from all sites; `nil`: they are not. It is no problem.
  package var awaySince: Instant?
  /// Today's blocked clock-in, if it was their last clock action; `nil` on shift.
  package var blocked: BlockedClockIn?
  /// Open incidents, in the order they began.
  package var incidents: [BoardIncident]

  package init(
    employee: EmployeeID, name: String, phoneNumber: String? = nil, team: TeamID,
    openShift: Int32? = nil, waitsForConfirmation: Bool = false, startedAt: Instant? = nil,
    breakSince: Instant? = nil, lastContactAt: Instant? = nil, lastFixAt: Instant? = nil,
    awaySince: Instant? = nil, blocked: BlockedClockIn? = nil, incidents: [BoardIncident] = []
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
    self.awaySince = awaySince
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

/// The state of an employee on the board, in the order of the counts above it.
package enum BoardState: UInt8, Coded {
  /// On shift, and no position comes.
  case notTracked = 0
  /// On shift, and the phone has been silent for too long.
  case noContact = 1
  /// Not on shift: the last clock action of the day was a blocked clock-in.
  case blocked = 2
  /// Not on shift, and late for a planned shift today, or a no-show.
  case late = 3
  /// On shift and tracked, but only while the app is in use, or only approximately.
  case atRisk = 4
  /// On shift, no problem, but no position received yet.
  case clockedIn = 5
  /// On shift, no problem.
  case tracked = 6
  /// On a break.
  case onBreak = 7
  /// Not on shift, with a planned shift today that has not ended.
  case scheduled = 8
  /// Not on shift.
  case off = 9

  package var code: String {
    switch self {
    case .notTracked: "not_tracked"
    case .noContact: "no_contact"
    case .blocked: "blocked"
    case .late: "late"
    case .atRisk: "at_risk"
    case .clockedIn: "clocked_in"
    case .tracked: "tracked"
    case .onBreak: "break"
    case .scheduled: "scheduled"
    case .off: "off"
    }
  }
}

/// A planned shift for which its employee is late, or has not come.
package struct MissedShift: Hashable, Sendable {
  package var planned: Interval
  /// Otherwise the employee is late.
  package var isNoShow: Bool

  package init(planned: Interval, isNoShow: Bool) {
    (self.planned, self.isNoShow) = (planned, isNoShow)
  }
}

/// One employee's line on the board.
package struct BoardLine: Hashable, Sendable {
  /// The stored facts.
  package var record: BoardRecord
  /// Their state.
  package var state: BoardState
  package var trackingState: TrackingState
  /// The coverage of today's shifts so far, in order of time, with gaps between shifts. A ping
  /// counts once it is rolled up, a few seconds after its receipt.
  package var today: [CoverageSegment]
  /// Planned shifts that intersect the day, in order.
  package var plannedShifts: [Interval]
  /// The first one that is missed; `nil`: none is, or the employee is on shift.
  package var missed: MissedShift?

  package init(
    record: BoardRecord, state: BoardState, trackingState: TrackingState,
    today: [CoverageSegment], plannedShifts: [Interval], missed: MissedShift?
  ) {
    (self.record, self.state, self.trackingState) = (record, state, trackingState)
    (self.today, self.plannedShifts, self.missed) = (today, plannedShifts, missed)
  }
}

extension BoardLine {
  /// Why no position comes, if no incident says it, such as a hidden page: nobody is notified.
  package var quietReason: CoverageReason? {
    let isTold = record.incidents.contains { !$0.incident.kind.row.isRisk }
    return state == .notTracked && !isTold ? trackingState.reason : nil
  }

  /// Whether a manager has to do something now.
  package var needsAttention: Bool {
    switch state {
    case .notTracked: quietReason == nil
    case .noContact, .blocked, .late: true
    case .atRisk, .clockedIn, .tracked, .onBreak, .scheduled, .off: false
    }
  }

  /// The incidents to show. A silent phone sends no position either, so `noFix` adds nothing.
  package var causes: [BoardIncident] {
    let isSilent = record.incidents.contains { $0.incident.kind == .noContact }
    return record.incidents.filter { !isSilent || $0.incident.kind != .noFix }
  }
}

package struct Board: Hashable, Sendable {
  package var asOf: Instant
  /// The teams, by number, each with its day.
  package var teams: [TeamDay]
  /// The number of lines in each state, whatever the state filter.
  package var counts: [BoardState: Int]
  /// By team and number.
  package var lines: [BoardLine]

  package init(asOf: Instant, teams: [TeamDay], counts: [BoardState: Int], lines: [BoardLine]) {
    (self.asOf, self.teams, self.counts, self.lines) = (asOf, teams, counts, lines)
  }
}
