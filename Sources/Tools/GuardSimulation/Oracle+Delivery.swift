import GuardRules
import ShiftDomain

/// The next step for a notification about an incident, derived by the oracle.
enum Duty: Equatable {
  /// Send it by this channel now.
  case send(EscalationStep)
  /// Send nothing before then; `nil`: wait for another channel.
  case wait(until: Instant?)
  /// Nothing is left to send.
  case finish

  func isMet(by delivery: DeliveryDecision, at now: Instant) -> Bool {
    switch (self, delivery) {
    case (.send(let step), .send(let other)): step == other
    case (.wait(let until?), .wait(let other)): until == other
    case (.wait(nil), .wait(let other)): now < other
    case (.finish, .finish): true
    default: false
    }
  }
}

extension PolicyChoice {
  /// The next step at `now` for a due notification about `kind`, which still holds. The open app
  /// shows it at once. A channel that told the same or worse has no news. All others wait for
  /// the cooldown since their last alarm of the same kind. E-mail and managers count from the first
  /// alarm of the dimension since a comparison found nothing in it.
  func duty(
    _ item: SimulatedNotifications.Item, about kind: IncidentKind,
    _ notifications: SimulatedNotifications,
    first: Instant?, isAppOpen: Bool, now: Instant
  ) -> Duty {
    // What the app showed before it was closed reaches nobody now.
    let knowing = notifications.channels(knowing: kind).subtracting(isAppOpen ? [] : [.inApp])
    let reached = item.reached.union(knowing)
    let dueAt = item.notification.dueAt
    let isQuiet = preset.documented.isQuiet
    if isQuiet, let shown = notifications.shown[kind.dimension],
      kind.badness <= shown.badness
    {
      return .finish
    }
    // An app that is opened later fetches by itself what a push or e-mail has already said.
    let isReached = reached.contains(.push) || reached.contains(.email)
    if isAppOpen, !reached.contains(.inApp), !isReached { return .send(.inApp) }
    var times: [(way: EscalationStep, at: Instant)] = []
    if !isQuiet {
      if !reached.contains(.inApp) { times.append((.push, dueAt)) }
      // Where no push can come, the e-mail follows at once.
      let waits =
        notifications.ways.contains(.push) || reached.contains(.push) || reached.contains(.inApp)
      let start = min(first ?? dueAt, dueAt)
      times += [
        (.email, waits ? max(dueAt, start + emailAfter) : dueAt),
        (.managers, max(dueAt, start + managersAfter)),
      ]
    }
    times.removeAll { reached.contains($0.way) || !notifications.ways.contains($0.way) }
    for place in times.indices {
      guard let last = notifications.lastAlarms[kind]?[times[place].way] else { continue }
      times[place].at = max(times[place].at, last + cooldown)
    }
    if let first = times.first(where: { $0.at <= now }) { return .send(first.way) }
    if let next = times.map({ $0.at }).min() { return .wait(until: next) }
    return isReached || reached.contains(.inApp) ? .finish : .wait(until: nil)
  }
}
