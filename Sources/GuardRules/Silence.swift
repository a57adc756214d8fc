public import ShiftDomain

// A phone that says nothing, or says nothing of where it is. Only the watch over all open shifts
// sees silence; a phone cannot report it.

/// When a silence becomes an incident: so long after the last sign that every instant since is
/// without coverage. `nil` while no silence can be one: on a break, and for `noFix` while the phone
/// cannot be located anyway.
/// - Parameters:
///   - kind: Which silence.
///   - state: The employee's state, with an open shift.
///   - lastSign: `noContact`: the last receipt from the tracking device. `noFix`: the last accepted
///     fix. `nil` before the first.
///   - fixAgeMax: How long a fix speaks, by the policy at clock-in.
///   - downtime: How long we ourselves could not listen since the later of the two.
public func silenceDue(
  _ kind: SilenceKind, in state: GuardState, lastSign: Instant?, fixAgeMax: TimeSpan,
  downtime: TimeSpan
) -> Instant? {
  guard let shift = state.shift, !shift.isOnBreak else { return nil }
  if kind == .noFix, state.incidents.contains(where: { $0.kind.cannotLocate }) { return nil }
  return max(lastSign ?? shift.trackedSince, shift.trackedSince) + fixAgeMax + downtime
}

/// What is known of how silent the tracking device is.
public struct SilenceSigns: Hashable, Sendable {
  /// When something last came from it; `nil` before the first time.
  public var lastReceipt: Instant?
  /// When it last spoke for its position, by a fix or at rest; `nil` before the first time.
  public var lastPosition: Instant?
  /// When positions could come again: the newest incident ended that kept them away, as silence and
  /// a denial do, or a tap arrived that was made offline, behind which they follow. No position is
  /// overdue before it had its time since. `nil` without either.
  public var resumedAt: Instant?
  /// How long a fix speaks, by the policy at clock-in.
  public var fixAgeMax: TimeSpan
  /// When we ourselves could not listen.
  public var outages: IntervalSet

  /// What is known of a device.
  public init(
    lastReceipt: Instant?, lastPosition: Instant?, resumedAt: Instant?, fixAgeMax: TimeSpan,
    outages: IntervalSet
  ) {
    self.lastReceipt = lastReceipt
    self.lastPosition = lastPosition
    self.resumedAt = resumedAt
    self.fixAgeMax = fixAgeMax
    self.outages = outages
  }
}

/// The incidents that keep positions away: until they end, a missing one is no news.
public let positionBlockers = IncidentKind.allCases.filter { $0.cannotLocate || $0 == .noContact }

/// What the watch over silence has to say at `present`, in order of time: silences that have become
/// too long, and signs of life that end one. A silence has no position before it has no contact, if
/// receipts went on for a while; while nothing is heard, nothing more can be said.
///
/// INVARIANT: a silence is due, or a sign of life ends it, never both; so nothing flaps.
public func silenceEvents(in state: GuardState, _ signs: SilenceSigns, present: Instant)
  -> [GuardEvent]
{
  guard let shift = state.shift,
    let contactDue = signs.due(.noContact, in: state, lastSign: signs.lastReceipt)
  else { return [] }
  var events: [GuardEvent] = []
  if let incident = state[.fix] {
    if let at = signs.healing(incident, signs.lastPosition, present) {
      events.append(.signOfLife(.noFix, device: shift.device, at: at))
    }
  } else if state[.contact] == nil {
    let lastSign = max(signs.lastPosition ?? shift.trackedSince, signs.resumedAt ?? shift.startedAt)
    if let due = signs.due(.noFix, in: state, lastSign: lastSign), due <= present, due < contactDue
    {
      events.append(.silence(.noFix, device: shift.device, since: due))
    }
  }
  if let incident = state[.contact] {
    if let at = signs.healing(incident, signs.lastReceipt, present) {
      events.append(.signOfLife(.noContact, device: shift.device, at: at))
    }
  } else if contactDue <= present {
    events.append(.silence(.noContact, device: shift.device, since: contactDue))
  }
  return events
}

extension SilenceSigns {
  fileprivate func due(_ kind: SilenceKind, in state: GuardState, lastSign: Instant?) -> Instant? {
    guard let shift = state.shift else { return nil }
    let sign = max(lastSign ?? shift.trackedSince, shift.trackedSince)
    let since = IntervalSet(from: sign, to: Instant(milliseconds: .max))
    return silenceDue(
      kind, in: state, lastSign: sign, fixAgeMax: fixAgeMax,
      downtime: outages.intersection(since).length)
  }

  /// The sign that ends the incident; `nil` while it lasts. What was known when it opened does not
  /// end it, and neither does what is so old that the silence would begin again at once.
  fileprivate func healing(_ incident: OpenIncident, _ sign: Instant?, _ present: Instant)
    -> Instant?
  {
    guard let sign, sign + fixAgeMax > max(incident.openedAt, present) else { return nil }
    return sign
  }
}

func stepSilence(
  _ state: GuardState, _ kind: SilenceKind, device: Int16, since: Instant, policy: Policy,
  now: Instant
) -> GuardStep {
  guard let shift = state.shift, shift.device == device, !shift.isOnBreak,
    state[kind.incident.dimension] == nil
  else { return GuardStep(state, .noted) }
  if kind == .noFix, state.incidents.contains(where: { $0.kind.cannotLocate }) {
    return GuardStep(state, .noted)
  }
  var life = IncidentLife(state, at: shift.tracked(from: since), now: now)
  life.fallSilent(kind.incident, policy: policy)
  return GuardStep(life.state, life.effects, .noted)
}

func stepSignOfLife(
  _ state: GuardState, _ kind: SilenceKind, device: Int16, at: Instant, policy: Policy, now: Instant
) -> GuardStep {
  guard state.shift?.device == device, let incident = state[kind.incident.dimension] else {
    return GuardStep(state, .noted)
  }
  var life = IncidentLife(state, at: at, now: now)
  life.restore(incident, policy: policy)
  life.settle()
  return GuardStep(life.state, life.effects, .noted)
}

extension OpenShift {
  /// Since when the tracking device was to be heard of: clock-in, break end or take-over, whichever
  /// came last.
  public var trackedSince: Instant {
    max(startedAt, latestBreak?.endedAt ?? startedAt, takenOverAt ?? startedAt)
  }
}
