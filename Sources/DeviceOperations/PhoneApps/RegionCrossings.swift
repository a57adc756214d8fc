import Cryptography
import GuardRules
import OperationCore
import Postgres
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
  /// The phone's position at that time; stored only if it belongs to a shift.
  package var fix: IncomingPing?

  package init(isArrival: Bool, recordedAt: Instant, fix: IncomingPing? = nil) {
    self.isArrival = isArrival
    self.recordedAt = recordedAt
    self.fix = fix
  }

  /// What the ids of arrivals begin with.
  fileprivate static let arrivals = "region-enter-"

  /// Its clock action. It depends on nothing but the crossing, so that the same crossing sent again
  /// is a repeat.
  fileprivate var action: ClockAction {
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

extension DeviceOperations {
  /// Decides on the arrival in `message`, or on an earlier one that waited.
  /// - Returns: `nil` without one, or if it changes nothing.
  func arrive(by message: AppMessage, from credential: DeviceCredential, _ receipt: Receipt)
    async throws(OperationError) -> ArrivalState?
  {
    guard message.mayDecideArrival else { return nil }
    var inputs = try await present(of: credential, receipt)
    var state: ArrivalState?
    if let arrivedAt = inputs.device.arrivedAt {
      // What the app was asked for may never come.
      let isDue =
        !message.reports.isEmpty || message.crossings.contains { !$0.isArrival }
        || receipt.at - arrivedAt > onlineAgeMax
      guard isDue else { return message.crossings.isEmpty ? nil : .waits }
      state = try await decide(arrivalAt: arrivedAt, inputs, from: credential, receipt)
      inputs = try await present(of: credential, receipt)
    }
    guard let arrival = message.crossings.first(where: { $0.isArrival }),
      try await counts(arrival, inputs, receipt)
    else { return state }
    guard inputs.waitsForReport(at: arrival, receipt) else {
      return try await clockIn(by: arrival, from: credential, receipt)
    }
    // A clock that is ahead must not make it wait longer, nor begin the shift later.
    let time = effectiveTime(
      recordedAt: arrival.recordedAt, sentAt: nil, receivedAt: receipt.at)
    try await store(arrivalAt: time.instant, of: credential.device)
    return .waits
  }

  /// Clocks out by the departure in `message`.
  /// - Returns: Whether the device still tracks a shift; `nil`: nothing has changed.
  func depart(by message: AppMessage, from credential: DeviceCredential, _ receipt: Receipt)
    async throws(OperationError) -> Bool?
  {
    guard let departure = message.crossings.last(where: { !$0.isArrival }) else { return nil }
    let inputs = try await present(of: credential, receipt)
    guard try await counts(departure, inputs, receipt) else { return nil }
    return try await unlessTooManyWait { () throws(OperationError) in
      try await clockOut(departure.action, from: credential, receipt: receipt).1.isTracking
    }
  }

  /// Decides on an arrival that waited, unless the employee has clocked in by another way since.
  func decide(
    arrivalAt instant: Instant, _ inputs: DecisionInputs, from credential: DeviceCredential,
    _ receipt: Receipt
  ) async throws(OperationError) -> ArrivalState {
    let waited = RegionCrossing(isArrival: true, recordedAt: instant)
    var state = ArrivalState.decided(isTracking: false)
    if try await counts(waited, inputs, receipt) {
      state = try await clockIn(by: waited, from: credential, receipt)
    }
    try await store(arrivalAt: nil, of: credential.device)
    return state
  }

  private func clockIn(
    by arrival: RegionCrossing, from credential: DeviceCredential, _ receipt: Receipt
  ) async throws(OperationError) -> ArrivalState {
    let isTracking = try await unlessTooManyWait { () throws(OperationError) in
      try await clockIn(arrival.action, from: credential, receipt: receipt).1.isTracking
    }
    return .decided(isTracking: isTracking ?? false)
  }

  /// - Returns: `nil` if too many clock actions wait for a review: the app knows no such answer,
  ///   and the rest of its message must be stored.
  private func unlessTooManyWait(_ act: () async throws(OperationError) -> Bool)
    async throws(OperationError) -> Bool?
  {
    do throws(OperationError) { return try await act() } catch {
      guard error == .tooManyWaiting else { throw error }
      return nil
    }
  }

  private func present(of credential: DeviceCredential, _ receipt: Receipt)
    async throws(OperationError) -> DecisionInputs
  {
    let inputs = try await core.read { (session) throws(PostgresError) in
      try admit(credential, at: receipt.at, on: &session)
    }
    guard let inputs else { throw .unauthorized }
    return inputs
  }

  /// Whether the crossing changes anything. One that does not is no clock action: nobody has to
  /// review that an employee walks to the gate and back.
  private func counts(_ crossing: RegionCrossing, _ inputs: DecisionInputs, _ receipt: Receipt)
    async throws(OperationError) -> Bool
  {
    let timed = TimedClockAction(
      crossing.action, of: inputs.device.device, receivedAt: receipt.at)
    return try await core.readSnapshot { (session) throws(PostgresError) in
      let earlier = clockActions([timed.action.actionID], of: timed.device)
      guard try session.value(of: earlier).isEmpty else { return false }
      return crossing.isArrival
        ? try isOffShift(timed, inputs, on: &session)
        : try isOnShift(timed, inputs, on: &session)
    }
  }

  private func store(arrivalAt instant: Instant?, of device: DeviceID)
    async throws(OperationError)
  {
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      try session.execute(setArrival(instant, of: device))
      return .done(true)
    }
  }
}

