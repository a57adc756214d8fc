import GuardRules
import ShiftDomain

/// What must hold after every step, derived from its effects alone.
struct GuardModel {
  private var waiting: [Int32: Instant] = [:]
  private var openedAt: [Int32: Instant] = [:]
  /// The episode of each open incident.
  private var episodes: [Int32: Int32] = [:]
  /// When each incident ended that changed.
  private var changedAt: [Int32: Instant] = [:]
  private var known: [Dimension: IncidentKind] = [:]
  private var shiftStart: Instant?
  private var newestShift: Int32 = 0
  private var newestIncident: Int32 = 0
  private var seen: Set<String> = []
  private var said: Set<String> = []

  /// Whether the walk met everything that can happen, so that a clean walk proves something.
  var isVaried: Bool {
    seen.isSuperset(of: [
      "shiftStarted", "shiftEnded", "opened", "worsened", "bettered", "restored", "flicker",
      "shift_ended", "incident", "cancel", "late", "noted", "blocked", "unstable", "confirmed",
      "declined", "shift_opened",
    ])
  }

  /// Follows one step; returns the promises that it breaks.
  mutating func follow(
    _ before: GuardState, _ event: GuardEvent, _ step: GuardStep, policy: Policy, now: Instant
  ) -> [String] {
    var broken = expectedAnswer(before, event, step)
    for effect in step.effects {
      broken += follow(effect, policy: policy, now: now)
    }
    learn(from: event, step.answer)
    // What is neither pending nor about an open incident is never looked at again.
    waiting = waiting.filter { now < $0.value || episodes.values.contains($0.key) }
    broken += compare(step.state, now: now)
    // What is remembered of the reports, and of what was told, has no effect.
    var state = step.state
    state.shift?.reportMarks = before.shift?.reportMarks
    if let notified = before.shift?.notified { state.shift?.notified = notified }
    for incident in before.incidents {
      guard let place = state.incidents.firstIndex(where: { $0.number == incident.number }) else {
        continue
      }
      state.incidents[place].wasNotifiedBefore = incident.wasNotifiedBefore
    }
    if step.effects.isEmpty, step.answer != .reportInForce, state != before {
      broken.append("a state changed without effect")
    }
    return broken
  }

  private mutating func expectedAnswer(
    _ before: GuardState, _ event: GuardEvent, _ step: GuardStep
  ) -> [String] {
    guard case .report(let report, let device) = event else {
      if case .blocked = step.answer { seen.insert("blocked") }
      return []
    }
    guard let shift = before.shift, shift.device == device else {
      seen.insert("noted")
      return step.answer == .reportNoted
        ? [] : ["a report of a device that does not track was not just noted"]
    }
    if let mine = report.sequence, let theirs = shift.report?.place, mine < theirs {
      seen.insert("late")
      return step.answer == .reportLate ? [] : ["a lower sequence was not late"]
    }
    // It never counts from before the preceding report; without a number it has that one's place.
    var expected = report
    if let preceding = shift.report {
      expected.countsFrom = max(report.effectiveAt, preceding.countsFrom)
      expected.place = report.sequence ?? preceding.place
    }
    return step.answer == .reportInForce && step.state.shift?.report == expected
      ? [] : ["a report is not in force"]
  }

  private mutating func follow(_ effect: GuardEffect, policy: Policy, now: Instant) -> [String] {
    switch effect {
    case .shiftStarted(let shift, let decision, _):
      return start(shift, decision)
    case .shiftConfirmed(let shift, let decision, _):
      return confirm(shift, decision)
    case .shiftEnded(let number, let end, let ending):
      seen.insert(ending == .declined ? "declined" : "shiftEnded")
      defer { shiftStart = nil }
      guard let start = shiftStart, number == newestShift, start < end else {
        return ["a shift ended that was not open, or before it began"]
      }
      return []
    case .incidentOpened(let incident, let kind):
      return open(incident, after: kind)
    case .incidentClosed(let number, let at, let cause):
      seen.insert(cause.code)
      guard let opened = openedAt.removeValue(forKey: number), opened <= at else {
        return ["an incident closed that is not open, or before it opened"]
      }
      let episode = episodes.removeValue(forKey: number)
      if cause == .changed || cause == .flicker, let episode { changedAt[episode] = at }
      return []
    case .notify(let notification):
      return notify(notification, policy: policy, now: now)
    case .amendNotification(let notification):
      seen.insert("amend")
      guard let dueAt = waiting[notification.subject], now < dueAt, notification.dueAt == dueAt
      else {
        return ["a notification was amended that is not pending"]
      }
      return []
    case .cancelNotification(let number, _):
      seen.insert("cancel")
      guard let dueAt = waiting.removeValue(forKey: number), now < dueAt else {
        return ["a notification was cancelled that is not pending"]
      }
      return []
    case .incidentRecorded, .incidentWithdrawn: return ["the past is recounted without a reason"]
    case .shiftStartMoved, .breakStarted, .breakEnded, .tookOver, .silenceExplained:
      return []
    }
  }

