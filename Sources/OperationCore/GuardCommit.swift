import GuardRules
import NotificationQueue
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The effects of a step as SQL statements.
///
/// INVARIANT: `guard_state` is written first. The effects follow in the same transaction, which is
/// rolled back unless the version that was read was still there.
package struct GuardCommit {
  package let before: EmployeeRecord
  package let step: GuardStep
  /// When the server received the request, by the same clock as the deadlines in `before`.
  let now: Instant
  /// The policy that a shift begins under, if it is not the one in force.
  var begunUnder: PolicyRow?
  /// When an offline clock-in was received.
  var offlineReceipt: Instant?
  /// Before this time, no phone was asked to track the new shift.
  var askedFrom: Instant?
  /// The manager who opens the new shift, and why.
  var openedBecause: OpeningReason?

  package init(
    before: EmployeeRecord, step: GuardStep, now: Instant, begunUnder: PolicyRow? = nil,
    offlineReceipt: Instant? = nil, askedFrom: Instant? = nil,
    openedBecause: OpeningReason? = nil
  ) {
    self.before = before
    self.step = step
    self.now = now
    self.begunUnder = begunUnder
    self.offlineReceipt = offlineReceipt
    self.askedFrom = askedFrom
    self.openedBecause = openedBecause
  }

  /// Affects no row if another transaction wrote first.
  package var claim: SQL { updateGuardState(step.state, after: before) }

  /// `false` if another transaction wrote first.
  package func claim(on session: inout Session) throws(PostgresError) -> Bool {
    try session.execute(claim) == 1
  }

  /// Writes the state, runs `statements` and then those of `reading`, all in one round trip. COMMIT
  /// comes later: if another transaction wrote first, everything is rolled back.
  ///
  /// A step that keeps uploads out is claimed in its own round trip: one that has lost would hold
  /// up the uploads of many employees for nothing, and could deadlock with the step that has won.
  /// - Parameter statements: The effects, and what else is written.
  /// - Throws: `.lost` if another transaction wrote first.
  package func act<R: Reading>(
    _ statements: [SQL], _ reading: inout R, on session: inout Session
  ) throws(PostgresError) {
    if keepsUploadsOut, try !claim(on: &session) { throw .lost }
    try Self.act(
      claiming: keepsUploadsOut ? [] : [self], statements, &reading, on: &session)
  }

  /// Whether its statements lock the employee's uploads out, because pings may have to move.
  package var keepsUploadsOut: Bool { step.effects.contains(where: \.keepsUploadsOut) }

  /// Whether it ends a silence of contact. An earlier request may have ended that.
  package var endsSilence: Bool {
    before.state[.contact].map { $0.number != step.state[.contact]?.number } ?? false
  }

  package var statements: [SQL] {
    let effects = step.effects.map { $0.leaving(step.state.incidents) }
    return effects.flatMap { statements(for: $0.withDeadlines(later: .zero - before.clockAhead)) }
      + newlyTold + review
  }

  /// Lets pending notifications be decided again when the debounce ends, or at once after a shift.
  private var review: [SQL] {
    guard before.state.shift != nil, step.state.mayHoldOther(than: before.state) else { return [] }
    let at = step.state.shift?.notified.comparesAt ?? now
    return [NotificationQueue.review(notificationsOf: employee, at: at - before.clockAhead)]
  }

  /// Stores that a notification about another incident told of one that was open already.
  private var newlyTold: [SQL] {
    let told = Set(before.state.incidents.filter(\.wasNotifiedBefore).map(\.number))
    let known = Set(before.state.incidents.map(\.number))
    return step.state.incidents
      .filter { $0.wasNotifiedBefore && known.contains($0.number) && !told.contains($0.number) }
      .map { noteTold(id($0.number)) }
  }

  /// Queues a notification that the step did not produce.
  package func queue(_ notification: ShiftNotification) -> SQL {
    enqueue(notification.due(later: .zero - before.clockAhead), for: employee)
  }

  private func statements(for effect: GuardEffect) -> [SQL] {
    switch effect {
    case .shiftStarted(let shift, let decision, let override):
      [
        insert(
          shift, of: employee, under: decision, override: override?.number,
          policy: begunUnder?.policy ?? before.policy,
          policyVersion: begunUnder?.version ?? before.policyVersion,
          offlineReceipt: offlineReceipt, askedFrom: askedFrom, openedBecause: openedBecause),
        countAppInterval(in: id(shift: shift.number)),
      ] + sitesInForce(in: shift, at: shift.startedAt) + use(override, for: shift)
    case .shiftConfirmed(let shift, let decision, let override):
      confirm(
        shift, of: employee, under: decision, override: override?.number,
        policy: begunUnder?.policy ?? before.policy,
        policyVersion: begunUnder?.version ?? before.policyVersion,
        offlineReceipt: offlineReceipt, askedFrom: askedFrom)
        + sitesInForce(in: shift, at: shift.trackedSince) + use(override, for: shift)
    case .shiftEnded(let number, let at, let ending):
      end(
        id(shift: number), at: at, by: ending,
        sealedAt: isConfirmation(ofShift: number, by: ending) ? nil : now)
    case .shiftStartMoved(let number, let to): moveStart(of: id(shift: number), to: to, at: now)
    case .breakStarted(let number, let at):
      insertBreak(breakNumber, of: id(shift: number), from: at, receivedAt: now)
    case .breakEnded(let number, let at):
      // A step starts or ends a break, never both.
      endBreak(
        of: id(shift: number), from: before.state.shift?.latestBreak?.startedAt ?? at, at: at)
    case .tookOver(let number, let device, let at):
      insertTakeOver(
        TrackingSpan(device: device, since: at, freshFor: before.policy.freshFor),
        of: id(shift: number),
        on: step.state.shift.flatMap { $0.number == number ? $0.report?.id : nil }, at: now)
    case .incidentOpened, .incidentClosed, .incidentRecorded, .incidentWithdrawn,
      .silenceExplained:
      incidentStatements(for: effect)
    case .notify(let notification):
      [enqueue(notification, for: employee)]
        + (notification.topic == .incident ? [recordNotification(notification, of: employee)] : [])
    case .amendNotification(let notification): [amend(notification, for: employee)]
    case .cancelNotification(let episode, let ordinal):
      [
        cancel(notificationAbout: id(episode), ordinal: ordinal),
        noteCancelled(id(episode), ordinal: ordinal),
      ]
    }
  }

  private func incidentStatements(for effect: GuardEffect) -> [SQL] {
    switch effect {
    case .incidentOpened(let incident, _):
      if let shift, let device = shift.device {
        [insert(incident, of: id(shift: shift.number), device: device)]
      } else {
        []
      }
    case .incidentClosed(let number, let at, let closing):
      [close(id(number), at: at, closing)]
    case .incidentRecorded(let recorded, let shift): [write(recorded, of: id(shift: shift))]
    case .incidentWithdrawn(let number): [withdraw(id(number))]
    case .silenceExplained(let kind, let device, let at):
      shift.map { shift in
        [
          explainSilence(
            of: DeviceID(employee: employee, number: device), shift: shift.number, around: at,
            by: kind)
        ]
      } ?? []
    default: []
    }
  }

  private func sitesInForce(in shift: OpenShift, at clockIn: Instant) -> [SQL] {
    noteSitesInForce(
      in: id(shift: shift.number), from: clockIn, under: begunUnder?.policy ?? before.policy,
      at: now)
  }

  private func use(_ override: Override?, for shift: OpenShift) -> [SQL] {
    override?.number.map { [useOverride($0, by: id(shift: shift.number))] } ?? []
  }

  private var employee: EmployeeID { before.employee }

  /// The shift that the effects belong to: the new one, or the one that was open.
  private var shift: OpenShift? { step.state.shift ?? before.state.shift }

  /// The number of the break that starts: the newest, because a step starts at most one.
  private var breakNumber: Int16 { step.state.shift?.latestBreak?.number ?? 0 }

  /// Whether the employee confirmed the true end of a shift that had ended at its limit.
  private func isConfirmation(ofShift number: Int32, by ending: ShiftEnding) -> Bool {
    guard ending == .employee else { return false }
    return before.state.shift?.number != number
      || step.effects.contains { effect in
        guard case .shiftEnded(number, _, .limit) = effect else { return false }
        return true
      }
  }

  private func id(shift number: Int32) -> ShiftID { ShiftID(employee: employee, number: number) }

  private func id(_ number: Int32) -> IncidentID {
    IncidentID(employee: employee, number: number)
  }
}

