import ShiftDomain

/// Changes an employee's incidents to match a permission state, and collects the effects. Incidents
/// open on state, not on change, and under every policy; policy only decides who is notified.
struct IncidentLife {
  var effects: [GuardEffect] = []
  var state: GuardState
  /// When the state took effect.
  private let at: Instant
  /// When impairments that prevent locating the phone count as opened: at the latest `at`.
  private let openingAt: Instant
  /// When the server received it.
  private let now: Instant
  /// When the debounce ends that runs already, with which this change is told; `nil`: none runs.
  private let runningUntil: Instant?
  /// The first closed incident of those that notified somebody.
  private var ended: OpenIncident?

  /// - Parameter before: The state before the event, if this is not it.
  init(
    _ state: GuardState, at: Instant, openingAt: Instant? = nil, now: Instant,
    since before: GuardState? = nil
  ) {
    self.state = state
    runningUntil = (before ?? state).shift?.notified.comparesAt
    self.at = at
    self.openingAt = openingAt ?? at
    self.now = now
  }

  /// A shift begins: existing impairments are incidents from the start, and nobody is notified,
  /// because the employee has just seen the decision and accepted them.
  mutating func begin(with permission: PermissionState) {
    let device = state.shift?.device
    state.shift?.accepted.begin(with: permission, on: device)
    for kind in permission.impairments { open(kind, debouncedUntil: at) }
  }

  /// A report takes effect during a shift. On a break it opens nothing.
  mutating func follow(_ permission: PermissionState, isOnBreak: Bool, policy: Policy) {
    followAccepted(permission, isOnBreak: isOnBreak)
    for dimension in Dimension.reported {
      switch (state[dimension], permission.reading(of: dimension)) {
      case (_, .absent), (_, .unknown), (nil, .clear):
        break
      case (nil, .impaired(let kind)):
        if !isOnBreak { arise(kind, policy: policy) }
      case (let incident?, .impaired(let kind)):
        change(incident, to: kind, policy: policy)
      case (let incident?, .clear):
        restore(incident, policy: policy)
      }
    }
  }

  /// The same of a report that another one of its upload follows: nobody is notified.
  mutating func record(_ permission: PermissionState, isOnBreak: Bool) {
    followAccepted(permission, isOnBreak: isOnBreak)
    for dimension in Dimension.reported {
      switch (state[dimension], permission.reading(of: dimension)) {
      case (_, .absent), (_, .unknown), (nil, .clear): break
      case (nil, .impaired(let kind)):
        if !isOnBreak { open(kind, debouncedUntil: now) }
      case (let incident?, .impaired(let kind)):
        if incident.kind != kind { replace(incident, by: kind) }
      case (let incident?, .clear): close(incident, .restored, cancels: false)
      }
    }
  }

  /// Tells what holds now, after reports that were only recorded since `before`.
  mutating func tell(since before: GuardState, policy: Policy) {
    if state.shift?.isOnBreak == true { return }
    for silence in before.incidents where !silence.kind.dimension.isReported {
      if state[silence.kind.dimension]?.number != silence.number { noteEnd(of: silence) }
    }
    for dimension in Dimension.reported {
      let (was, present) = (before[dimension], state[dimension])
      if was?.number == present?.number {
        if let was, let present { tellAccepted(present, after: was, policy: policy) }
        continue
      }
      if let was, let present, was.episode == present.episode {
        tell(present, after: was, policy: policy)
        continue
      }
      let told = was.flatMap { $0.told(by: now) }
      if let was, hasWaitingNotification(was) { cancelNotification(about: was) }
      guard let present else {
        if let was { noteEnd(of: was) }
        continue
      }
      var known = present
      known.debouncedUntil = comparison(under: policy)
      known.notifiedKind = told
      known.wasNotifiedBefore = was?.wasNotified(by: now) == true || state.hasNamed(present.kind)
      replace(present, with: known)
      if !present.isAccepted, told.map({ !$0.isWorse(than: present.kind) }) ?? true {
        // A way that knows it hears nothing; what was not reached yet still is.
        notify(of: dimension, policy: policy)
      } else if let was, present.kind != told {
        noteEnd(of: was)
      }
    }
    notifyOfEnd(policy: policy)
  }

