import Cryptography
import GuardRules
import OperationCore
import ReadModels
import ShiftDomain
import ShiftStore

// A shift without buttons: arriving in a region that is named for shifts clocks in, or confirms the
// shift that waits; leaving it clocks out. The phone asks for no decision and shows no dialog: the
// guard decides as at any clock-in, and the employee is notified of a block.

/// A crossing of the border of a region that is named for shifts.
package struct RegionCrossing: Hashable, Sendable {
  package var isArrival: Bool
  /// The phone's time.
  package var recordedAt: Instant
  /// A position of the phone, for the decision; stored nowhere.
  package var fix: IncomingPing?

  package init(isArrival: Bool, recordedAt: Instant, fix: IncomingPing? = nil) {
    self.isArrival = isArrival
    self.recordedAt = recordedAt
    self.fix = fix
  }

  /// What the ids of arrivals begin with; milliseconds follow.
  static let arrivals = "region-enter-"

  /// Its clock action. It depends on nothing but the crossing, so that the same crossing sent again
  /// is a repeat.
  var action: ClockAction {
    let id = (isArrival ? Self.arrivals : "region-leave-") + String(recordedAt.milliseconds)
    return ClockAction(
      actionID: id, bodyHash: sha256(Array(id.utf8)), occurredAt: recordedAt, fix: fix,
      isByCrossing: true)
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
    let decision = decideClockIn(device.evidence, policy: employee.policy, now: arrival.at)
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
  /// device tracked it before and tracks it now. On a break the employee may go anywhere, also if
  /// the phone tells it later.
  /// - Parameter begun: The employee's open shift, and the one that ended at its limit.
  func count(
    departure: TimedClockAction, _ employee: EmployeeRecord, among begun: [BegunShift]
  ) -> Bool {
    guard isNew(departure) else { return false }
    let (at, device) = (departure.at, departure.device.number)
    let state = step(
      employee.state, .time, policy: employee.policy, now: departure.receivedAt
    ).state
    if let open = state.shift {
      guard open.device == device, !open.isOnBreak, open.startedAt <= at else { return false }
      return begun.contains { $0.number == open.number && $0.isByArrival }
        && shifts.contains { shift in
          shift.number == open.number && !shift.breaks.contains(at)
            && shift.device(at: at - .milliseconds(1)) == device
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
