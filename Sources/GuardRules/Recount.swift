import ShiftDomain

// Late reports, breaks and take-overs change past incidents: those of the reported dimensions are
// computed again from all records of their shift, and silences are cut to what remains of them. An
// incident that has only other times keeps its number. Nobody is notified of the past; what holds
// now is told as if it had come in time.

/// What the record of a shift must become.
public struct Recount: Hashable, Sendable {
  let shift: Int32
  /// What is new, and what has other times than before. Closed ones come first: at most one of a
  /// dimension is open at any time.
  let changed: [RecordedIncident]
  /// These have no time left.
  let withdrawn: [Int32]
  /// The open incidents, by the numbers on record.
  let open: [OpenIncident]
  /// When the phone could be located again last.
  let restoredAt: Instant?
  let known: KnownState?
  let accepted: AcceptedKinds?
  let lastIncident: Int32

  /// `nil`: the record says the same.
  /// - Parameters:
  ///   - stored: All incidents of the shift, withdrawn ones too.
  ///   - state: Of the employee; the shift may be a closed one.
  ///   - leavesSilences: Whether silences stay as they are on record.
  public init?(
    of shift: Int32, _ stored: [RecordedIncident], as replay: ShiftReplay,
    _ facts: CoverageFacts, _ state: GuardState, debounce: TimeSpan, leavesSilences: Bool = false
  ) {
    let silences = stored.filter { !$0.incident.kind.dimension.isReported }
    let reported = stored.filter { $0.incident.kind.dimension.isReported }
    var record = Record(reported, lastIncident: state.lastIncident, debounce)
    let incidents = record.named(replay.incidents)
    let old = Set(stored)
    self.shift = shift
    let new = incidents.filter { !old.contains($0) }
    let (kept, left) =
      leavesSilences
      ? ([], []) : record.named(facts.endedSilences, silences.filter { $0.closedAt != nil })
    changed =
      kept.filter { !old.contains($0) }
      + new.filter { $0.closedAt != nil } + new.filter { $0.closedAt == nil }
    withdrawn = (record.left + left).filter { $0.closing != .withdrawn }.map { $0.incident.number }
    open = incidents.filter { $0.closedAt == nil }.map { $0.incident }
    restoredAt = StateTimeline(facts.frame).restorations.last
    (known, accepted) = (replay.state.shift?.known, replay.state.shift?.accepted)
    lastIncident = record.lastIncident
    let present = state.shift.flatMap { $0.number == shift ? $0 : nil }
    let isKnown = present.map { $0.known == known && $0.accepted.kinds == accepted?.kinds } ?? true
    if changed.isEmpty, withdrawn.isEmpty, isKnown { return nil }
  }
}

func stepRecounted(_ state: GuardState, _ recount: Recount, policy: Policy, now: Instant)
  -> GuardStep
{
  let effects =
    recount.withdrawn.map { GuardEffect.incidentWithdrawn($0) }
    + recount.changed.map { GuardEffect.incidentRecorded($0, shift: recount.shift) }
  var next = state
  next.lastIncident = recount.lastIncident
  guard let shift = state.shift, shift.number == recount.shift else {
    return GuardStep(next, effects, .noted)
  }
  next.shift?.known = recount.known ?? shift.known
  next.shift?.accepted = recount.accepted ?? shift.accepted
  next.shift?.locatableSince = recount.restoredAt
  next.shift?.reportMarks = nil
  next.incidents.removeAll { $0.kind.dimension.isReported }
  next.incidents += recount.open.map { $0.notified(like: state[$0.kind.dimension]) }
  var life = IncidentLife(next, at: now, now: now, since: state)
  life.tell(since: state, policy: policy)
  return GuardStep(life.state, effects + life.effects, .noted)
}

extension OpenIncident {
  /// The next incident of an episode goes on with what was notified about that.
  fileprivate func notified(like was: OpenIncident?) -> OpenIncident {
    guard let was, was.episode == episode, was.number != number else { return self }
    var incident = self
    incident.debouncedUntil = was.debouncedUntil
    incident.notificationDueAt = was.notificationDueAt
    incident.notificationCount = max(notificationCount, was.notificationCount)
    incident.notifiedKind = was.notifiedKind
    incident.wasNotifiedBefore = was.wasNotifiedBefore
    return incident
  }
}

/// What incidents are called on record: their numbers, and those of their episodes.
private struct Record {
  private(set) var lastIncident: Int32
  /// How long a flicker lasts at most.
  private let debounce: TimeSpan
  /// Those that are none of the incidents so far.
  private(set) var left: [RecordedIncident]
  /// By episode, how often it was notified.
  private var counts: [Int32: Int16] = [:]

  init(_ stored: [RecordedIncident], lastIncident: Int32, _ debounce: TimeSpan) {
    (self.lastIncident, self.debounce) = (lastIncident, debounce)
    // One that was replaced at the instant of its opening is in no list, nor in a replay.
    left = stored.filter { $0.closedAt != $0.incident.openedAt || $0.closing == .withdrawn }
    for recorded in stored {
      let (episode, count) = (recorded.incident.episode, recorded.incident.notificationCount)
      counts[episode] = max(counts[episode] ?? 0, count)
    }
  }

