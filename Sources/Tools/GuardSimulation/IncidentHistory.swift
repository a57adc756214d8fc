import ShiftDomain

/// An event that changes a shift's incidents, with the policy in force when the server received it.
struct Entry {
  enum Change {
    /// A report in force; during a break it makes nothing worse.
    case seen(TruePermission, onBreak: Bool)
    /// A silence lasted too long. If its cause was notified before, the silence is not notified.
    case silent(IncidentKind, isExplained: Bool)
    /// A silence ended.
    case heardAgain(IncidentKind)
    /// A break began.
    case breakBegan
    /// A break ended: the newest report counts again.
    case workResumed
    /// This device took over.
    case deviceChanged(Int16)
    /// The end of another incident was notified, naming this kind as left.
    case left(IncidentKind)
  }

  var change: Change
  /// When an incident that it opens begins, and when one that it closes ends.
  var openingAt: Instant
  /// When the shift began, by what was known then.
  var startedAt: Instant
  var closingAt: Instant
  /// When the debounce ends that it begins, or in which it falls.
  var comparedAt: Instant
  /// When the server received it.
  var receivedAt: Instant
  /// What the open app had been told by then.
  var told: Set<IncidentKind>
  var choice: PolicyChoice

  func origin(at instant: Instant) -> IncidentOrigin {
    instant <= startedAt ? .atClockIn : .midShift
  }
}

/// The history of one dimension of an open shift, derived from all its events: which incident must
/// be open, and which notifications must have been sent. The oracle replays the whole history
/// after each step; the rules continue from their previous state.
struct IncidentHistory {
  /// The open incident.
  struct Incident {
    var kind: IncidentKind
    var origin: IncidentOrigin
    var openedAt: Instant
    /// Whether it opened as what was accepted, or better: it is not notified.
    var isAccepted: Bool
    /// Until when a restoration is a flicker; `nil` for incidents from clock-in and for those that
    /// no report opens.
    var flickersUntil: Instant?
    /// Whether it was notified.
    var isNotified = false
  }

  /// A notification that has not been sent.
  struct PendingNotification {
    var kind: IncidentKind
    var dueAt: Instant
    var isUrgent: Bool
    /// The kind that was notified before; back at it, the notification is not needed.
    var base: IncidentKind?
  }

  let dimension: Dimension
  private(set) var incident: Incident?
  private(set) var waiting: PendingNotification?
  private(set) var tally = Tally()
  /// The kind of the last flicker.
  private(set) var flickered: IncidentKind?
  /// When the debounce began in which it fell.
  private(set) var flickeredSince = Instant(milliseconds: .max)
  /// Ended incidents that were notified: their end must be notified.
  private(set) var ends = 0
  /// What was accepted at the clock-in and is still no news.
  private var accepted: IncidentKind?
  /// Since when the device on which it was accepted has said something better without a pause.
  private var betterSince: Instant?
  /// Whether that device tracks.
  private var isOnFirstDevice = true
  private let firstDevice: Int16
  private var isResting = false
  /// The device's last report of this dimension.
  private var said = Impairment.unknown

  /// The shift begins: impairments were accepted at clock-in and are not notified.
  init(
    _ dimension: Dimension, beginning truePermission: TruePermission?, on device: Int16,
    at start: Instant
  ) {
    self.dimension = dimension
    firstDevice = device
    guard let truePermission else { return }
    said = truePermission.impairment(of: dimension)
    guard case .some(let kind) = said else { return }
    accepted = kind
    incident = Incident(
      kind: kind, origin: .atClockIn, openedAt: start, isAccepted: true, flickersUntil: nil)
  }

  mutating func go(on entry: Entry) {
    wait(until: entry.receivedAt)
    switch entry.change {
    case .seen(let truePermission, let onBreak):
      let news = truePermission.impairment(of: dimension)
      if news == .unknown { return }
      said = news
      if !onBreak { compareWithAccepted(at: entry.closingAt) }
      follow(entry, onBreak: onBreak)
    case .workResumed:
      isResting = false
      compareWithAccepted(at: entry.closingAt)
      follow(entry, onBreak: false)
    case .silent(let kind, let isExplained):
      if kind.dimension == dimension, incident == nil {
        open(kind, entry)
        if isExplained { waiting = nil }
      }
    case .heardAgain(let kind):
      if kind.dimension == dimension, let open = incident { heal(open, entry) }
    case .breakBegan:
      forgetAccepted(at: entry.closingAt)
      betterSince = nil
      isResting = true
      if let incident {
        let isKnown = entry.told.contains { $0.dimension == dimension }
        if isKnown || incident.isNotified { ends += 1 }
      }
      end()
    case .deviceChanged(let device):
      forgetAccepted(at: entry.closingAt)
      betterSince = nil
      isOnFirstDevice = device == firstDevice
      said = .unknown
      if let incident { countEnd(of: incident) }
      end()
    case .left(let kind):
      // A notification still in its debounce is sent at the end of it.
      if incident?.kind == kind, waiting == nil { incident?.isNotified = true }
    }
  }

  /// Time passes; due notifications are sent.
  mutating func wait(until now: Instant) {
    guard let pending = waiting, pending.dueAt <= now else { return }
    tally.sent += 1
    incident?.isNotified = true
    waiting = nil
  }

