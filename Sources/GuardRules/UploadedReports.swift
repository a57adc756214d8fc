import ShiftDomain

// The reports of one upload, of a phone that was offline: each incident between them is recorded,
// but nobody is notified of what had passed, nor is it a flicker.

func stepReports(
  _ state: GuardState, _ reports: [PermissionReport], device: Int16, policy: Policy, now: Instant
) -> GuardStep {
  guard reports.count > 1, let shift = state.shift, shift.device == device else {
    var step = GuardStep(state, .noted)
    for report in reports {
      step = step.followed(
        by: GuardRules.step(step.state, .report(report, device: device), policy: policy, now: now))
    }
    return step
  }
  var (next, effects, answer) = (state, [GuardEffect](), GuardAnswer.reportLate)
  for report in reports {
    let step = recordReport(next, report, device: device, policy: policy, now: now)
    (next, effects) = (step.state, effects + step.effects)
    if step.answer == .reportInForce { answer = .reportInForce }
  }
  var life = IncidentLife(next, at: now, now: now, since: state)
  life.tell(since: state, policy: policy)
  return GuardStep(life.state, effects + life.effects, answer)
}

/// What a report changes in the record, without a notification.
private func recordReport(
  _ state: GuardState, _ report: PermissionReport, device: Int16, policy: Policy, now: Instant
) -> GuardStep {
  guard let shift = state.shift else { return GuardStep(state, .reportNoted) }
  guard !report.isHistory(after: shift.report, receivedAt: now) else {
    return GuardStep(
      state,
      report.silenceCause.map {
        [.silenceExplained($0, device: device, at: report.effectiveAt)]
      } ?? [], .reportLate)
  }
  let report = report.following(shift.report)
  let current = report.withoutOldExit(after: shift.report)
  var life = IncidentLife(
    state, at: shift.tracked(from: report.countsFrom),
    openingAt: shift.tracked(from: current.impairedSince), now: now)
  if let cause = current.silenceCause {
    life.effects.append(.silenceExplained(cause, device: device, at: report.effectiveAt))
  }
  life.endSilence()
  guard !shift.tookOver(longAfter: report, policy: policy) else {
    return GuardStep(life.state, life.effects, .reportInForce)
  }
  life.record(report.state, isOnBreak: shift.rests(at: report.countsFrom))
  life.state.shift?.report = report
  life.state.shift?.reportMarks = nil
  life.state.shift?.known.learn(from: report.state)
  if let pause = shift.latestBreak, shift.isOnBreak {
    life.suspend(.breakStarted, at: pause.startedAt)
  }
  return GuardStep(life.state, life.effects, .reportInForce)
}
