import GuardRules
import ShiftDomain

// The expected answer to each event, and the state after it.

extension Oracle {
  mutating func receive(
    _ report: PermissionReport, _ truePermission: TruePermission, _ device: Int16,
    _ choice: PolicyChoice,
    _ now: Instant
  ) -> Outcome {
    guard let open = shift, open.device == device else { return Outcome(answer: .aside) }
    var isLate = false
    if let highest = open.highest, let number = report.sequence { isLate = number < highest }
    if now - report.effectiveAt > .hours(168) { isLate = true }
    var exit = report.appExit
    // The end of the app is not new if the app has reported since.
    if !isLate, let saidAt = open.saidAt, let statedExit = exit, statedExit.at <= saidAt {
      exit = nil
    }
    // If the device was silent then, this was the cause.
    let explained =
      truePermission.worstLoss ?? (exit?.cause == .userRequested ? IncidentKind.appTerminated : nil)
    if isLate { return Outcome(answer: .late, explained: explained) }
    // Any request of a device ends its silence.
    note(.heardAgain(.noContact), now, choice, now)
    // A report does not count from before the previous one.
    let countsFrom = max(report.effectiveAt, open.countsFrom ?? report.effectiveAt)
    // Nor does one from long before its device took over, whenever it comes.
    if let began = open.takenOverAt, began - countsFrom > .seconds(300) {
      return Outcome(answer: .inForce, explained: explained)
    }
    shift?.highest = report.sequence ?? open.highest
    shift?.saidAt = report.effectiveAt
    shift?.countsFrom = countsFrom
    var since = countsFrom
    if let exit, exit.cause == .permissionChange { since = min(since, exit.at) }
    var isOnBreak = false
    if let pause = open.breaks.last, pause.end == nil {
      isOnBreak = pause.start <= countsFrom
    }
    note(
      .seen(truePermission, onBreak: isOnBreak), trackable(from: since),
      closingAt: trackable(from: countsFrom), choice, now)
    // Incidents from before the break end with its start.
    if let pause = open.breaks.last, pause.end == nil {
      note(.breakBegan, pause.start, choice, now)
    }
    return Outcome(answer: .inForce, explained: explained)
  }

  mutating func begin(
    _ device: Int16, _ knowledge: ServerKnowledge, _ override: Override?, _ choice: PolicyChoice,
    _ now: Instant
  ) -> Answer {
    if let open = shift {
      return open.device == device
        ? .alreadyOpen(shift: open.number)
        : .openElsewhere(shift: open.number, device: open.device)
    }
    let judgement = choice.judgement(
      on: knowledge.findings(now: now), excusing: choice.excused(by: override))
    if judgement.verdict == .block { return .blocked(judgement) }
    shiftsBegun += 1
    var open = Shift(
      number: shiftsBegun, device: device, startedAt: now, settings: choice.settings,
      trackers: [(device, now)], shiftMax: choice.shiftMax, breakMax: choice.breakMax,
      begunAt: now)
    // An older one is judged, and says nothing about the shift.
    if case .report(let report, _, let truePermission) = knowledge,
      now - report.effectiveAt <= .seconds(300)
    {
      open.beginning = truePermission
      open.highest = report.sequence
      open.saidAt = report.effectiveAt
      open.countsFrom = report.effectiveAt
    }
    shift = open
    return .clockedIn(shift: shiftsBegun, judgement)
  }

  mutating func end(at: Instant) -> Answer {
    if let open = shift {
      guard open.startedAt < at else { return .endsBeforeStart(shift: open.number) }
      shift = nil
      return .clockedOut(shift: open.number)
    }
    // This may be the true end of a shift that ended at its limit.
    guard let ended = unconfirmed, ended.start < at, at <= ended.end else { return .notOpen }
    unconfirmed = nil
    return .clockedOut(shift: ended.number)
  }

  mutating func rest(at: Instant, _ choice: PolicyChoice, _ now: Instant) -> Answer {
    guard let open = shift else { return .notOpen }
    let last = open.breaks.last
    if let last, last.end == nil { return .resting(shift: open.number) }
    if at < max(open.startedAt, last?.end ?? open.startedAt) {
      return .tooEarly(shift: open.number)
    }
    shift?.breaks.append(Pause(start: at, receivedAt: now))
    note(.breakBegan, at, choice, now)
    return .resting(shift: open.number)
  }

