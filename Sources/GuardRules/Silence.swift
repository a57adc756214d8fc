public import ShiftDomain

// A phone without contact, or without positions. Only the watch over all open shifts detects
// silence; a phone cannot report it.

public struct SilenceEvidence: Hashable, Sendable {
  public var lastReceipt: Instant?
  /// The last accepted fix or rest in this shift; `nil` before the first.
  public var lastPosition: Instant?
  /// The last position before the opening of the `no_fix` that is open, and the first from it on,
  /// with what has come late.
  public var positionBefore: Instant?
  public var positionAfter: Instant?
  /// The first rest or hidden time from that opening on, with what has come late.
  public var announcedAfter: Instant?
  /// The receipt of the request with the last accepted fix.
  public var positionReceipt: Instant?
  /// The end of the rest that it announced in this shift, or of the time that its page was hidden.
  public var restsUntil: Instant?
  /// Around a silence of contact that is over: rests and hidden times, with what has come late.
  public var announced = IntervalSet()
  /// When its page went into the background, if that was its last report about itself.
  public var hiddenSince: Instant?
  /// When it announced its newest rest, if that was its last report about itself, in this shift.
  public var restingSince: Instant?
  /// The last two receipts with a long gap in between.
  public var gap: Interval?
  /// When the newest silence without contact ended.
  public var contactEndedAt: Instant?
  /// The receipt of an offline clock action, which positions follow.
  public var lateAction: Instant?
  /// The receipt of the clock-in, the undo of a correction that had ended the open shift, or a
  /// correction that ended its break. Before it coverage alone says what is missing.
  public var clockInReceipt: Instant?
  /// How long a fix counts as tracked while this device tracks.
  public var fixAgeMax: TimeSpan
  public var outages: IntervalSet

  public init(fixAgeMax: TimeSpan, outages: IntervalSet = IntervalSet()) {
    self.fixAgeMax = fixAgeMax
    self.outages = outages
  }
}

extension SilenceEvidence {
  /// When silence after `sign` is too long: so long after it that every instant since has no
  /// coverage, and as long after the end of each outage of ours that began before that.
  fileprivate func due(after sign: Instant) -> Instant {
    outages.intervals.reduce(sign + fixAgeMax) { due, outage in
      outage.start < due ? max(due, outage.end + fixAgeMax) : due
    }
  }

  /// What remains of a silence when each of these times is taken out, with the L after it.
  func remains(of silence: Interval, without signs: [Interval]) -> [Interval] {
    let excused = signs.filter { $0.start < silence.end }.map { sign in
      Interval(from: sign.start, to: due(after: min(sign.end, silence.end)))
    }
    return IntervalSet([silence]).subtracting(IntervalSet(excused)).intervals
  }

  fileprivate func remains(of silence: Interval) -> [Interval] {
    remains(of: silence, without: announced.intervals)
  }

  /// When the silence in `gap`, the newest, was too long.
  fileprivate func due(in gap: Interval, of shift: OpenShift) -> Instant {
    due(
      after: latest(
        clockInReceipt, gap.start, contactEndedAt, shift.askedFrom, other: shift.trackedSince))
  }

  public func contactDue(in shift: OpenShift) -> Instant {
    due(
      after: latest(
        lastReceipt, contactEndedAt, clockInReceipt, restsUntil, shift.askedFrom,
        other: shift.trackedSince))
  }

  /// When a missing position is too long although there was other contact; `nil` without other
  /// contact. Positions follow an offline clock action. A phone that can be located again has as
  /// much time for its next position as after a clock-in.
  public func fixDue(in shift: OpenShift) -> Instant? {
    let since = latest(lateAction, clockInReceipt, other: shift.trackedSince)
    let carried = latest(lastPosition.flatMap { $0 < since ? nil : positionReceipt }, other: since)
    guard let lastReceipt, lastReceipt > carried else { return nil }
    return due(
      after: latest(
        lastPosition, restsUntil, contactEndedAt, shift.locatableSince, shift.askedFrom,
        other: since))
  }
}

extension SilenceEvidence {
  /// The last receipt before a silence without contact that was due at `due`.
  public func receipt(before due: Instant) -> Instant? {
    gap.flatMap { $0.end > due ? $0.start : nil } ?? lastReceipt
  }
}

/// The cause of a silence without contact, by all reports of its device in the shift: the first
/// that explains it.
/// - Parameter receipt: The last one before it.
public func cause(
  of silence: Interval, since receipt: Instant, in reports: [ReceivedReport]
) -> IncidentKind? {
  reportsInOrder(reports).cause(of: silence, since: receipt)
}

/// How long after its deadline a silence of positions is recorded, dated at it. If contact is lost
/// by then, that alone is recorded.
public let fixGrace = TimeSpan.seconds(5)

private func latest(_ instants: Instant?..., other: Instant) -> Instant {
  instants.reduce(other) { max($0, $1 ?? $0) }
}