  /// Whether the phone cannot be located, by an incident or by a report during a break.
  var isBlind: Bool { incident?.kind.blinds == true || blindness != nil }

  /// Whether an open incident prevents locating the phone and was notified.
  var isNotifiedAndBlind: Bool { incident.map { $0.kind.blinds && $0.isNotified } ?? false }

  /// The kind that is left here when another incident ends: one that prevents locating the phone,
  /// one that was accepted or notified, or one that is no news to the open app.
  func left(knowing told: Set<IncidentKind>) -> IncidentKind? {
    if let blindness { return blindness }
    guard let incident else { return nil }
    let isNoNews = told.contains {
      $0.dimension == dimension && incident.kind.badness <= $0.badness
    }
    return incident.isNotified || incident.isAccepted || incident.kind.blinds || isNoNews
      ? incident.kind : nil
  }

  private var blindness: IncidentKind? {
    guard case .some(let kind) = said, kind.blinds else { return nil }
    return kind
  }

  /// After a minute of something better, what was accepted falls to what holds then.
  private mutating func forgetAccepted(at time: Instant) {
    guard let since = betterSince, time - since >= .seconds(60) else { return }
    accepted = incident?.kind
    betterSince = nil
  }

  private mutating func compareWithAccepted(at time: Instant) {
    guard isOnFirstDevice, said != .unknown else { return }
    forgetAccepted(at: time)
    guard let accepted else { return }
    if case .some(let kind) = said, kind.badness >= accepted.badness {
      betterSince = nil
    } else if betterSince == nil {
      betterSince = time
    }
  }

  private func isAccepted(_ kind: IncidentKind) -> Bool {
    accepted.map { kind.badness <= $0.badness } ?? false
  }

  private mutating func follow(_ entry: Entry, onBreak: Bool) {
    switch (said, incident) {
    case (.unknown, _), (.none, nil): break
    case (.none, let open?): heal(open, entry)
    case (.some(let kind), nil):
      if !onBreak { open(kind, entry) }
    case (.some(let kind), let open?):
      if kind == open.kind { return }
      change(from: open.kind, to: kind, entry)
    }
  }

  private mutating func open(_ kind: IncidentKind, _ entry: Entry) {
    let flickersUntil = entry.comparedAt
    let openedAt = kind.blinds ? entry.openingAt : entry.closingAt
    incident = Incident(
      kind: kind, origin: entry.origin(at: openedAt), openedAt: openedAt,
      isAccepted: isAccepted(kind),
      flickersUntil: TruePermission.dimensions.contains(dimension) ? flickersUntil : nil)
    // What an end named stays told: after a break, too.
    if isAccepted(kind), entry.told.contains(kind) { incident?.isNotified = true }
    if !isAccepted(kind) { announce(kind, after: nil, entry) }
  }

  private mutating func heal(_ open: Incident, _ entry: Entry) {
    if !flickers(open, entry) { tally.restored += 1 }
    countEnd(of: open)
    end()
  }

  /// Whether the incident ended within its debounce, which is counted.
  private mutating func flickers(_ open: Incident, _ entry: Entry) -> Bool {
    guard let end = open.flickersUntil, entry.receivedAt < end,
      entry.closingAt - open.openedAt <= entry.choice.debounce
    else { return false }
    tally.flickers += 1
    flickered = open.kind
    flickeredSince = end - entry.choice.debounce
    return true
  }

  private mutating func countEnd(of incident: Incident) {
    if incident.isNotified { ends += 1 }
  }

  private mutating func change(
    from before: IncidentKind, to kind: IncidentKind, _ entry: Entry
  ) {
    if let incident { _ = flickers(incident, entry) }
    incident?.kind = kind
    incident?.flickersUntil = entry.comparedAt
    let isAccepted = isAccepted(kind)
    incident?.isAccepted = isAccepted
    let since = kind.blinds ? entry.openingAt : entry.closingAt
    let openedAt = max(since, incident?.openedAt ?? since)
    incident?.openedAt = openedAt
    incident?.origin = entry.origin(at: openedAt)
    if let pending = waiting {
      let isNews = !isAccepted && (pending.base.map { kind.badness > $0.badness } ?? true)
      waiting?.kind = kind
      waiting?.isUrgent = entry.choice.isUrgent(kind)
      guard !isNews else { return }
      waiting = nil
      if incident?.isNotified == true, pending.base != kind { ends += 1 }
    } else if kind.badness > before.badness, !isAccepted {
      announce(kind, after: before, entry)
    } else if incident?.isNotified == true {
      ends += 1
    }
  }

  private mutating func announce(
    _ kind: IncidentKind, after base: IncidentKind?, _ entry: Entry
  ) {
    waiting = PendingNotification(
      kind: kind, dueAt: entry.comparedAt,
      isUrgent: entry.choice.isUrgent(kind), base: base)
  }

  private mutating func end() {
    incident = nil
    waiting = nil
  }
}

/// The counts of a dimension's incidents in a shift.
struct Tally: Equatable {
  /// Notifications sent.
  var sent = 0
  /// Incidents that ended by restoration after the debounce.
  var restored = 0
  /// Incidents that were restored within the debounce.
  var flickers = 0
}