  /// Tells of an incident that counts as accepted, or does no longer, because the past has changed.
  private mutating func tellAccepted(
    _ present: OpenIncident, after was: OpenIncident, policy: Policy
  ) {
    guard was.isAccepted != present.isAccepted else { return }
    guard present.isAccepted else { return notify(of: present.kind.dimension, policy: policy) }
    if hasWaitingNotification(was) {
      cancelNotification(about: was)
      var known = present
      known.notificationDueAt = nil
      replace(present, with: known)
    }
    noteEnd(of: was)
  }

  /// A silence beside a notified incident that prevents locating has its cause: nobody is notified.
  mutating func fallSilent(_ kind: IncidentKind, policy: Policy) {
    let isExplained = state.incidents.contains { $0.kind.cannotLocate && $0.wasNotified(by: now) }
    if kind == .noContact, isExplained {
      open(kind, debouncedUntil: comparison(under: policy))
    } else {
      arise(kind, policy: policy)
    }
  }

  /// The tracking device had contact: its silence ends at the receipt.
  mutating func endSilence() {
    guard let silence = state[.contact] else { return }
    close(silence, .resumed, at: now)
  }

  /// Notifies once of the end of closed incidents, with what is left, at the steps that the alarm
  /// reached: when the debounce ends, after a break or the new device's first report. To be called
  /// after all changes of an event.
  mutating func notifyOfEnd(policy: Policy) {
    guard let ended, state.shift != nil, ended.placeInEpisode < .max else { return }
    self.ended = nil
    let left = worstLeft(in: state, at: now)
    effects.append(
      .notify(
        ShiftNotification(
          .restored, subject: ended.episode, ordinal: ended.placeInEpisode, kind: left,
          dueAt: comparison(under: policy))))
    // What this notification calls left counts as notified from then on, whatever its origin.
    guard let left, let incident = state[left.dimension], incident.kind == left,
      !hasWaitingNotification(incident)
    else { return }
    var notified = incident
    notified.wasNotifiedBefore = true
    replace(incident, with: notified)
  }

  /// All open incidents end for the same reason: at `instant`, or when the event took effect.
  mutating func endAll(_ cause: IncidentClosing, at instant: Instant? = nil) {
    for incident in state.incidents { close(incident, cause, at: instant) }
  }

  /// All open incidents end, because the device rests or does not track any more.
  mutating func suspend(_ cause: IncidentClosing, at instant: Instant? = nil) {
    state.shift?.accepted.pause(at: instant ?? at, after: state.incidents)
    endAll(cause, at: instant)
  }

  /// Only the device on which something was accepted lowers it, and not on a break.
  private mutating func followAccepted(_ permission: PermissionState, isOnBreak: Bool) {
    guard let shift = state.shift, shift.device == shift.accepted.device, !isOnBreak else { return }
    state.shift?.accepted.follow(permission, at: at, after: state.incidents)
  }

  private mutating func arise(_ kind: IncidentKind, policy: Policy) {
    open(kind, debouncedUntil: comparison(under: policy))
    if state[kind.dimension]?.isAccepted == false { notify(of: kind.dimension, policy: policy) }
  }

  /// When what holds is compared with what was told: at the end of the debounce.
  private func comparison(under policy: Policy) -> Instant {
    let end = now + policy.debounce
    return min(runningUntil ?? end, end)
  }

  /// Restored before its notification was due, it is a flicker if it lasted no longer, and the
  /// third of those notifies. Only reported dimensions flicker, not silence.
  mutating func restore(_ incident: OpenIncident, policy: Policy) {
    guard isFlicker(incident, under: policy) else {
      return close(incident, incident.kind.dimension.isReported ? .restored : .resumed)
    }
    close(incident, .flicker)
    noteFlicker(incident, policy: policy)
  }

  private func isFlicker(_ incident: OpenIncident, under policy: Policy) -> Bool {
    incident.kind.dimension.isReported && now < incident.debouncedUntil
      && at <= incident.openedAt + policy.debounce
  }