extension GuardCommit {
  /// Claims several steps, then runs `statements` and those of `reading`, in one round trip.
  /// - Parameter commits: In the order of their employees, like every transaction that writes more
  ///   than one of them.
  /// - Throws: `.lost` if another transaction wrote one of them first.
  package static func act<R: Reading>(
    claiming commits: [GuardCommit], _ statements: [SQL], _ reading: inout R,
    on session: inout Session
  ) throws(PostgresError) {
    let claims = Claims(on: commits.map { StateToWrite($0.step.state, after: $0.before) })
    let (first, last) = (claims.preparing.count, claims.preparing.count + claims.updates.count)
    let writes = claims.preparing + claims.updates + statements
    var claimed = 0
    var isLost = false
    do throws(PostgresError) {
      try session.pipeline(writes + reading.statements) { (position, rows) throws(PostgresError) in
        if first <= position, position < last {
          claimed += rows.affected
          isLost = position == last - 1 && claimed < commits.count
        }
        if position >= writes.count { try reading.add(position - writes.count, rows) }
      }
    } catch {
      switch error {
      // What was decided on an old state may also violate a constraint.
      case .constraint, .retryTransaction, .broken: throw isLost ? .lost : error
      case .unavailable, .unstorable, .outcomeUnknown, .cancelled: throw error
      }
    }
    if isLost { throw .lost }
  }
}

