import GuardRules
import ShiftDomain

extension World {
  /// Adds and removes channels other than the open app.
  mutating func changeWays() {
    notifications.ways = Set(
      [EscalationStep.push, .email, .managers].filter { _ in !dice.oneIn(4) })
    wakeNotifications()
  }

  private mutating func wakeNotifications() { reviewNotifications(at: now) }

  /// Decides on pending notifications again at `time`.
  mutating func reviewNotifications(at time: Instant) {
    notifications.wake(at: time)
    if notifications.isEndWaiting { notifications.endDueAt = time }
  }

  /// After an app was opened, decides on pending notifications at once.
  mutating func noteOpenApps() {
    let isOpen = isAppOpen
    if isOpen, !notifications.hadOpenApp { wakeNotifications() }
    notifications.hadOpenApp = isOpen
  }

  /// Whether a device of the employee, tracking or not, shows notifications at once.
  private var isAppOpen: Bool { phones.contains { $0.app == .inFront && $0.isOnline } }

  /// Sends the notifications that are due by `time`.
  mutating func deliver(until time: Instant) {
    // From now on, nothing is judged as of an earlier time.
    let before = track.judgedAt
    track.judgedAt = max(before, time)
    reference.sendWhatIsDue(time)
    if reference.hasDue { notifications.add(reference.takeDue()) }
    while objection == nil {
      let place = notifications.next(by: time)
      if let end = notifications.endDueAt, end <= time,
        place.map({ notifications.waiting[$0].nextAt >= end }) ?? true
      {
        deliverEnd(now: max(end, before))
      } else if let place {
        decide(at: place, now: max(notifications.waiting[place].nextAt, before))
      } else {
        break
      }
    }
  }

  /// The end of alarms goes to the channels that told of something worse than what holds now, if
  /// there are any of them.
  private mutating func deliverEnd(now: Instant) {
    notifications.endDueAt = nil
    notifications.isEndWaiting = false
    guard let shift = oracle.shift else { return }
    guard !shift.isOnBreak, !shift.awaitsReport else { return notifications.isEndWaiting = true }
    let alarmed = notifications.channels(endingAt: reference.incidents.map { $0.kind })
    if notifications.told.waysToEnd(holding: state.incidents.map { $0.kind }) != alarmed {
      objection = "an end does not go to those that were alarmed"
    }
    let open = notifications.ways.union(isAppOpen ? [.inApp] : [])
    let ways = alarmed.intersection(open)
    notifications.isEndWaiting = ways.isEmpty && !alarmed.isEmpty
    notifications.end(
      by: ways, leaving: oracle.worstLeft(at: now), present: reference.incidents.map { $0.kind })
  }

  private mutating func decide(at place: Int, now: Instant) {
    let item = notifications.waiting[place]
    let cause = rules.cause(item.notification, state, now)
    guard let kind = kind(of: item.notification) else {
      if case .ended = cause {} else { objection = "a notification goes on that says nothing new" }
      notifications.waiting.remove(at: place)
      return
    }
    if cause != .holds(kind) { objection = "a notification does not say that \(kind.code) holds" }
    let delivery = rules.delivery(
      item.notification, situation(of: item, cause, kind, now), EscalationPolicy(of: policy), now)
    let duty = choice.duty(
      item, about: kind, notifications, first: oracle.firstAlarm(of: kind.dimension, by: now),
      isAppOpen: isAppOpen, now: now)
    if !duty.isMet(by: delivery, at: now), objection == nil {
      objection = "a notification gets \(delivery) instead of \(duty)"
    }
    switch delivery {
    case .send(let step):
      note(step, about: kind, now)
      notifications.send(place, by: step, about: kind, at: now)
    case .wait(let until): notifications.waiting[place].nextAt = until
    case .finish: notifications.waiting.remove(at: place)
    }
  }

  /// The incident's kind now; `nil` if it is over, accepted, or a newer notification replaces this
  /// one.
  private func kind(of notification: ShiftNotification) -> IncidentKind? {
    guard let incident = reference.incidents.first(where: { $0.episode == notification.subject }),
      !incident.isAccepted
    else { return nil }
    return incident.ordinal > notification.ordinal && !incident.isCancelled ? nil : incident.kind
  }

  /// The notification's situation in the form that the rules take. Sending succeeds at once.
  private func situation(
    of item: SimulatedNotifications.Item, _ cause: Cause, _ kind: IncidentKind, _ now: Instant
  ) -> DeliverySituation {
    func state(_ step: EscalationStep, isThere: Bool) -> StepState {
      item.reached.contains(step) ? .reached : isThere ? .ready : .absent
    }
    let shown = notifications.shown[kind.dimension]
    let steps = StepStates(
      inApp: state(.inApp, isThere: isAppOpen),
      push: state(.push, isThere: notifications.ways.contains(.push)),
      email: state(.email, isThere: notifications.ways.contains(.email)),
      managers: state(.managers, isThere: notifications.ways.contains(.managers)))
    return DeliverySituation(
      cause: cause, steps: steps.knowing(kind, from: notifications.told),
      firstAlarm: self.state.compared(by: now).shift?.notified.alarmedAt[kind.dimension],
      lastAlarms: notifications.lastAlarms[kind] ?? [:],
      isRepeated: shown.map { kind.badness <= $0.badness } ?? false)
  }

  private mutating func note(_ step: EscalationStep, about kind: IncidentKind, _ now: Instant) {
    switch step {
    case .inApp:
      caseCoverage.mark(.shown)
      if let last = notifications.lastAlarms[kind]?.values.max(), now < last + choice.cooldown {
        caseCoverage.mark(.heldBack)
      }
    case .push: caseCoverage.mark(.pushed)
    case .email: caseCoverage.mark(.mailed)
    case .managers: caseCoverage.mark(.escalated)
    }
  }

  /// The objection to the notification of an end that would be sent now, if any. It may say that
  /// tracking resumed only if no incident is left.
  func endObjection(at time: Instant) -> String? {
    let cause = rules.cause(ShiftNotification(.restored, subject: 0, dueAt: time), state, time)
    guard let shift = oracle.shift else {
      return cause == .ended(.shiftEnded) ? nil : "an end is reported after the shift"
    }
    if shift.isOnBreak || shift.awaitsReport {
      return cause == .rests ? nil : "an end is reported on a break, or by a silent device"
    }
    let worst = oracle.worstLeft(at: time)
    if cause == .holds(worst) { return nil }
    return cause == .holds(nil)
      ? "an all-clear is delivered though \(worst?.code ?? "nothing") is left"
      : "something other than \(worst?.code ?? "nothing") is reported as left"
  }
}