/// The events that the watch over silence detects at `present`, in order of time: silences that
/// have become too long, and signs of life. No silence begins on a break or while the page is
/// hidden, and none of positions while the phone cannot be located or has no contact anyway. A
/// silence that ended before it was detected is recorded all the same, with its end.
public func silenceEvents(in state: GuardState, _ evidence: SilenceEvidence, present: Instant)
  -> [GuardEvent]
{
  guard let shift = state.shift, !shift.isOnBreak, let device = shift.device else { return [] }
  var events = contactEvents(in: state, shift, of: device, evidence, present: present)
  let contactDue = events.lazy.compactMap { event -> Instant? in
    guard case .silence(.noContact, _, let since) = event else { return nil }
    return since
  }.min()
  // What ended a silence of contact is no contact from before it.
  var before = evidence
  if let contactDue { before.lastReceipt = evidence.receipt(before: contactDue) }
  if let incident = state[.fix] {
    events += fixEvents(of: incident, in: state, on: device, evidence, present: present)
  } else if state[.contact] == nil, evidence.hiddenSince == nil,
    !state.incidents.contains(where: { $0.kind.cannotLocate }),
    let due = before.fixDue(in: shift), due + fixGrace <= present,
    min(contactDue ?? evidence.contactDue(in: shift), evidence.contactDue(in: shift))
      > due + fixGrace
  {
    events.insert(.silence(.noFix, device: device, since: due), at: 0)
  }
  return events
}

/// An older position that came late moves the opening; the first one after that closes, or a page
/// that goes into the background, or a rest. Where something else says what is missing, nothing
/// opens.
private func fixEvents(
  of incident: OpenIncident, in state: GuardState, on device: Int16, _ evidence: SilenceEvidence,
  present: Instant
) -> [GuardEvent] {
  var (before, after) = (evidence.positionBefore, evidence.positionAfter)
  if let last = evidence.lastPosition {
    if last < incident.openedAt { before = before ?? last } else { after = after ?? last }
  }
  let isAtRest = evidence.restsUntil.map { incident.openedAt < $0 } ?? false
  let announced = evidence.hiddenSince ?? (isAtRest ? evidence.restingSince : nil)
  after = [after, announced, evidence.announcedAfter].compactMap { $0 }.min()
  let end = after.map { GuardEvent.signOfLife(.noFix, device: device, at: $0) }
  guard let due = before.map({ evidence.due(after: $0) }), due > incident.openedAt else {
    return end.map { [$0] } ?? []
  }
  let isSaid = state.incidents.contains { other in
    other.openedAt <= due && (other.kind.cannotLocate || other.kind == .noContact)
  }
  let wasSilent = evidence.gap.map { gap in
    let silence = Interval(from: evidence.due(after: gap.start), to: gap.end)
    return evidence.remains(of: silence).contains { $0.start <= due && due < $0.end }
  }
  guard due < after ?? present - fixGrace, !isSaid, wasSilent != true else {
    return [.silenceMoved(.noFix, device: device, to: nil)]
  }
  return [.silenceMoved(.noFix, device: device, to: due)] + (end.map { [$0] } ?? [])
}

private func contactEvents(
  in state: GuardState, _ shift: OpenShift, of device: Int16, _ evidence: SilenceEvidence,
  present: Instant
) -> [GuardEvent] {
  func silent(_ since: Instant) -> GuardEvent {
    .silence(.noContact, device: device, since: since)
  }
  func heard(_ at: Instant) -> GuardEvent {
    .signOfLife(.noContact, device: device, at: at)
  }
  var events: [GuardEvent] = []
  if let incident = state[.contact] {
    let first = [evidence.gap?.end, evidence.lastReceipt].compactMap { $0 }
      .first { $0 >= incident.openedAt }
    guard let first else { return [] }
    // Its own older signs may have ended a rest before it.
    let due = evidence.gap.flatMap { $0.end == first ? evidence.due(in: $0, of: shift) : nil }
    let opening = min(incident.openedAt, due ?? incident.openedAt)
    let left = evidence.remains(of: Interval(from: opening, to: first))
    if left.first?.start != incident.openedAt {
      events = [.silenceMoved(.noContact, device: device, to: left.first?.start)]
    }
    events += left.flatMap { [silent($0.start), heard($0.end)] }.dropFirst()
  } else if let gap = evidence.gap, gap.end > shift.trackedSince,
    evidence.contactEndedAt.map({ $0 < gap.end }) ?? true
  {
    events = evidence.remains(of: Interval(from: evidence.due(in: gap, of: shift), to: gap.end))
      .flatMap { [silent($0.start), heard($0.end)] }
  }
  let due = evidence.contactDue(in: shift)
  if due <= present, evidence.hiddenSince == nil { events.append(silent(due)) }
  return events
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

func stepSilenceMoved(
  _ state: GuardState, _ kind: SilenceKind, device: Int16, to opening: Instant?, policy: Policy,
  now: Instant
) -> GuardStep {
  guard let shift = state.shift, shift.device == device,
    let incident = state[kind.incident.dimension]
  else { return GuardStep(state, .noted) }
  var life = IncidentLife(state, at: opening ?? incident.openedAt, now: now)
  if let opening {
    life.move(incident, to: opening, in: shift)
  } else {
    life.withdraw(incident)
    life.notifyOfEnd(policy: policy)
  }
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
  life.notifyOfEnd(policy: policy)
  return GuardStep(life.state, life.effects, .noted)
}

extension OpenShift {
  /// Since when contact is due: the last of clock-in, break end and take-over.
  public var trackedSince: Instant {
    max(startedAt, latestBreak?.endedAt ?? startedAt, takenOverAt ?? startedAt)
  }
}