  private mutating func noteFlicker(_ incident: OpenIncident, policy: Policy) {
    let cooldown = policy.preset.row.notifiesBeyondOpenApp ? policy.cooldown : nil
    let begin = incident.debouncedUntil - policy.debounce
    guard
      state.shift?.flickers.add(at: now, debouncedSince: begin, cooldown: cooldown) == true
    else { return }
    effects.append(
      .notify(
        ShiftNotification(
          .unstable, subject: incident.episode, ordinal: incident.placeInEpisode,
          kind: incident.kind, dueAt: now)))
  }

  /// Where an incident comes from that opens at `instant`.
  private func origin(at instant: Instant) -> IncidentOrigin {
    guard let shift = state.shift else { return .midShift }
    return instant <= shift.askedFrom ?? shift.startedAt ? .atClockIn : .midShift
  }

  /// The end of the app says since when it cannot be located, and nothing of other kinds.
  private func opening(of kind: IncidentKind) -> Instant { kind.cannotLocate ? openingAt : at }

  private mutating func open(_ kind: IncidentKind, debouncedUntil: Instant) {
    state.lastIncident += 1
    let opening = opening(of: kind)
    let openedAt = max(opening, state.shift?.askedFrom ?? opening)
    let incident = OpenIncident(
      number: state.lastIncident, kind: kind, origin: origin(at: openedAt),
      evidence: opening < at ? .inferred : nil, openedAt: openedAt,
      isAccepted: accepts(kind), debouncedUntil: debouncedUntil, notificationDueAt: nil,
      wasNotifiedBefore: state.hasNamed(kind))
    state.incidents.append(incident)
    effects.append(.incidentOpened(incident))
  }

  /// The next incident of the episode begins. A worse kind is notified; a better one is the end of
  /// what was notified, and is what is left. A pending notification follows the state, and is
  /// cancelled if nothing is left that the employee did not know.
  private mutating func change(
    _ incident: OpenIncident, to kind: IncidentKind, policy: Policy
  ) {
    guard kind != incident.kind else { return }
    let isFlicker = isFlicker(incident, under: policy)
    let next = replace(
      incident, by: kind, isFlicker ? .flicker : .changed,
      debouncedUntil: comparison(under: policy))
    if isFlicker { noteFlicker(incident, policy: policy) }
    tell(next, after: incident, policy: policy)
  }

  private func accepts(_ kind: IncidentKind) -> Bool {
    state.shift?.accepted.covers(kind) ?? false
  }

  /// Records the next incident of the episode.
  @discardableResult
  private mutating func replace(
    _ incident: OpenIncident, by kind: IncidentKind, _ closing: IncidentClosing = .changed,
    debouncedUntil: Instant? = nil
  ) -> OpenIncident {
    state.lastIncident += 1
    var next = incident
    next.number = state.lastIncident
    next.kind = kind
    let opening = opening(of: kind)
    next.evidence = opening < at ? .inferred : .reported
    next.openedAt = max(opening, incident.openedAt)
    next.origin = origin(at: next.openedAt)
    next.isAccepted = accepts(kind)
    next.debouncedUntil = debouncedUntil ?? now
    replace(incident, with: next)
    effects += [
      .incidentClosed(incident.number, at: next.openedAt, closing),
      .incidentOpened(next, after: incident.kind),
    ]
    return next
  }

  /// - Parameter incident: What the episode had when its newest notification was decided.
  private mutating func tell(
    _ next: OpenIncident, after incident: OpenIncident, policy: Policy
  ) {
    let kind = next.kind
    let worsened = kind.isWorse(than: incident.kind) && !next.isAccepted
    let isWaiting = hasWaitingNotification(incident)
    let isKnown =
      next.isAccepted || incident.notifiedKind.map { !kind.isWorse(than: $0) } ?? false
    var told = next
    if isWaiting && isKnown { told.notificationDueAt = nil }
    if worsened && !isWaiting {
      told.notifiedKind = incident.kind
      told.wasNotifiedBefore = incident.wasNotified(by: now)
    }
    replace(next, with: told)
    if isWaiting && isKnown {
      cancelNotification(about: incident)
      if kind != incident.notifiedKind { noteEnd(of: incident) }
    } else if isWaiting {
      effects.append(.amendNotification(notification(about: told, policy: policy)))
    } else if worsened {
      notify(of: kind.dimension, policy: policy)
    } else if kind != incident.kind {
      noteEnd(of: incident)
    }
  }

