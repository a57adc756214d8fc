public import ShiftDomain

/// The only place where an employee's state changes; total and pure, so that service, simulator and
/// page agree. `state` was read together with its version; `now` is the server's receipt.
public func step(_ state: GuardState, _ event: GuardEvent, policy: Policy, now: Instant)
  -> GuardStep
{
  step(state, [event], policy: policy, now: now)
}

/// The same for events that are recorded together: what holds after the last one is compared later
/// with what was notified. The answer is that of the last one.
public func step(_ state: GuardState, _ events: [GuardEvent], policy: Policy, now: Instant)
  -> GuardStep
{
  var all = GuardStep(state.compared(by: now), .noted)
  for event in events {
    all = all.followed(by: stepRecorded(all.state, event, policy: policy, now: now))
  }
  all.compareLater(under: policy, now: now)
  return all
}

private func stepRecorded(_ state: GuardState, _ event: GuardEvent, policy: Policy, now: Instant)
  -> GuardStep
{
  guard let shift = state.shift, shift.limit <= event.time(receivedAt: now) else {
    var step = stepWithinLimit(state, event, policy: policy, now: now)
    step.noteUnlocatable(before: state)
    return step
  }
  // Nobody clocked out: the shift ended before this event.
  let ended = stepToLimit(state, shift, now: now)
  return ended.followed(by: stepWithinLimit(ended.state, event, policy: policy, now: now))
}

private func stepWithinLimit(
  _ state: GuardState, _ event: GuardEvent, policy: Policy, now: Instant
) -> GuardStep {
  switch event {
  case .report(let report, let device):
    stepReport(state, report, device: device, policy: policy, now: now)
  case .reports(let reports, let device):
    stepReports(state, reports, device: device, policy: policy, now: now)
  case .history(let report, let device):
    stepReport(state, report, device: device, isHistory: true, policy: policy, now: now)
  case .clockIn(let device, let at, let evidence, let override, let placeAndPlan):
    stepClockIn(
      state, device: device, at: at, evidence, override, given: placeAndPlan, policy: policy)
  case .accepted(let newest): stepAccepted(state, newest, now: now)
  case .clockOut(let at, let ending):
    stepClockOut(state, at: at, by: ending, now: now)
  case .opened(let at, let opening, let confirmBy):
    stepOpened(state, at: at, by: opening, confirmBy: confirmBy, policy: policy, now: now)
  case .decline(let at): stepDecline(state, at: at, now: now)
  case .breakStart(let at): stepBreakStart(state, at: at, policy: policy, now: now)
  case .breakEnd(let at): stepBreakEnd(state, at: at, policy: policy, now: now)
  case .takeOver(let device, let at, let report):
    stepTakeOver(state, device: device, at: at, report, policy: policy, now: now)
  case .silence(let kind, let device, let since):
    stepSilence(state, kind, device: device, since: since, policy: policy, now: now)
  case .signOfLife(let kind, let device, let at):
    stepSignOfLife(state, kind, device: device, at: at, policy: policy, now: now)
  case .silenceMoved(let kind, let device, let to):
    stepSilenceMoved(state, kind, device: device, to: to, policy: policy, now: now)
  case .startMoved(let to): stepStartMoved(state, to: to, now: now)
  case .breaksCorrected(let latest):
    stepBreaksCorrected(state, latest: latest, policy: policy, now: now)
  case .recounted(let recount): stepRecounted(state, recount, policy: policy, now: now)
  case .endConfirmed(let number, let at): stepEndConfirmed(state, number, at: at)
  case .time: stepTime(state, policy: policy, now: now)
  }
}

extension GuardEvent {
  /// The time of the event, as far as the shift's limit is concerned.
  fileprivate func time(receivedAt now: Instant) -> Instant {
    switch self {
    // A phone without `sentAt` may be a little ahead; nothing has happened in the future.
    case .report(let report, _), .history(let report, _): min(report.effectiveAt, now)
    case .reports(let reports, _): min(reports.last?.effectiveAt ?? now, now)
    case .clockIn(_, let at, _, _, _), .clockOut(let at, _), .breakStart(let at), .breakEnd(let at),
      .takeOver(_, let at, _), .signOfLife(_, _, let at), .opened(let at, _, _),
      .decline(let at):
      at
    case .silence(_, _, let since): since
    // They concern the past.
    case .accepted, .silenceMoved, .startMoved, .breaksCorrected, .endConfirmed, .recounted:
      Instant(milliseconds: .min)
    case .time: now
    }
  }
}

