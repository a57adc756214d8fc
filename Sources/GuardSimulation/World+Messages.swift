import GuardRules
import ShiftDomain

extension World {
  /// Adds and removes channels other than the open app.
  mutating func changeWays() {
    messages.ways = Set([Rung.push, .email, .managers].filter { _ in !dice.oneIn(4) })
    messages.wake(at: now)
  }

  /// After an app was opened, decides on pending notifications at once.
  mutating func noteOpenApps() {
    let isOpen = isAppOpen
    if isOpen, !messages.hadOpenApp { messages.wake(at: now) }
    messages.hadOpenApp = isOpen
  }

  /// Whether a device of the employee, tracking or not, shows notifications at once.
  private var isAppOpen: Bool { handsets.contains { $0.app == .inFront && $0.isOnline } }

  /// Sends the notifications that are due by `time`.
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
      if case .ended = cause {} else { objection = "a notification goes on that says nothing new" }
      messages.waiting.remove(at: place)
      return
    }
    if cause != .holds(kind) { objection = "a notification does not say that \(kind.code) holds" }
    let telling = rules.telling(
      message.notice, situation(of: message, cause, kind), Ladder(of: policy), now)
    let duty = choice.duty(message, about: kind, messages, isAppOpen: isAppOpen, now: now)
    if !duty.isMet(by: telling, at: now), objection == nil {
      objection = "a notification gets \(telling) instead of \(duty)"
    }
    switch telling {
    case .send(let rung):
      note(rung, about: kind, now)
      messages.send(place, by: rung, about: kind, at: now)
    case .wait(let until): messages.waiting[place].nextAt = until
    case .finish: messages.waiting.remove(at: place)
    }
  }

  /// The incident's kind now; `nil` if it is over or a newer notification replaces this one.
  private func kind(of notice: Notice) -> IncidentKind? {
    guard let incident = ledger.incidents.first(where: { $0.number == notice.subject }) else {
      return nil
    }
    return incident.ordinal > notice.ordinal && !incident.isCancelled ? nil : incident.kind
  }

  /// The notification's situation in the form that the rules take. Sending succeeds at once.
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

  /// The objection to the notification of an end that would be sent now, if any. It may say that
  /// tracking resumed only if no incident is left.
  func endObjection(at time: Instant) -> String? {
    let told = rules.cause(Notice(.restored, subject: 0, dueAt: time), state, time)
    guard let shift = oracle.shift else {
      return told == .ended(.shiftEnded) ? nil : "an end is reported after the shift"
    }
    if shift.isOnBreak { return told == .rests ? nil : "an end is reported on a break" }
    let worst = oracle.worstLeft(at: time)
    if told == .holds(worst) { return nil }
    return told == .holds(nil)
      ? "an all-clear is delivered though \(worst?.code ?? "nothing") is left"
      : "something other than \(worst?.code ?? "nothing") is reported as left"
  }
}
