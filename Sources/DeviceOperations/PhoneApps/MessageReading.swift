import GuardRules
import Lifecycle
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// What a message is decided on, read in one round trip. Rarely, the reports of the shift, or what
/// an arrival that waited is judged by, are read in another.
struct MessageReading: Sendable {
  /// `nil` if the device does not exist.
  let inputs: DecisionInputs?
  let facts: ActionFacts
  /// What held when the arrival that waits was made; `nil`: none waits.
  let waiting: WaitingFacts?
  /// The employee's open shift, and one that ended at its limit.
  let begun: [BegunShift]
  /// The last positions of pages, by shift and page.
  let pages: [Int32: [Int16: Instant?]]
  /// How a shift continues whose end the arrival makes void.
  let reopening: (shift: ShiftRow, step: GuardStep)?

  init(of events: MessageEvents, on session: inout Session) throws(PostgresError) {
    var batch = Batch()
    let action = batch.append(ActionReading(of: events))
    let begun = batch.append(
      begunShifts(of: events.device.employee, byArrivalsWith: ClockAction.arrivals))
    let pages = batch.append(
      events.firstFix.map { lastPageFixes(before: events.device, since: $0) }
        ?? Query(known: [:]))
    let left = events.arrival.map { arrival in
      batch.append(
        shiftLeft(before: arrival.at, by: events.device, with: ClockAction.departures))
    }
    try session.run(&batch)
    let (read, found) = (batch[action].facts, batch[action].inputs)
    (facts, self.begun) = (read, batch[begun])
    self.pages = batch[pages]
    waiting = try found?.device.arrivedAt.map { (arrivedAt) throws(PostgresError) in
      try WaitingFacts(of: events.device.employee, at: arrivedAt, on: &session)
    }
    inputs =
      if let found, events.upload != nil {
        try rememberingReports([found], on: &session)[0]
      } else {
        found
      }
    if let inputs, let left, let number = batch[left],
      let row = try shift(
        ShiftID(employee: events.device.employee, number: number), on: &session)
    {
      let step = try inputs.employee.reopening(
        row, from: row.startedAt, at: events.receipt.at, on: &session)
      reopening = (row, step)
    } else {
      reopening = nil
    }
  }
}

/// What an arrival that waited for a report is judged by, as it was when the phone arrived.
struct WaitingFacts: Sendable {
  let policy: PolicyRow?
  let sites: [Site]
  let plan: ClockInPlan?

  init(of employee: EmployeeID, at arrival: Instant, on session: inout Session)
    throws(PostgresError)
  {
    var batch = Batch()
    let policy = batch.append(policyInForce(at: arrival, for: employee))
    let sites = batch.append(ShiftStore.sites(of: employee, at: arrival))
    let plans = batch.append(clockInPlans(of: [employee], at: arrival...arrival))
    try session.run(&batch)
    (self.policy, self.sites, plan) = (batch[policy], batch[sites], batch[plans][employee])
  }
}

extension DeviceOperations {
  /// Decides on all of a message at once, and writes what follows: one round trip, or three, and
  /// one more for an arrival that waited. If another transaction writes first, everything is read
  /// and decided again.
  /// - Parameter credential: `nil`: the service decides by itself, and hears of no device.
  func decide(_ events: MessageEvents, by credential: DeviceCredential?)
    async throws(OperationError) -> MessageDecision
  {
    let first = try await core.readSnapshot { (session) throws(PostgresError) in
      try decided(on: events, by: credential, on: &session)
    }
    guard let first else { throw .unauthorized }
    guard first.writes else { return first }
    let unwritten = Lock<MessageDecision?>(first)
    let decision = try await core.transact {
      (session) throws(PostgresError) -> TransactionResult<MessageDecision> in
      var read = unwritten.withLock { $0.take() }
      if read == nil { read = try decided(on: events, by: credential, on: &session) }
      guard let decision = read else { return .refused(.unauthorized) }
      guard decision.writes else { return .done(decision) }
      if let claim = decision.claim {
        guard try claim.claim(on: &session) else { return .lost }
      } else if try session.run(lockAgainstErasure(of: events.device.employee)).count != 1 {
        return .refused(.unauthorized)
      }
      var notifications = decision.notifications
      if decision.changedShifts.isEmpty {
        try session.commit(after: decision.statements) { (_, _) throws(PostgresError) in }
      } else {
        try session.pipeline(decision.statements)
        notifications += try core.recount(
          decision.changedShifts, of: events.device.employee, at: events.receipt.at, on: &session)
      }
      return .done(decision, queued: notifications, at: events.receipt.at)
    }
    note(decision, on: events, by: credential)
    return decision
  }

  private func decided(
    on events: MessageEvents, by credential: DeviceCredential?, on session: inout Session
  ) throws(PostgresError) -> MessageDecision? {
    let read = try MessageReading(of: events, on: &session)
    let inputs =
      if let credential {
        admit(credential, read.inputs, at: events.receipt.at)
      } else {
        read.inputs.flatMap { $0.device.revokedAt == nil ? admission.prepared($0) : nil }
      }
    return inputs.map { MessageDecision(events, $0, read, now: core.now()) }
  }

  /// Pings that follow are stored under the version just written.
  private func note(
    _ decision: MessageDecision, on events: MessageEvents, by credential: DeviceCredential?
  ) {
    let (employee, receipt) = (events.device.employee, events.receipt)
    pings.forget(employee)
    latencies.note(
      decision.claim?.step.notifications.map { NotificationID($0, of: employee) } ?? [],
      readAt: receipt.monotonic)
    if let detected = decision.detected {
      detectionSamples.note(
        detected, of: employee, took: ContinuousClock.now - receipt.monotonic)
    }
    guard let credential else { return }
    lastSeen.note(
      Pulse(of: credential, receivedAt: receipt.at, fixAt: decision.fixAt))
    for timedReport in events.upload?.timedReports ?? [] {
      lastSeen.note(
        Pulse(
          of: credential, receivedAt: receipt.at,
          sign: Pulse.Sign(at: min(timedReport.report.effectiveAt, receipt.at))))
    }
  }
}
