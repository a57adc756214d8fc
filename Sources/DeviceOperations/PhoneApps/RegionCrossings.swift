import Cryptography
import GuardRules
import OperationCore
import PhoneProtocols
import ReadModels
import ShiftDomain
import ShiftStore

// A shift without buttons: arriving in a region that is named for shifts clocks in, or confirms the
// shift that waits; leaving it clocks out. The phone asks for no decision and shows no dialog: the
// guard decides as at any clock-in, and the employee is notified of a block.

/// What a phone says about regions that are named for shifts.
package struct TimedSighting: Hashable, Sendable {
  package var sighting: RegionSighting
  /// The phone's time.
  package var recordedAt: Instant
  /// A position of the phone, for the decision; stored nowhere.
  package var fix: IncomingPing?

  package init(_ sighting: RegionSighting, recordedAt: Instant, fix: IncomingPing? = nil) {
    self.sighting = sighting
    self.recordedAt = recordedAt
    self.fix = fix
  }

  var isArrival: Bool { if case .entered = sighting { true } else { false } }
  var isDeparture: Bool { if case .left = sighting { true } else { false } }
}

extension ClockAction {
  /// What the ids of arrivals begin with; milliseconds follow.
  static let arrivals = "region-enter-"
  /// The same of departures.
  static let departures = "region-leave-"

  /// It depends on nothing but the crossing, so that the same crossing sent again is a repeat.
  static func arrival(at recordedAt: Instant, fix: IncomingPing? = nil) -> ClockAction {
    ClockAction(byCrossing: arrivals + String(recordedAt.milliseconds), at: recordedAt, fix)
  }

  /// - Parameter counted: When it ends the shift; `nil`: when the phone left.
  static func departure(at recordedAt: Instant, countsFrom counted: Instant? = nil) -> ClockAction {
    ClockAction(byCrossing: departures + String(recordedAt.milliseconds), at: counted ?? recordedAt)
  }

  private init(byCrossing id: String, at instant: Instant, _ fix: IncomingPing? = nil) {
    self.init(
      actionID: id, bodyHash: sha256(Array(id.utf8)), occurredAt: instant, fix: fix,
      isByCrossing: true)
  }
}

extension RegionPresence {
  /// The site in whose region the phone has come last, and still is; `nil`: in that of none.
  func site(among sites: [Site]) -> Site? {
    let newestFirst = crossings.filter(\.isArrival).sorted { $0.at > $1.at }
    return newestFirst.lazy.compactMap { crossing in
      sites.first { OwnTracks.shiftRegion(of: $0.name) == crossing.region }
    }.first
  }

  mutating func note(_ sightings: [TimedSighting], receivedAt: Instant) {
    for sighting in sightings {
      note(
        sighting.sighting, at: min(sighting.recordedAt, receivedAt), receivedAt: receivedAt)
    }
  }
}

/// What became of an arrival.
package enum ArrivalState: Hashable, Sendable {
  /// It waits for a report of the permission, for which the app is to be asked.
  case waits
  /// It was decided on, and the shift has begun or not.
  case decided(isTracking: Bool)
}

extension DecisionInputs {
  /// Whether an arrival must wait until the app was asked for its permission: it reports that only
  /// when it is asked, and its last report is too old. An arrival that comes late is decided as it
  /// is: a report of today says nothing about then.
  func waitsForReport(at arrival: TimedClockAction) -> Bool {
    guard device.canReport, !arrival.isOffline else { return false }
    let decision = decideClockIn(
      device.evidence(at: arrival.at, under: employee.policy), policy: employee.policy,
      now: arrival.at)
    return decision.blocking.contains(.noReport) || decision.blocking.contains(.staleReport)
  }
}

// A crossing that changes nothing is no clock action: nobody has to review that an employee walks
// to the gate and back.

extension ActionFacts {
  /// Whether an arrival changes anything: the employee is not in a shift at its time. One that
  /// waits for confirmation has not begun.
  func count(arrival: TimedClockAction, _ employee: EmployeeRecord) -> Bool {
    guard isNew(arrival) else { return false }
    if let open = employee.openShift(at: arrival.receivedAt) { return open.waitsForConfirmation }
    return !shifts.contains { $0.contains(arrival.at) }
  }

  /// Whether a departure changes anything: it can end a shift that began by an arrival, if the
  /// device tracked it before and tracks it now.
  /// - Parameters:
  ///   - state: At its receipt.
  ///   - begun: The employee's open shift, and the one that ended at its limit.
  func count(
    departure: TimedClockAction, _ state: GuardState, among begun: [BegunShift]
  ) -> Bool {
    guard isNew(departure) else { return false }
    let (at, device) = (departure.at, departure.device.number)
    if let open = state.shift {
      guard open.device == device, open.startedAt < at else { return false }
      return begun.contains { $0.number == open.number && $0.isByArrival }
        && shifts.contains { shift in
          shift.number == open.number && shift.device(at: at - .milliseconds(1)) == device
        }
    }
    // It ended at its limit, because the phone could not tell that it had left before.
    if let ended = state.unconfirmed, ended.startedAt <= at, at < ended.endedAt {
      return begun.contains {
        $0.number == ended.number && $0.isByArrival && $0.device == device
      }
    }
    // Managers who review the arrival need the departure too.
    return isClockInKept
  }

  private func isNew(_ timed: TimedClockAction) -> Bool {
    !earlier.contains { $0.actionID == timed.action.actionID }
  }
}