  mutating func resume(at: Instant, _ choice: PolicyChoice, _ now: Instant) -> Answer {
    guard let open = shift else { return .notOpen }
    guard let last = open.breaks.last, last.end == nil else {
      return .notResting(shift: open.number)
    }
    guard last.start < at else { return .tooEarly(shift: open.number) }
    shift?.breaks[open.breaks.count - 1].end = at
    note(.workResumed, at, choice, now)
    return .working(shift: open.number)
  }

  mutating func takeOver(
    _ device: Int16, _ at: Instant, _ knowledge: ServerKnowledge, _ choice: PolicyChoice,
    _ now: Instant
  ) -> Answer {
    guard let open = shift else { return .notOpen }
    if open.device == device { return .tracking(shift: open.number) }
    if at <= open.startedAt { return .tooEarly(shift: open.number) }
    if let before = open.takenOverAt, at <= before { return .tooEarly(shift: open.number) }
    shift?.device = device
    shift?.takenOverAt = at
    shift?.trackers.append((device, at))
    shift?.highest = nil
    shift?.saidAt = nil
    shift?.countsFrom = nil
    shift?.flickers.removeAll(keepingCapacity: true)
    note(.deviceChanged(device), at, choice, now)
    guard case .report(let report, _, let truePermission) = knowledge,
      at - report.effectiveAt <= .seconds(300)
    else { return .tracking(shift: open.number) }
    shift?.highest = report.sequence
    shift?.saidAt = report.effectiveAt
    shift?.countsFrom = report.effectiveAt
    let isOnBreak = open.breaks.last.map { $0.end == nil } ?? false
    note(.seen(truePermission, onBreak: isOnBreak), at, choice, now)
    return .tracking(shift: open.number)
  }

  mutating func fallSilent(
    _ kind: SilenceKind, _ device: Int16, _ since: Instant, _ choice: PolicyChoice,
    _ now: Instant
  ) {
    guard let open = shift, open.device == device else { return }
    if let pause = open.breaks.last, pause.end == nil { return }
    if kind == .noFix, isBlind { return }
    let isExplained =
      kind == .noContact
      && histories.contains { history in
        var history = history
        history.wait(until: now)
        return history.isNotifiedAndBlind
      }
    note(.silent(kind.kind, isExplained: isExplained), trackable(from: since), choice, now)
  }

  /// Whether an open incident says that the phone cannot be located.
  var isBlind: Bool { histories.contains { $0.incident?.kind.blinds ?? false } }

  mutating func move(to start: Instant, _ now: Instant) -> Answer {
    guard let open = shift else { return .notOpen }
    if start > now { return .tooEarly(shift: open.number) }
    if let pause = open.breaks.last, start > pause.start { return .tooEarly(shift: open.number) }
    if let before = open.takenOverAt, start > before { return .tooEarly(shift: open.number) }
    shift?.startedAt = start
    shift?.trackers[0].since = start
    return .tracking(shift: open.number)
  }

  mutating func confirm(_ number: Int32, at: Instant) -> Answer {
    guard let ended = unconfirmed, ended.number == number else { return .notOpen }
    if at <= ended.start { return .endsBeforeStart(shift: number) }
    if at > ended.end { return .tooEarly(shift: number) }
    unconfirmed = nil
    return .clockedOut(shift: number)
  }

  /// Reminds the employee once per shift and once per break.
  mutating func pass(_ choice: PolicyChoice, _ now: Instant) -> Outcome {
    var outcome = Outcome(answer: .quiet)
    guard let open = shift else { return outcome }
    if !open.isReminded, open.startedAt + choice.reminderAfter <= now {
      shift?.isReminded = true
      outcome.announcements.append(Announcement(.clockOutReminder, open.number, dueAt: now))
    }
    if let pause = open.breaks.last, pause.end == nil, !pause.isAsked,
      pause.start + open.breakMax <= now
    {
      shift?.breaks[open.breaks.count - 1].isAsked = true
      outcome.announcements.append(
        Announcement(
          .longBreak, open.number, ordinal: Int16(open.breaks.count), dueAt: now))
    }
    return outcome
  }
}