extension GuardEffect {
  /// Whether its statements lock the employee's uploads out, because pings may have to move.
  fileprivate var keepsUploadsOut: Bool {
    switch self {
    case .shiftEnded, .shiftStartMoved, .breakStarted, .breakEnded, .tookOver: true
    case .shiftStarted, .shiftConfirmed, .incidentOpened, .incidentClosed, .incidentRecorded,
      .incidentWithdrawn, .silenceExplained, .notify, .amendNotification, .cancelNotification:
      false
    }
  }
}

extension GuardEffect {
  /// This effect with its incident as what was told of it in the same step leaves it.
  fileprivate func leaving(_ incidents: [OpenIncident]) -> GuardEffect {
    func present(_ incident: OpenIncident) -> OpenIncident {
      incidents.first { $0.number == incident.number } ?? incident
    }
    switch self {
    case .incidentOpened(let incident, let kind):
      return .incidentOpened(present(incident), after: kind)
    case .incidentRecorded(var recorded, let shift):
      recorded.incident = present(recorded.incident)
      return .incidentRecorded(recorded, shift: shift)
    default: return self
    }
  }
}

extension GuardStep {
  package var notifications: [ShiftNotification] {
    effects.compactMap { effect in
      guard case .notify(let notification) = effect else { return nil }
      return notification
    }
  }

  /// This step followed by the effects of `event`; the answer is that of the first step.
  package func then(_ event: GuardEvent, policy: Policy, now: Instant) -> GuardStep {
    let next = GuardRules.step(state, event, policy: policy, now: now)
    return GuardStep(state: next.state, effects: effects + next.effects, answer: answer)
  }
}