private func stepReport(
  _ state: GuardState, _ report: PermissionReport, device: Int16, isHistory: Bool = false,
  policy: Policy, now: Instant
) -> GuardStep {
  guard let shift = state.shift, shift.device == device else {
    return GuardStep(state.readingReports(after: report), .reportNoted)
  }
  let isLate = isHistory || report.isHistory(after: shift.report, receivedAt: now)
  let report = report.following(shift.report)
  let current = isLate ? report : report.withoutOldExit(after: shift.report)
  var explained: [GuardEffect] = []
  if let cause = current.silenceCause {
    explained = [.silenceExplained(cause, device: device, at: report.effectiveAt)]
  }
  if isLate { return GuardStep(state.readingReports(), explained, .reportLate) }
  var life = IncidentLife(
    state, at: shift.tracked(from: report.countsFrom),
    openingAt: shift.tracked(from: current.impairedSince), now: now)
  life.endSilence()
  guard !shift.tookOver(longAfter: report, policy: policy) else {
    life.notifyOfEnd(policy: policy)
    return GuardStep(life.state.readingReports(), explained + life.effects, .reportInForce)
  }
  life.follow(report.state, isOnBreak: shift.rests(at: report.countsFrom), policy: policy)
  life.state.shift?.report = report
  life.state.shift?.reportMarks?.add(report.state, at: report.effectiveAt, after: shift.known)
  // Of one number, only the first is stored.
  if report.repeats(shift.report) { life.state.shift?.reportMarks = nil }
  life.state.shift?.known.learn(from: report.state)
  // An incident from before the current break ended when the break began.
  if let pause = shift.latestBreak, shift.isOnBreak {
    life.suspend(.breakStarted, at: pause.startedAt)
  }
  life.notifyOfEnd(policy: policy)
  return GuardStep(life.state, explained + life.effects, .reportInForce)
}

extension OpenShift {
  /// Whether `report` is from before what a take-over begins with. A shift that is confirmed is not
  /// taken over.
  func tookOver(longAfter report: PermissionReport, policy: Policy) -> Bool {
    guard let takenOverAt, takenOverAt != askedFrom else { return false }
    return takenOverAt - report.countsFrom > policy.freshFor
  }
}

private func stepTakeOver(
  _ state: GuardState, device: Int16, at: Instant, _ report: PermissionReport?, policy: Policy,
  now: Instant
) -> GuardStep {
  guard let shift = state.shift else { return GuardStep(state, .noOpenShift) }
  guard !shift.waitsForConfirmation else { return GuardStep(state, .waiting(shift: shift.number)) }
  guard shift.device != device else { return GuardStep(state, .tracking(shift: shift.number)) }
  guard at > max(shift.startedAt, shift.takenOverAt ?? shift.startedAt) else {
    return GuardStep(state, .outOfOrder(shift: shift.number))
  }
  // A much older report does not describe its current state.
  let report = report.flatMap { at - $0.effectiveAt > policy.freshFor ? nil : $0 }
  var life = IncidentLife(state, at: at, now: now)
  life.suspend(.deviceChanged)
  life.state.shift?.device = device
  life.state.shift?.takenOverAt = at
  life.state.shift?.report = report
  life.state.shift?.known = KnownState(report)
  life.state.shift?.reportMarks = nil
  life.state.shift?.flickers = shift.flickers.ofNextDevice
  life.effects.append(.tookOver(shift: shift.number, device: device, at: at))
  if let report {
    life.follow(report.state, isOnBreak: shift.isOnBreak, policy: policy)
  }
  life.notifyOfEnd(policy: policy)
  return GuardStep(life.state, life.effects, .tracking(shift: shift.number))
}