  private mutating func cancelNotification(about incident: OpenIncident) {
    effects.append(
      .cancelNotification(episode: incident.episode, ordinal: incident.notificationCount))
  }

  private mutating func close(
    _ incident: OpenIncident, _ cause: IncidentClosing, at instant: Instant? = nil,
    cancels: Bool = true
  ) {
    let end = max(instant ?? at, incident.openedAt)
    // Of a silence from after a break, a take-over or an end that came late, nothing remains.
    if !incident.kind.dimension.isReported, cause != .resumed, end == incident.openedAt {
      return withdraw(incident, isKnown: cause == .breakStarted)
    }
    replace(incident, with: nil)
    effects.append(.incidentClosed(incident.number, at: end, cause))
    guard cancels else { return }
    if hasWaitingNotification(incident) { cancelNotification(about: incident) }
    if cause != .changed, cause != .shiftEnded {
      noteEnd(of: incident, isKnown: cause == .breakStarted)
    }
  }

  /// It has no time left. Whoever was notified of it is notified of its end.
  mutating func withdraw(_ incident: OpenIncident, isKnown: Bool = false) {
    replace(incident, with: nil)
    effects.append(.incidentWithdrawn(incident.number))
    if hasWaitingNotification(incident) { cancelNotification(about: incident) }
    noteEnd(of: incident, isKnown: isKnown)
  }

  /// Something older that came late moves its opening, without a notification.
  mutating func move(_ incident: OpenIncident, to opening: Instant, in shift: OpenShift) {
    var moved = incident
    moved.openedAt = opening
    replace(incident, with: moved)
    effects.append(
      .incidentRecorded(RecordedIncident(moved, on: shift.device ?? 0), shift: shift.number))
  }

  /// - Parameter isKnown: Whether what was notified before an earlier break counts, too.
  private mutating func noteEnd(of incident: OpenIncident, isKnown: Bool = false) {
    let known = isKnown ? state.shift?.notified.kinds.kind(of: incident.kind.dimension) : nil
    if known != nil || incident.wasNotified(by: now) { ended = ended ?? incident }
  }

  /// The escalation decides who is notified. A phone that keeps changing may use up the ordinals.
  private mutating func notify(of dimension: Dimension, policy: Policy) {
    guard let incident = state[dimension], incident.notificationCount < .max else { return }
    var notified = incident
    notified.notificationCount += 1
    notified.notificationDueAt = comparison(under: policy)
    replace(incident, with: notified)
    effects.append(.notify(notification(about: notified, policy: policy)))
  }

  private func notification(about incident: OpenIncident, policy: Policy) -> ShiftNotification {
    ShiftNotification(
      .incident, subject: incident.episode, ordinal: incident.notificationCount,
      kind: incident.kind, dueAt: incident.notificationDueAt ?? now,
      isUrgent: policy.isUrgent(incident.kind))
  }

  private func hasWaitingNotification(_ incident: OpenIncident) -> Bool {
    guard let dueAt = incident.notificationDueAt else { return false }
    return now < dueAt
  }

  private mutating func replace(_ incident: OpenIncident, with other: OpenIncident?) {
    guard let place = state.incidents.firstIndex(of: incident) else { return }
    if let other { state.incidents[place] = other } else { state.incidents.remove(at: place) }
  }
}

extension OpenIncident {
  /// A number of its own among those of its episode, from 1. A phone that keeps changing may use
  /// them up.
  fileprivate var placeInEpisode: Int16 { Int16(clamping: number - episode + 1) }

  /// The kind that was notified last; `nil`: none.
  fileprivate func told(by now: Instant) -> IncidentKind? {
    let isSent = notificationDueAt.map { $0 <= now } ?? wasNotifiedBefore
    return isSent ? kind : notifiedKind
  }

  /// Whether a notification about it was due by `now`, so that somebody may have been notified.
  func wasNotified(by now: Instant) -> Bool {
    wasNotifiedBefore || notificationDueAt.map { $0 <= now } ?? false
  }
}
