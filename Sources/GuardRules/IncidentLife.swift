import ShiftDomain

/// Moves an employee's incidents to what a permission state says, and notes what follows.
///
/// Incidents open on state, not on change, and under every policy; policy only decides who is told.
struct IncidentLife {
  var effects: [GuardEffect] = []
  var state: GuardState
  /// When the state took effect.
  private let at: Instant
  /// Since when what newly impairs has held: at the latest since then.
  private let openingAt: Instant
  /// The server's receipt of it.
  private let now: Instant
  /// The first incident that closed of those that somebody was alarmed of.
  private var ended: OpenIncident?

  init(_ state: GuardState, at: Instant, openingAt: Instant? = nil, now: Instant) {
    self.state = state
    self.at = at
    self.openingAt = openingAt ?? at
    self.now = now
  }

  /// A shift begins: what impairs it already is an incident from the start, and nobody is notified,
  /// since the employee has just been told.
  mutating func begin(with permission: PermissionState) {
    for dimension in Dimension.reported {
      guard case .impaired(let kind) = permission.reading(of: dimension) else { continue }
      open(kind, .atClockIn, debouncedUntil: at, toldKind: kind)
    }
  }

  /// A report takes effect during a shift. On a break it opens nothing.
  mutating func follow(_ permission: PermissionState, isOnBreak: Bool, policy: Policy) {
    for dimension in Dimension.reported {
      switch (state[dimension], permission.reading(of: dimension)) {
      case (_, .unknown), (nil, .clear):
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

  /// A silence lasts too long. Beside a told incident that keeps the phone from being located it
  /// has the same cause, and nobody is told again.
  mutating func fallSilent(_ kind: IncidentKind, policy: Policy) {
    let isExplained = state.incidents.contains { $0.kind.cannotLocate && $0.wasTold(by: now) }
    if kind == .noContact, isExplained {
      open(kind, .midShift, debouncedUntil: now + policy.debounce, toldKind: nil)
    } else {
      arise(kind, policy: policy)
    }
  }

  /// The tracking device was heard of: that ends its silence, at the receipt.
  mutating func hear() {
    guard let silence = state[.contact] else { return }
    close(silence, .restored, at: now)
  }

  /// Those who were alarmed of what has closed hear it, once, with what is left. To be called when
  /// all that the event says is taken in.
  mutating func settle() {
    guard let ended, state.shift != nil else { return }
    self.ended = nil
    let left = worstLeft(in: state, at: now)
    effects.append(
      .notify(Notice(.restored, subject: ended.number, kind: left, dueAt: now)))
    // What was told as left counts as told from then on, whatever its origin.
    guard let left, let incident = state[left.dimension], incident.kind == left,
      !hasWaitingNotice(incident)
    else { return }
    var told = incident
    told.wasToldBefore = true
    replace(incident, with: told)
  }

  /// Everything that is open ends for the same cause.
  /// - Parameter instant: When; `nil`: when the event took effect.
  mutating func endAll(_ cause: IncidentClosing, at instant: Instant? = nil) {
    for incident in state.incidents { close(incident, cause, at: instant) }
  }

  /// An incident in the middle of the shift.
  private mutating func arise(_ kind: IncidentKind, policy: Policy) {
    open(kind, .midShift, debouncedUntil: now + policy.debounce, toldKind: nil)
    notify(of: kind.dimension, policy: policy)
  }

  /// Healed before its message was due it was a flicker, and the third of those is told. Only what
  /// a report says flickers: a silence that ends was one.
  mutating func restore(_ incident: OpenIncident, policy: Policy) {
    let isReported = Dimension.reported.contains(incident.kind.dimension)
    guard isReported, now < incident.debouncedUntil else { return close(incident, .restored) }
    close(incident, .flicker)
    let cooldown = policy.preset == .advisory ? nil : policy.messageCooldown
    guard state.shift?.flickers.add(at: now, cooldown: cooldown) == true else { return }
    effects.append(
      .notify(
        Notice(.unstable, subject: incident.number, kind: incident.kind, dueAt: now)))
  }

  private mutating func open(
    _ kind: IncidentKind, _ origin: IncidentOrigin, debouncedUntil: Instant,
    toldKind: IncidentKind?
  ) {
    state.lastIncident += 1
    let incident = OpenIncident(
      number: state.lastIncident, kind: kind, origin: origin,
      openedAt: max(openingAt, state.shift?.askedFrom ?? openingAt),
      debouncedUntil: debouncedUntil, noticeDueAt: nil, toldKind: toldKind)
    state.incidents.append(incident)
    effects.append(.incidentOpened(incident))
  }

  /// A worse kind is stamped and told, a better one is taken silently. A message that still waits
  /// follows the state, and is taken back when nothing is left that the employee did not know of.
  private mutating func change(
    _ incident: OpenIncident, to kind: IncidentKind, policy: Policy
  ) {
    guard kind != incident.kind else { return }
    let worsened = kind.isWorse(than: incident.kind)
    let isWaiting = hasWaitingNotice(incident)
    let isKnown = incident.toldKind.map { !kind.isWorse(than: $0) } ?? false
    var changed = incident
    changed.kind = kind
    if isWaiting && isKnown { changed.noticeDueAt = nil }
    if worsened && !isWaiting {
      changed.toldKind = incident.kind
      changed.wasToldBefore = incident.wasTold(by: now)
    }
    replace(incident, with: changed)
    effects.append(
      .incidentChanged(changed, at: max(at, incident.openedAt), worsened: worsened))
    if isWaiting && isKnown {
      effects.append(.cancelNotice(incident: incident.number, ordinal: incident.notices))
    } else if isWaiting {
      effects.append(.amendNotice(notice(about: changed, policy: policy)))
    } else if worsened {
      notify(of: kind.dimension, policy: policy)
    }
  }

  private mutating func close(
    _ incident: OpenIncident, _ cause: IncidentClosing, at instant: Instant? = nil
  ) {
    replace(incident, with: nil)
    effects.append(
      .incidentClosed(incident.number, at: max(instant ?? at, incident.openedAt), cause))
    if hasWaitingNotice(incident) {
      effects.append(.cancelNotice(incident: incident.number, ordinal: incident.notices))
    }
    if cause == .restored, incident.wasTold(by: now) { ended = ended ?? incident }
  }

  /// Under every policy; who is told, and how, is the ladder's. Not once a phone that flips all day
  /// has used up the ordinals.
  private mutating func notify(of dimension: Dimension, policy: Policy) {
    guard let incident = state[dimension], incident.notices < .max else { return }
    var told = incident
    told.notices += 1
    told.noticeDueAt = now + policy.debounce
    replace(incident, with: told)
    effects.append(.notify(notice(about: told, policy: policy)))
  }

  /// The newest message about `incident`.
  private func notice(about incident: OpenIncident, policy: Policy) -> Notice {
    Notice(
      .incident, subject: incident.number, ordinal: incident.notices, kind: incident.kind,
      dueAt: incident.noticeDueAt ?? now,
      isUrgent: incident.kind.cannotLocate || policy.forbids(incident.kind))
  }

  private func hasWaitingNotice(_ incident: OpenIncident) -> Bool {
    guard let dueAt = incident.noticeDueAt else { return false }
    return now < dueAt
  }

  private mutating func replace(_ incident: OpenIncident, with other: OpenIncident?) {
    guard let place = state.incidents.firstIndex(of: incident) else { return }
    if let other { state.incidents[place] = other } else { state.incidents.remove(at: place) }
  }
}

extension OpenIncident {
  /// Whether a message about it was due by `now`, so that somebody may have been alarmed.
  func wasTold(by now: Instant) -> Bool {
    wasToldBefore || noticeDueAt.map { $0 <= now } ?? false
  }
}

extension Policy {
  /// Whether a shift could not begin with it.
  fileprivate func forbids(_ kind: IncidentKind) -> Bool {
    kind.finding.map { severities[$0] == .block } ?? false
  }
}