extension DecisionInputs {
  /// Whether an arrival must wait until the app was asked for its permission: it reports that only
  /// when it is asked, and its last report is too old. An arrival that comes late is decided as it
  /// is: a report of today says nothing about then.
  fileprivate func waitsForReport(at crossing: RegionCrossing, _ receipt: Receipt) -> Bool {
    let timed = TimedClockAction(crossing.action, of: device.device, receivedAt: receipt.at)
    guard device.canReport, !timed.isOffline else { return false }
    let decision = decideClockIn(device.evidence, policy: employee.policy, now: timed.at)
    return decision.blocking.contains(.noReport) || decision.blocking.contains(.staleReport)
  }
}

/// Whether the employee is not in a shift at the time of an arrival; one that waits for
/// confirmation has not begun.
private func isOffShift(
  _ timed: TimedClockAction, _ inputs: DecisionInputs, on session: inout Session
) throws(PostgresError) -> Bool {
  if let open = inputs.employee.openShift(at: timed.receivedAt) {
    return open.waitsForConfirmation
  }
  return try trackedShifts(
    of: timed.device.employee, from: timed.at, to: timed.at, on: &session
  ).allSatisfy { $0.end.map { $0 <= timed.at } ?? false }
}

/// Whether a departure can end a shift: it began by an arrival, and the device tracked it before
/// and tracks it now. On a break the employee may go anywhere, also if the phone tells it later.
private func isOnShift(
  _ timed: TimedClockAction, _ inputs: DecisionInputs, on session: inout Session
) throws(PostgresError) -> Bool {
  let (employee, device) = (timed.device.employee, timed.device.number)
  func isBegun(_ number: Int32) throws(PostgresError) -> Bool {
    try ShiftStore.isBegun(
      ShiftID(employee: employee, number: number), byStoreAppWith: RegionCrossing.arrivals,
      on: &session)
  }
  let state = step(
    inputs.employee.state, .time, policy: inputs.employee.policy, now: timed.receivedAt
  ).state
  if let open = state.shift {
    guard open.device == device, !open.isOnBreak, open.startedAt <= timed.at else { return false }
    let isTracked = try trackedShifts(
      of: employee, from: timed.at, to: timed.at, on: &session
    ).contains { shift in
      shift.number == open.number && !shift.breaks.contains(timed.at)
        && shift.device(at: timed.at - .milliseconds(1)) == device
    }
    guard isTracked else { return false }
    return try isBegun(open.number)
  }
  // It ended at its limit, because the phone could not tell that it had left before.
  if let ended = state.unconfirmed, ended.startedAt <= timed.at, timed.at < ended.endedAt {
    let row = try shift(ShiftID(employee: employee, number: ended.number), on: &session)
    guard row?.device == device else { return false }
    return try isBegun(ended.number)
  }
  // Managers who review the arrival need the departure too.
  return try session.value(of: isClockInKept(of: timed.device, upTo: timed.at))
}
