import ShiftDomain

/// Moves an employee's incidents to what a permission state says, and notes what follows.
///
/// Incidents open on state, not on change, and under every policy; policy only decides who is told.
struct IncidentLife {
  private(set) var effects: [GuardEffect] = []
  var state: GuardState
  /// When the state took effect.
  private let at: Instant
  /// Since when what newly impairs has held: at the latest since then.
  private let openingAt: Instant
  /// The server's receipt of it.
  private let now: Instant

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

  /// A report takes effect during a shift. On a break it can only make things better.
  mutating func follow(_ permission: PermissionState, isOnBreak: Bool, policy: Policy) {
    for dimension in Dimension.reported {
      switch (state[dimension], permission.reading(of: dimension)) {
      case (_, .unknown), (nil, .clear):
        break
      case (nil, .impaired(let kind)):
        if !isOnBreak { arise(kind, policy: policy) }
      case (let incident?, .impaired(let kind)):
        if !isOnBreak || !kind.isWorse(than: incident.kind) {
          change(incident, to: kind, policy: policy)
        }
      case (let incident?, .clear):
        restore(incident, policy: policy)
      }
    }
  }

  /// A silence lasts too long.
  mutating func fallSilent(_ kind: IncidentKind, policy: Policy) { arise(kind, policy: policy) }

  /// What is open in `dimensions` ends for the same cause.
  mutating func end(_ dimensions: [Dimension], _ cause: IncidentClosing) {
    for incident in state.incidents where dimensions.contains(incident.kind.dimension) {
      close(incident, cause)
    }
  }

  /// Everything ends for the same cause.
  mutating func endAll(_ cause: IncidentClosing) { end(Dimension.allCases, cause) }

  /// An incident in the middle of the shift.
  private mutating func arise(_ kind: IncidentKind, policy: Policy) {
    open(kind, .midShift, debouncedUntil: now + policy.debounce, toldKind: nil)
    notify(of: kind.dimension, policy: policy)
  }

  /// Healed before its message was due it was a flicker, and the third of those is told.
  mutating func restore(_ incident: OpenIncident, policy: Policy) {
    guard now < incident.debouncedUntil else { return close(incident, .restored) }
    close(incident, .flicker)
    guard state.shift?.flickers.add(at: now) == true, policy.preset != .advisory else { return }
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
      number: state.lastIncident, kind: kind, origin: origin, openedAt: openingAt,
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
    if worsened && !isWaiting { changed.toldKind = incident.kind }
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

  private mutating func close(_ incident: OpenIncident, _ cause: IncidentClosing) {
    replace(incident, with: nil)
    effects.append(.incidentClosed(incident.number, at: max(at, incident.openedAt), cause))
    if hasWaitingNotice(incident) {
      effects.append(.cancelNotice(incident: incident.number, ordinal: incident.notices))
    }
    guard cause == .restored, wasTold(incident) else { return }
    effects.append(
      .notify(Notice(.restored, subject: incident.number, kind: incident.kind, dueAt: now)))
  }

  /// Whether a message about it was due before now, so that somebody may have been alarmed.
  private func wasTold(_ incident: OpenIncident) -> Bool {
    incident.notices > 1
      || (incident.notices == 1 && incident.noticeDueAt != nil && !hasWaitingNotice(incident))
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

extension Policy {
  /// Whether a shift could not begin with it.
  fileprivate func forbids(_ kind: IncidentKind) -> Bool {
    kind.finding.map { severities[$0] == .block } ?? false
  }
}