  /// These incidents as they are called on record. One that is there with another time is the same.
  mutating func named(_ incidents: [RecordedIncident]) -> [RecordedIncident] {
    // What lasts is what was notified, and so it stays; after an undone end, what ended with it.
    var same = incidents.map { incident -> RecordedIncident? in
      guard incident.closedAt == nil else { return nil }
      return take { $0.closing == .shiftEnded && $0.began(like: incident) }
        ?? take { $0.closedAt == nil && $0.isLike(incident) }
    }
    for isSame in [
      { $0.began(like: $1) && $0.closing != .withdrawn }, { $0.began(like: $1) },
      { $0.overlaps($1) },
    ] as [(RecordedIncident, RecordedIncident) -> Bool] {
      for place in incidents.indices where same[place] == nil {
        same[place] = take { isSame($0, incidents[place]) }
      }
    }
    // By the number of an episode's first incident in the replay.
    var episodes: [Int32: Int32] = [:]
    for isOpen in [true, false] {
      for (incident, stored) in zip(incidents, same) where (incident.closedAt == nil) == isOpen {
        guard let episode = stored?.incident.episode else { continue }
        // Its first incident on record may begin another one now.
        let owner = zip(incidents, same).first { $1?.incident.number == episode }
        guard owner.map({ $0.0.incident.episode == incident.incident.episode }) ?? true else {
          continue
        }
        let isTaken = episodes.values.contains(episode)
        if !isTaken, episodes[incident.incident.episode] == nil {
          episodes[incident.incident.episode] = episode
        }
      }
    }
    return zip(incidents, same).map { incident, stored in
      var named = incident.notified(like: stored, debounce)
      if stored == nil {
        lastIncident += 1
        named.incident.number = lastIncident
      }
      let episode = episodes[incident.incident.episode] ?? named.incident.number
      episodes[incident.incident.episode] = episode
      named.incident.episode = episode
      if named.closedAt == nil {
        named.incident.notificationCount = counts[episode] ?? named.incident.notificationCount
      }
      return named
    }
  }

  /// These silences as they are called on record, and which of those on record are none of them.
  mutating func named(_ silences: [EndedSilence], _ stored: [RecordedIncident])
    -> (named: [RecordedIncident], left: [RecordedIncident])
  {
    var left = stored
    var same = [RecordedIncident?](repeating: nil, count: silences.count)
    for isSame in [
      { $0.incident.openedAt == $1.interval.start && $0.closing != .withdrawn },
      { $0.overlaps($1.interval) }, { $0.incident.openedAt == $1.interval.start },
    ] as [(RecordedIncident, EndedSilence) -> Bool] {
      for (place, silence) in silences.enumerated() where same[place] == nil {
        guard let found = left.firstIndex(where: { $0.isLike(silence) && isSame($0, silence) })
        else { continue }
        same[place] = left.remove(at: found)
      }
    }
    let named = zip(silences, same).map { silence, stored in
      if stored == nil { lastIncident += 1 }
      return RecordedIncident(silence, as: stored, number: lastIncident)
    }
    return (named, left)
  }

  private mutating func take(where isSame: (RecordedIncident) -> Bool) -> RecordedIncident? {
    guard let place = left.firstIndex(where: isSame) else { return nil }
    return left.remove(at: place)
  }
}

extension RecordedIncident {
  /// - Parameter number: That of a new incident, unless it is `stored`.
  fileprivate init(_ silence: EndedSilence, as stored: RecordedIncident?, number: Int32) {
    let (start, end) = (silence.interval.start, silence.interval.end)
    self =
      stored
      ?? RecordedIncident(
        OpenIncident(
          number: number, kind: silence.kind.incident, origin: .midShift, openedAt: start,
          debouncedUntil: start, notificationDueAt: nil), on: silence.device)
    silentSince = silentSince ?? silence.silentSince
    let isSame = incident.openedAt == start && closedAt == end
    if silentSince != nil || explanation == nil || !isSame { explanation = silence.explanation }
    if closedAt != end { (closedAt, closing) = (end, silence.closing) }
    incident.openedAt = start
  }

  fileprivate func isLike(_ silence: EndedSilence) -> Bool {
    device == silence.device && incident.kind == silence.kind.incident
  }

  /// Whether it is on record for a part of this time.
  fileprivate func overlaps(_ time: Interval) -> Bool {
    guard closing != .withdrawn, incident.openedAt < time.end else { return false }
    return closedAt.map { $0 > time.start } ?? true
  }

  fileprivate func began(like other: RecordedIncident) -> Bool {
    isLike(other) && incident.openedAt == other.incident.openedAt
  }

  fileprivate func overlaps(_ other: RecordedIncident) -> Bool {
    let end = other.closedAt ?? Instant(milliseconds: .max)
    return isLike(other) && overlaps(Interval(from: other.incident.openedAt, to: end))
  }

  fileprivate func isLike(_ other: RecordedIncident) -> Bool {
    device == other.device && incident.kind == other.incident.kind
  }

  /// This incident as `stored`, with what was notified of that.
  fileprivate func notified(like stored: RecordedIncident?, _ debounce: TimeSpan)
    -> RecordedIncident
  {
    guard let stored else { return self }
    var same = stored
    same.incident.openedAt = incident.openedAt
    same.incident.origin = incident.origin
    same.incident.evidence = incident.evidence
    same.incident.isAccepted = incident.isAccepted
    let isFlicker =
      stored.closing == .flicker && (closing == .restored || closing == .changed)
      && closedAt.map { $0 - incident.openedAt <= debounce } == true
    same.closing = isFlicker ? .flicker : closing
    same.closedAt = closedAt
    return same
  }
}
