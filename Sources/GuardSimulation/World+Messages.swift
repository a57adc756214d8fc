import GuardRules
import ShiftDomain

extension World {
  /// Ways other than the open app are added and removed.
  mutating func changeWays() {
    messages.ways = Set([Rung.push, .email, .managers].filter { _ in !dice.oneIn(4) })
    messages.wake(at: now)
  }

  /// When an app has been opened, waiting messages are decided on at once.
  mutating func noteOpenApps() {
    let isOpen = isAppOpen
    if isOpen, !messages.hadOpenApp { messages.wake(at: now) }
    messages.hadOpenApp = isOpen
  }

  /// Whether any device of the employee, tracking or not, shows messages at once.
  private var isAppOpen: Bool { handsets.contains { $0.app == .inFront && $0.isOnline } }

  /// Sends what is due by `time`.
  mutating func deliver(until time: Instant) {
    // From now on, nothing is judged as of an earlier time.
    let before = track.judgedAt
    track.judgedAt = max(before, time)
    ledger.sendWhatIsDue(time)
    if ledger.hasDue { messages.add(ledger.takeDue()) }
    while objection == nil, let place = messages.next(by: time) {
      look(at: place, now: max(messages.waiting[place].nextAt, before))
    }
  }

  private mutating func look(at place: Int, now: Instant) {
    let message = messages.waiting[place]
    let cause = rules.cause(message.notice, state, now)
    guard let kind = kind(of: message.notice) else {
      if case .ended = cause {} else { objection = "a message goes on that says nothing new" }
      messages.waiting.remove(at: place)
      return
    }
    if cause != .holds(kind) { objection = "a message does not say that \(kind.code) holds" }
    let telling = rules.telling(
      message.notice, situation(of: message, cause, kind), Ladder(of: policy), now)
    let duty = choice.duty(message, about: kind, messages, isAppOpen: isAppOpen, now: now)
    if !duty.isMet(by: telling, at: now), objection == nil {
      objection = "a message meets with \(telling) instead of \(duty)"
    }
    switch telling {
    case .send(let rung):
      note(rung, about: kind, now)
      messages.send(place, by: rung, about: kind, at: now)
    case .wait(let until): messages.waiting[place].nextAt = until
    case .finish: messages.waiting.remove(at: place)
    }
  }

  /// What the message is about now; `nil` when the incident is over or a newer message replaces it.
  private func kind(of notice: Notice) -> IncidentKind? {
    guard let incident = ledger.incidents.first(where: { $0.number == notice.subject }) else {
      return nil
    }
    return incident.ordinal > notice.ordinal && !incident.isCancelled ? nil : incident.kind
  }

  /// The message's situation, in the form that the rules take. Whatever is sent arrives at once.
  private func situation(
    of message: Messages.Message, _ cause: Cause, _ kind: IncidentKind
  ) -> TellingSituation {
    func state(_ rung: Rung, isThere: Bool) -> RungState {
      message.reached.contains(rung) ? .reached : isThere ? .ready : .absent
    }
    let shown = messages.shown[kind.dimension]
    return TellingSituation(
      cause: cause,
      rungs: RungStates(
        inApp: state(.inApp, isThere: isAppOpen),
        push: state(.push, isThere: messages.ways.contains(.push)),
        email: state(.email, isThere: messages.ways.contains(.email)),
        managers: state(.managers, isThere: messages.ways.contains(.managers))),
      earlier: message.hasLeft ? nil : messages.lastOutside[kind.dimension],
      hasLeft: message.hasLeft, isRepeated: shown.map { kind.badness <= $0.badness } ?? false)
  }

  private mutating func note(_ rung: Rung, about kind: IncidentKind, _ now: Instant) {
    switch rung {
    case .inApp:
      met.mark(.shown)
      if let last = messages.lastOutside[kind.dimension], now < last.at + choice.cooldown {
        met.mark(.heldBack)
      }
    case .push: met.mark(.pushed)
    case .email: met.mark(.mailed)
    case .managers: met.mark(.escalated)
    }
  }

  /// The objection to what alarmed people would be told now, if any. They may be told that tracking
  /// resumed only if no incident is left.
  func endObjection(at time: Instant) -> String? {
    let told = rules.cause(Notice(.restored, subject: 0, dueAt: time), state, time)
    guard let shift = oracle.shift else {
      return told == .ended(.shiftEnded) ? nil : "an end is told after the shift"
    }
    if shift.isOnBreak { return told == .rests ? nil : "an end is told on a break" }
    let worst = oracle.worstLeft(at: time)
    if told == .holds(worst) { return nil }
    return told == .holds(nil)
      ? "an all-clear is delivered though \(worst?.code ?? "nothing") is left"
      : "something else than \(worst?.code ?? "nothing") is told as left"
  }
}