extension GuardState {
  /// A take-over of the past: in a shift that has ended, or earlier than it was, at `moved`.
  public func takenOver(
    _ shift: Int32, by device: Int16, at: Instant, insteadOf moved: Instant?
  ) -> GuardStep {
    var next = self
    if let moved, let open = next.shift, open.number == shift, open.takenOverAt == moved {
      next.shift?.takenOverAt = at
      next.shift?.reportMarks = nil
    }
    return GuardStep(
      next, [.tookOver(shift: shift, device: device, at: at)], .tracking(shift: shift))
  }

  /// This state, but with the shift's reports to be read again.
  fileprivate func readingReports() -> GuardState {
    var state = self
    state.shift?.reportMarks = nil
    return state
  }

  /// The same, if a report of another device may be from when that tracked the shift.
  fileprivate func readingReports(after report: PermissionReport) -> GuardState {
    guard let takenOverAt = shift?.takenOverAt, report.effectiveAt < takenOverAt else {
      return self
    }
    return readingReports()
  }
}

extension PermissionReport {
  fileprivate func repeats(_ other: PermissionReport?) -> Bool {
    guard let sequence, let other else { return false }
    return installation == other.installation && sequence == other.place
  }
}

extension GuardStep {
  init(_ state: GuardState, _ answer: GuardAnswer) {
    self.init(state: state, effects: [], answer: answer)
  }

  init(_ state: GuardState, _ effects: [GuardEffect], _ answer: GuardAnswer) {
    self.init(state: state, effects: effects, answer: answer)
  }

  /// Stores since when the tracking device cannot be located: from the first impairment until none
  /// is left, and since when that is so. A break in between discards it.
  fileprivate mutating func noteUnlocatable(before: GuardState) {
    guard let shift = state.shift else { return }
    let wasLost = before.cannotLocate && before.shift?.device == shift.device
    let losses = effects.compactMap { $0.unlocatableSince }
    // A denial and its healing may come in one upload; a recount knows by itself.
    if wasLost || !losses.isEmpty, !state.cannotLocate,
      !effects.contains(where: { $0.isRecorded })
    {
      let end = effects.compactMap { $0.closedAt }.max()
      // A loss that was replaced in the same instant never counted.
      let lostAt = wasLost ? before.shift?.unlocatableSince : losses.min()
      if end != lostAt { state.shift?.locatableSince = end }
    }
    if !state.cannotLocate || effects.contains(where: { $0.isOfBreak }) {
      state.shift?.unlocatableSince = nil
    } else if !wasLost {
      state.shift?.unlocatableSince = losses.min()
    }
  }

  /// This step followed by `next`, which began with its result; the answer is that of `next`.
  func followed(by next: GuardStep) -> GuardStep {
    GuardStep(next.state, effects + next.effects, next.answer)
  }
}

extension GuardEffect {
  fileprivate var isRecorded: Bool {
    if case .incidentRecorded = self { true } else { false }
  }

  fileprivate var isOfBreak: Bool {
    switch self {
    case .breakStarted, .breakEnded: true
    default: false
    }
  }

  /// When it closed an incident.
  fileprivate var closedAt: Instant? {
    switch self {
    case .incidentClosed(_, let at, _): at
    case .incidentRecorded(let recorded, _): recorded.closedAt
    default: nil
    }
  }

  /// Since when the phone cannot be located by this effect; `nil` if it does not concern that.
  fileprivate var unlocatableSince: Instant? {
    switch self {
    case .incidentOpened(let incident, _): incident.kind.cannotLocate ? incident.openedAt : nil
    case .incidentRecorded(let recorded, _):
      recorded.closedAt == nil && recorded.incident.kind.cannotLocate
        ? recorded.incident.openedAt : nil
    default: nil
    }
  }
}

extension OpenShift {
  func rests(at instant: Instant) -> Bool {
    guard let latestBreak, latestBreak.endedAt == nil else { return false }
    return instant >= latestBreak.startedAt
  }

  /// `instant`, or the next moment from then on at which the device had to track: not before the
  /// shift or the take-over, and not in the last ended break.
  func tracked(from instant: Instant) -> Instant {
    let start = max(instant, startedAt, takenOverAt ?? startedAt)
    guard let latestBreak, let endedAt = latestBreak.endedAt, start >= latestBreak.startedAt else {
      return start
    }
    return max(start, endedAt)
  }
}

extension Evidence {
  public var report: PermissionReport? {
    guard case .report(let report, _) = self else { return nil }
    return report
  }
}