  private mutating func start(_ shift: OpenShift, _ decision: Decision) -> [String] {
    seen.insert("shiftStarted")
    var broken: [String] = []
    if shiftStart != nil { broken.append("two shifts are open") }
    if shift.number != newestShift + 1 { broken.append("a shift's number is not the next") }
    if decision.verdict == .block { broken.append("a blocked shift began") }
    newestShift = shift.number
    shiftStart = shift.startedAt
    return broken
  }

  private mutating func confirm(_ shift: OpenShift, _ decision: Decision) -> [String] {
    seen.insert("confirmed")
    var broken: [String] = []
    if shift.number != newestShift { broken.append("a shift was confirmed that is not open") }
    if shift.startedAt != shiftStart { broken.append("a confirmation moved the start") }
    if decision.verdict == .block { broken.append("a blocked shift was confirmed") }
    return broken
  }

  private mutating func open(_ incident: OpenIncident, after kind: IncidentKind?) -> [String] {
    seen.insert(
      kind.map { incident.kind.isWorse(than: $0) ? "worsened" : "bettered" } ?? "opened")
    var broken: [String] = []
    if kind.map({ $0.dimension == incident.kind.dimension && $0 != incident.kind }) == false {
      broken.append("an episode has another dimension, or twice the same kind")
    }
    let changedAt = changedAt.removeValue(forKey: incident.episode)
    if changedAt != (kind == nil ? nil : incident.openedAt) {
      broken.append("an episode has a gap, or another number")
    }
    episodes[incident.number] = incident.episode
    if incident.number != newestIncident + 1 { broken.append("an incident's number is not next") }
    guard let shiftStart, shiftStart <= incident.openedAt else {
      return broken + ["an incident opened without a shift, or before it"]
    }
    newestIncident = incident.number
    openedAt[incident.number] = incident.openedAt
    return broken
  }

  private mutating func notify(_ notification: ShiftNotification, policy: Policy, now: Instant)
    -> [String]
  {
    seen.insert(notification.topic.code)
    guard notification.topic == .incident else {
      let isLoud = notification.topic == .unstable && policy.preset == .advisory
      return notifyOnce(notification) + (isLoud ? ["advisory notified of a flicker"] : [])
    }
    var broken: [String] = []
    if !episodes.values.contains(notification.subject) {
      broken.append("a notification is about no open episode")
    }
    if notification.dueAt > now + policy.debounce || notification.dueAt < now {
      broken.append("a notification is not due at the end of its debounce")
    }
    if let dueAt = waiting[notification.subject], now < dueAt {
      broken.append("two notifications are pending for one incident")
    }
    waiting[notification.subject] = notification.dueAt
    return broken
  }

  /// A notification that is not about an incident is sent once.
  private mutating func notifyOnce(_ notification: ShiftNotification) -> [String] {
    let key = "\(notification.topic) \(notification.subject) \(notification.ordinal)"
    return said.insert(key).inserted ? [] : ["\(key) was sent twice"]
  }

  /// What a report leaves unknown stays as it was; a new shift begins with nothing known.
  private mutating func learn(from event: GuardEvent, _ answer: GuardAnswer) {
    switch (event, answer) {
    case (.report(let report, _), .reportInForce):
      learn(report.state)
    case (.clockIn(_, let at, let evidence, _, _), .clockedIn):
      known = [:]
      // An older one is judged, and says nothing about the shift.
      if let report = evidence.report, at - report.effectiveAt <= .minutes(5) {
        learn(report.state)
      }
    case (_, .clockedOut):
      known = [:]
    default:
      break
    }
  }

  private mutating func learn(_ state: PermissionState) {
    switch state.authorization {
    case .unknown: break
    case .restricted: known[.authorization] = .restricted
    case .denied: known[.authorization] = .denied
    case .notDetermined: known[.authorization] = .notDetermined
    case .whenInUse: known[.authorization] = .whenInUse
    case .always: known[.authorization] = nil
    }
    if state.services != .unknown { known[.services] = state.services == .off ? .servicesOff : nil }
    if state.accuracy != .unknown {
      known[.accuracy] = state.accuracy == .reduced ? .accuracyReduced : nil
    }
  }

  private func compare(_ state: GuardState, now: Instant) -> [String] {
    var broken: [String] = []
    if (state.shift == nil) != (shiftStart == nil) { broken.append("the shift differs") }
    if state.shift?.device == nil, !state.incidents.isEmpty {
      broken.append("incidents without a shift, or before its confirmation")
    }
    if state.lastShift != newestShift { broken.append("the newest shift differs") }
    if state.lastIncident != newestIncident { broken.append("the newest incident differs") }
    if Set(state.incidents.map(\.number)) != Set(openedAt.keys) {
      broken.append("the open incidents differ from the effects")
    }
    if state.incidents.count != known.count { broken.append("too many or too few incidents") }
    for dimension in Dimension.allCases where state[dimension]?.kind != known[dimension] {
      broken.append("\(dimension) is not what the reports say")
    }
    for (number, dueAt) in waiting where now < dueAt && !episodes.values.contains(number) {
      broken.append("a notification is pending for the closed episode \(number)")
    }
    for incident in state.incidents {
      if let dueAt = incident.notificationDueAt, waiting[incident.episode] != dueAt {
        broken.append("incident \(incident.number) remembers another notification")
      }
    }
    return broken
  }
}
